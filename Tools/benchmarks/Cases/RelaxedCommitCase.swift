import Foundation

/// One-row commits that survive the process at once, and a power cut a little later.
struct RelaxedCommitCase: BenchmarkCase {
  let name = "commit-relaxed"
  let summary = "relaxed one-row commits, one at a time"

  func run(_ settings: Settings) async throws -> CaseReport {
    let folder = try settings.workFolder(for: name)
    let rows = settings.rows
    let store = try StoreRows(at: folder["store"], durability: .relaxed, filledWith: rows)
    let sqlite = try SQLiteRows(at: folder["sqlite"], synchronous: .normal, filledWith: rows)
    try FileManager.default.createDirectory(atPath: folder["lmdb"], withIntermediateDirectories: true)
    let lmdb = try LMDBRows(at: folder["lmdb"], isSynced: false, filledWith: rows)
    var updates = rows.updates(seed: 0)
    let result = try await settings.race().run([
      .loop("store", of: store) { try store.update(updates.next()) },
      .loop("SQLite NORMAL") { try sqlite.update(updates.next()) },
      .loop("LMDB NOSYNC") { try lmdb.update(updates.next()) },
    ])
    return CaseReport(
      self, result,
      ratios: [Ratio("store", to: "SQLite NORMAL", target: 1.5), Ratio("store", to: "LMDB NOSYNC")])
  }
}
