import Foundation

/// How long a store takes to open after its process was killed, by the number of commits that its log has to give back.
struct RecoveryCase: BenchmarkCase {
  let name = "recovery"
  let summary = "opening a store whose process was killed, by the length of its log"

  /// One part in so many of the rows was committed when the process died: 2,000, 10,000 and 50,000 of 100,000.
  private static let shares = [50, 10, 2]
  /// In which of these there is a target, and what it is.
  private static let targetShare = 10
  private static let millisecondsMax = 500.0

  func run(_ settings: Settings) async throws -> CaseReport {
    var report = CaseReport(self)
    var table = ReportTable("opening", columns: ["commits in the log", "log MB", "ms", "10 %", "90 %"])
    for share in Self.shares {
      let count = max(1, settings.rowCount / share)
      let folder = try settings.workFolder(for: name)
      try AbandonedStore(path: folder["killed"], rowCount: settings.rowCount, commitCount: count).makeInChild()
      var times: [Double] = []
      var recovered = 0
      for round in 0..<settings.rounds {
        let copy = folder["copy-\(round)"]
        try FileManager.default.copyItem(atPath: folder["killed"], toPath: copy)
        // The copy is on the medium, as what a killed process has left mostly is. Otherwise the recovery's first sync would
        // bring all of it there.
        sync()
        let start = ContinuousClock.now
        let store = try StoreRows(at: copy)
        times.append((ContinuousClock.now - start) / .milliseconds(1))
        recovered = store.metrics.commitsRecovered
        try FileManager.default.removeItem(atPath: copy)
      }
      let spread = Spread(times)
      let logBytes = try ["wal.0", "wal.1"].reduce(0) { try $0 + WorkFolder.byteCount(ofFile: folder["killed/\($1)"]) }
      table.add(
        "after \(count) commits",
        [Double(recovered), Double(logBytes) / 1_048_576, spread.median, spread.low, spread.high])
      report.rounds["\(count) commits"] = times
      if share == Self.targetShare {
        report.targets.append(
          Target("ms to recover \(recovered) commits", spread.median, atMost: Self.millisecondsMax))
      }
    }
    report.tables.append(table)
    return report
  }
}
