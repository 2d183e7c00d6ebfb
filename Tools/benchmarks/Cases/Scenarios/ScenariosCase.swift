import SwiftSync

/// The scenarios that the library whose API we follow publishes figures of, on this machine.
///
/// Each sample has a new store, which is filled before the clock starts; the syncs run on the main actor, as there.
struct ScenariosCase: BenchmarkCase {
  let name = "scenarios"
  let summary = "the published scenarios of SwiftSync for Apple's systems, in memory and in a file"

  private static let tiers = [1000, 10_000, 50_000]
  private static let publishedTier = 10_000

  func run(_ settings: Settings) async throws -> CaseReport {
    let fitting = Self.tiers.filter { $0 <= settings.rowCount }
    let tiers = fitting.isEmpty ? [settings.rowCount] : fitting
    let samples = settings.roundsAsked ?? 3
    var report = CaseReport(self)
    for rows in tiers {
      var table = ReportTable("\(rows) rows", columns: ["file ms", "max", "memory ms", "max", "published ms"])
      for scenario in Scenario.all {
        var values: [Double?] = []
        for isInMemory in [false, true] {
          var times: [Double] = []
          for _ in 0..<samples { times.append(try await sample(scenario, rows, isInMemory, settings)) }
          report.rounds["\(scenario.name), \(rows), \(isInMemory ? "memory" : "file")"] = times
          values += [Spread(times).median, times.max()]
        }
        table.add(scenario.name, values + [rows == Self.publishedTier ? scenario.published : nil])
      }
      report.tables.append(table)
    }
    report.tables.append(try await offline(settings, samples: samples))
    return report
  }

  private func sample(
    _ scenario: Scenario, _ rows: Int, _ isInMemory: Bool, _ settings: Settings
  ) async throws -> Double {
    let folder = try settings.workFolder(for: name)
    let container = try SyncContainer(
      for: Person.self, Reviewer.self, BoardTask.self, WorkItem.self, SessionTask.self,
      configurations: configuration(isInMemory, folder))
    defer { container.modelContainer.close() }
    let context = ModelContext(container.modelContainer)
    scenario.seed(rows, context)
    try context.save()
    return try await time { try await scenario.work(rows, container) }
  }

  private func configuration(_ isInMemory: Bool, _ folder: WorkFolder) -> ModelConfiguration {
    isInMemory
      ? ModelConfiguration(isStoredInMemoryOnly: true)
      : ModelConfiguration(url: URL(fileURLWithPath: folder["store"]))
  }

  private func time(_ work: @MainActor () async throws -> Void) async throws -> Double {
    let start = ContinuousClock.now
    try await work()
    return (ContinuousClock.now - start) / .milliseconds(1)
  }

  /// A first pull of a model whose local changes are noted, and the question whether there are any.
  private func offline(_ settings: Settings, samples: Int) async throws -> ReportTable {
    let rows = settings.rowCount
    var pulls: [Double] = []
    var checks: [Double] = []
    for _ in 0..<samples {
      let folder = try settings.workFolder(for: name)
      let container = try SyncContainer(for: OfflineRow.self, configurations: configuration(false, folder))
      defer { container.modelContainer.close() }
      let payload: [Any] = (0..<rows).map {
        ["id": "row-\($0)", "title": "Row \($0)", "updated_at": "2026-01-01T00:00:00Z"] as [String: Any]
      }
      pulls.append(try await time { try await container.sync(payload: payload, as: OfflineRow.self) })
      checks.append(
        try await time {
          let pending = try SwiftSync.pendingChanges(for: OfflineRow.self, in: container.mainContext)
          if !pending.isEmpty { throw ScenarioError.pending(pending.inserts.count) }
        })
    }
    var table = ReportTable("offline model, \(rows) rows", columns: ["ms", "max"])
    table.add("bulk pull", [Spread(pulls).median, pulls.max()])
    table.add("nothing pending", [Spread(checks).median, checks.max()])
    return table
  }
}
