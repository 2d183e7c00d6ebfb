import CLMDB

/// The pages of one snapshot of an open store, which nobody uses again while it is open: for reading the data file beside
/// LMDB.
struct PinnedPages {
  let data: DataFile
  let meta: SnapshotMeta
  /// The beginning of the snapshot's meta page.
  let metaBytes: [UInt8]
}

extension EnvironmentCore {
  /// A writer that commits twice while a snapshot begins takes its meta page away. It can't do that again and again.
  private static let attemptsMax = 1000

  /// Calls `body` with the pages of the newest snapshot.
  func withPinnedPages<Result>(_ body: (PinnedPages) throws -> Result) throws -> Result {
    guard let data = resources?.data else { throw StoreError.closed(path: directory) }
    for _ in 0..<Self.attemptsMax {
      let (place, transaction) = try beginSnapshot()
      defer { endSnapshot(place) }
      if let pages = try pages(of: UInt64(mdb_txn_id(transaction)), data) { return try body(pages) }
    }
    throw StoreError.damaged(
      path: directory, reason: "the first pages of its \(StorePaths.data) are not those of its last commit")
  }

  /// Nil when the meta page of the snapshot isn't there any more.
  private func pages(of snapshot: UInt64, _ data: DataFile) throws -> PinnedPages? {
    let pageBytes = try data.newestMetaPage().pageBytes
    let place = Int(snapshot & 1) * pageBytes
    let bytes = try data.bytes(at: place, CheckpointRecord.metaByteCount)
    guard let meta = try? SnapshotMeta(bytes), meta.transaction == snapshot else { return nil }
    // A page that is just being written may be read in parts.
    guard try data.bytes(at: place, CheckpointRecord.metaByteCount) == bytes else { return nil }
    return PinnedPages(data: data, meta: meta, metaBytes: bytes)
  }
}
