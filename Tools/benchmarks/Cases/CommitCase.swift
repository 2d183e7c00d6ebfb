import Foundation

/// Durable one-row commits, one after the other on one thread.
struct CommitCase: BenchmarkCase {
  let name = "commit"
  let summary = "durable one-row commits, one at a time"

  /// About what a commit of one row has to write.
  static let floorBytes = 256

  func run(_ settings: Settings) async throws -> CaseReport {
    let folder = try settings.workFolder(for: name)
    let rows = settings.rows
    let store = try StoreRows(at: folder["store"], filledWith: rows)
    let sqlite = try SQLiteRows(at: folder["sqlite"], synchronous: .full, filledWith: rows)
    try FileManager.default.createDirectory(atPath: folder["lmdb"], withIntermediateDirectories: true)
    let lmdb = try LMDBRows(at: folder["lmdb"], isSynced: true, filledWith: rows)
    let floor = try SyncedFile(at: folder["floor"], recordBytes: Self.floorBytes)
    var updates = rows.updates(seed: 0)
    let result = try await settings.race().run([
      .loop("store", of: store) { try store.update(updates.next()) },
      .loop("SQLite FULL") { try sqlite.update(updates.next()) },
      .loop("LMDB") { try lmdb.update(updates.next()) },
      .loop("write and sync") { try floor.commit() },
    ])
    return CaseReport(
      self, result,
      ratios: [
        Ratio("store", to: "SQLite FULL", target: 1.1), Ratio("store", to: "LMDB", target: 1.7),
        Ratio("store", to: "write and sync"), Ratio("SQLite FULL", to: "write and sync"),
      ])
  }
}
