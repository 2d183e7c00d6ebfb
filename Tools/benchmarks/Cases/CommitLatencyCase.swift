/// How long single durable commits take, the slowest ones above all, with checkpoints going on.
struct CommitLatencyCase: BenchmarkCase {
  let name = "commit-latency"
  let summary = "how long single durable commits take, up to the slowest"

  /// Longer turns than elsewhere, because one commit in ten thousand is looked at.
  private static let turns = 5
  /// How many times the median a commit in ten thousand may take.
  private static let target = 20.0

  func run(_ settings: Settings) async throws -> CaseReport {
    let folder = try settings.workFolder(for: name)
    let rows = settings.rows
    let store = try StoreRows(at: folder["store"], filledWith: rows)
    let sqlite = try SQLiteRows(at: folder["sqlite"], synchronous: .full, filledWith: rows)
    let floor = try SyncedFile(at: folder["floor"], recordBytes: CommitCase.floorBytes)
    var updates = rows.updates(seed: 0)
    let result = try await settings.race(turns: Self.turns).run([
      .timedLoop("store", settle: store.settle, prepare: { updates.next() }) { try store.update($0) },
      .timedLoop("SQLite FULL", prepare: { updates.next() }) { try sqlite.update($0) },
      .timedLoop("write and sync", prepare: {}) { try floor.commit() },
    ])
    var report = CaseReport(self, result, ratios: [])
    if let slowest = result.latencies(of: "store")?.multipleOfMedian(0.9999) {
      report.targets.append(
        Target("99.99th percentile of the store, in medians", slowest, atMost: Self.target))
    }
    return report
  }
}
