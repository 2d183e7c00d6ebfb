import SwiftSync
import SyncEngine

/// Syncs from JSON files to a committed store, phase by phase.
///
/// Payloads are folders with `projects.json`, `users.json` and `tasks.json`. In every round each is synced in that order
/// into a new store (`first`), and then again (`again`); what is reported is the sync of the tasks.
struct SyncCase: BenchmarkCase {
  let name = "sync"
  let summary = "syncs of payloads from files into a new store, and again; needs --payload"

  func obstacle(_ settings: Settings) -> String? {
    settings.payloads.isEmpty ? "it needs --payload." : nil
  }

  func run(_ settings: Settings) async throws -> CaseReport {
    var report = CaseReport(self)
    for path in settings.payloads {
      let payload = URL(fileURLWithPath: path)
      var measurements: [[SyncMeasurement]] = []
      for _ in 0..<settings.rounds { measurements.append(try await measure(payload, settings)) }
      var table = ReportTable(path, columns: SyncMeasurement.columns)
      for (pass, name) in ["first", "again"].enumerated() {
        table.add(name, SyncMeasurement.medians(measurements.map { $0[pass] }))
        report.rounds["\(path) \(name)"] = measurements.map { $0[pass].milliseconds }
      }
      report.tables.append(table)
    }
    return report
  }

  /// Both passes of one round.
  private func measure(_ payload: URL, _ settings: Settings) async throws -> [SyncMeasurement] {
    let folder = try settings.workFolder(for: name)
    let store = URL(fileURLWithPath: folder["tracker.store"])
    let container = try SyncContainer(for: Task.self, configurations: ModelConfiguration(url: store))
    defer { container.modelContainer.close() }
    var measurements: [SyncMeasurement] = []
    for _ in 0..<2 {
      try await sync("projects", as: Project.self, payload, container)
      try await sync("users", as: User.self, payload, container)
      var measurement = try await sync("tasks", as: Task.self, payload, container)
      measurement.storeBytes = try WorkFolder.byteCount(of: store.path)
      measurements.append(measurement)
    }
    return measurements
  }

  @discardableResult
  private func sync<Model: SyncUpdatableModel>(
    _ name: String, as model: Model.Type, _ payload: URL, _ container: SyncContainer
  ) async throws -> SyncMeasurement {
    let clock = ContinuousClock()
    let start = clock.now
    let json = try Data(contentsOf: payload.appendingPathComponent("\(name).json"))
    let read = clock.now
    let parse = try clock.measure { _ = try PayloadDocument(json: json) }
    let synced = clock.now
    let report = try await container.sync(json: json, as: model)
    let end = clock.now
    return SyncMeasurement(
      rows: report.entities[String(describing: Model.self)]?.total ?? 0, read: read - start, parse: parse,
      total: (read - start) + (end - synced), phases: report.durations)
  }
}

extension SyncReport.Counts {
  fileprivate var total: Int { inserted + updated + unchanged }
}
