import Foundation

/// A durable one-row commit and a read of another row, in turns on one thread.
///
/// Here it shows what it costs that a read sees every commit that was acknowledged before.
struct ReadAfterWriteCase: BenchmarkCase {
  let name = "read-after-write"
  let summary = "a durable one-row commit and a read in turns, on one thread"

  func run(_ settings: Settings) async throws -> CaseReport {
    let folder = try settings.workFolder(for: name)
    let rows = settings.rows
    let store = try StoreRows(at: folder["store"], filledWith: rows)
    let sqlite = try SQLiteRows(at: folder["sqlite"], synchronous: .full, filledWith: rows)
    try FileManager.default.createDirectory(atPath: folder["lmdb"], withIntermediateDirectories: true)
    let lmdb = try LMDBRows(at: folder["lmdb"], isSynced: true, filledWith: rows)
    var updates = rows.updates(seed: 0)
    let result = try await settings.race().run([
      .loop("store", of: store) {
        try store.update(updates.next())
        _ = try store.read(updates.next().key)
      },
      .loop("SQLite FULL") {
        try sqlite.update(updates.next())
        _ = try sqlite.read(updates.next().key)
      },
      .loop("LMDB") {
        try lmdb.update(updates.next())
        _ = try lmdb.read(updates.next().key)
      },
    ])
    return CaseReport(self, result, ratios: [Ratio("store", to: "SQLite FULL"), Ratio("store", to: "LMDB")])
  }
}
