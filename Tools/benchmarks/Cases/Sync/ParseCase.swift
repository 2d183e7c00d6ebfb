import Foundation
import SyncEngine

/// What it takes to make something of the text of a payload: our parser, beside those that Foundation has.
struct ParseCase: BenchmarkCase {
  let name = "parse"
  let summary = "a payload of tasks parsed, beside Foundation's JSONSerialization and JSONDecoder"

  func run(_ settings: Settings) async throws -> CaseReport {
    let path = try settings.stage.workload(settings).first + "/tasks.json"
    let json = try Data(contentsOf: URL(fileURLWithPath: path))
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    let result = try await settings.race().run([
      .loop("ours") { _ = try PayloadDocument(json: json) },
      .loop("JSONSerialization") { _ = try JSONSerialization.jsonObject(with: json) },
      .loop("JSONDecoder") { _ = try decoder.decode([DecodedTask].self, from: json) },
    ])
    var report = CaseReport(
      self, result, ratios: [Ratio("ours", to: "JSONSerialization"), Ratio("ours", to: "JSONDecoder")])
    var sizes = ReportTable("the payload", columns: ["MB", "tasks"])
    sizes.add("tasks.json", [Double(json.count) / 1_048_576, Double(settings.rowCount)])
    report.tables.append(sizes)
    return report
  }
}

/// A task as an application without a store of objects would decode it.
private struct DecodedTask: Decodable {
  var id: UUID
  var title: String
  var description: String?
  var state: String
  var priority: Int
  var createdAt: String
  var updatedAt: String
  var projectId: UUID?
  var assigneeId: UUID?
  var reviewerIds: [UUID]?
  var watcherIds: [UUID]?
}
