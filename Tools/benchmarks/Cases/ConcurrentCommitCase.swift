/// Durable one-row commits of many tasks at the same time.
struct ConcurrentCommitCase: BenchmarkCase {
  let taskCount: Int
  /// How many times the rate that SQLite has with one thread.
  let target: Double

  var name: String { "commit-\(taskCount)" }
  var summary: String { "durable one-row commits of \(taskCount) tasks at the same time" }

  func run(_ settings: Settings) async throws -> CaseReport {
    let folder = try settings.workFolder(for: name)
    let rows = settings.rows
    let store = try StoreRows(at: folder["store"], filledWith: rows)
    let sqlite = try SQLiteRows(at: folder["sqlite"], synchronous: .full, filledWith: rows)
    // A database of their own, so that the one thread does not meet them.
    let shared = folder["sqlite-shared"]
    var connections = [try SQLiteRows(at: shared, synchronous: .full, filledWith: rows)]
    while connections.count < taskCount { connections.append(try SQLiteRows(at: shared, synchronous: .full)) }
    var updates = rows.updates(seed: 0)
    let ours = "store, \(taskCount) tasks"
    let theirs = "SQLite FULL, \(taskCount) threads"
    let result = try await settings.race().run([
      .tasks(taskCount, ours, of: store, updating: rows),
      .loop("SQLite FULL") { try sqlite.update(updates.next()) },
      .threads(theirs, tools: connections, updating: rows) { try $0.update($1) },
    ])
    return CaseReport(
      self, result, ratios: [Ratio(ours, to: "SQLite FULL", target: target), Ratio(ours, to: theirs)])
  }
}
