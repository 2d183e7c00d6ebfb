extension StoreFiles {
  /// Whether there is nothing to recover: LMDB is at the newest checkpoint, and the log has nothing behind it.
  ///
  /// Only with nobody else there: a living writer is always ahead of its checkpoint.
  func isClean() throws(StoreError) -> Bool {
    let record = try newestRecord()
    let newest = try? data.newestMetaPage()
    guard newest?.transaction == record.snapshot,
      try data.bytes(at: Int(record.snapshot & 1) * record.pageBytes, record.meta.count) == record.meta
    else { return false }
    var log = LogReader(segments, from: record.log, path: paths.directory)
    return try log.next() == nil
  }
}
