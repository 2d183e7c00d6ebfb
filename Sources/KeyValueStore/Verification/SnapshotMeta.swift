/// A meta page of a data file: where the trees of one snapshot begin.
struct SnapshotMeta {
  private static let freeOffset = 40
  private static let tablesOffset = 88

  let pageBytes: Int
  let lastPage: UInt64
  let transaction: UInt64
  let free: TreeRecord
  let tables: TreeRecord

  /// Reads the first bytes of a meta page, or a copy of them.
  init(_ bytes: [UInt8]) throws(MetaPage.Problem) {
    let page = try MetaPage(bytes)
    pageBytes = page.pageBytes
    lastPage = page.lastPage
    transaction = page.transaction
    (free, tables) = bytes.withUnsafeBytes { bytes in
      (
        TreeRecord(UnsafeRawBufferPointer(rebasing: bytes[Self.freeOffset...])),
        TreeRecord(UnsafeRawBufferPointer(rebasing: bytes[Self.tablesOffset...]))
      )
    }
  }
}
