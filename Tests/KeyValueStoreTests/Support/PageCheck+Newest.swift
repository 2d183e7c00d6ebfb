@testable import KeyValueStore

extension PageCheck {
  /// Checks the newest snapshot of the data file in a folder that nobody writes to.
  static func report(newestIn folder: String) throws -> PageReport {
    let files = SystemFiles()
    let file = try files.open(folder + "/data.mdb", for: .reading)
    let first = try SnapshotMeta(try files.bytes(of: file, at: 0, MetaPage.byteCount))
    let second = try SnapshotMeta(try files.bytes(of: file, at: first.pageBytes, MetaPage.byteCount))
    return try report(on: file, files, meta: second.transaction > first.transaction ? second : first)
  }
}
