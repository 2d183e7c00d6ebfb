extension StoreFiles {
  /// Whether there is nothing to recover: LMDB is at the newest checkpoint, and the log has nothing behind it.
  ///
  /// Only with nobody else there: a living writer is always ahead of its checkpoint.
  func isClean() throws(StoreError) -> Bool {
    let record = try newestRecord()
    guard try isAtSnapshot(of: record) else { return false }
    if record.isClosed { return true }
    var log = LogReader(segments, from: record.log, path: paths.directory)
    return try log.next() == nil
  }

  /// Whether LMDB's newest snapshot is that of a record.
  func isAtSnapshot(of record: CheckpointRecord) throws(StoreError) -> Bool {
    guard try newestSnapshot() == record.snapshot else { return false }
    return try data.bytes(at: Int(record.snapshot & 1) * record.pageBytes, record.meta.count) == record.meta
  }

  /// The transaction of LMDB's newest meta page; nil when the meta pages make no sense, as after a power cut.
  private func newestSnapshot() throws(StoreError) -> UInt64? {
    do throws(StoreError) {
      return try data.newestMetaPage().transaction
    } catch {
      switch error {
      case .damaged, .notAStore: return nil
      default: throw error
      }
    }
  }
}
