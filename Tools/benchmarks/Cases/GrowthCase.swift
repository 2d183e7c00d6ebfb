import Foundation

/// How large a store becomes when the same rows are updated again and again.
struct GrowthCase: BenchmarkCase {
  let name = "growth"
  let summary = "the size of a store's files under durable one-row updates, checkpoint by checkpoint"

  private static let checkpoints = 10

  func run(_ settings: Settings) async throws -> CaseReport {
    let folder = try settings.workFolder(for: name)
    let rows = settings.rows
    let path = folder["store"]
    let store = try StoreRows(at: path, filledWith: rows)
    var updates = rows.updates(seed: 0)
    var report = CaseReport(self)
    var table = ReportTable(
      "at the end of", columns: ["commits", "publishes", "data MB", "log MB", "checkpoint ms"])
    for interval in 1...Self.checkpoints {
      let before = store.metrics
      while store.metrics.checkpoints == before.checkpoints { try store.update(updates.next()) }
      let after = store.metrics
      let data = try WorkFolder.byteCount(ofFile: path + "/data.mdb")
      let log = try ["/wal.0", "/wal.1"].reduce(0) { try $0 + WorkFolder.byteCount(ofFile: path + $1) }
      table.add(
        "interval \(interval)",
        [
          Double(after.commits - before.commits), Double(after.publishes - before.publishes),
          Double(data) / 1_048_576, Double(log) / 1_048_576, after.checkpointTimeLast / .milliseconds(1),
        ])
    }
    report.tables.append(table)
    return report
  }
}
