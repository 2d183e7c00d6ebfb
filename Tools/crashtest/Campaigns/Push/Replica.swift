import DemoClient
import DemoServer
import DemoWire
import SwiftSync

/// Everything that the server and a client have to agree on, as sorted lines.
@MainActor enum Replica {
  static func lines(of backend: Backend) -> [String] {
    (rows(of: backend, "/projects").map(line(ofProject:)) + rows(of: backend, "/tasks").map(line(ofTask:))).sorted()
  }

  private static func rows(of backend: Backend, _ path: String) -> [[String: Any]] {
    let body = backend.handle(Request(.get, path)).body
    return (try? JSONSerialization.jsonObject(with: body) as? [[String: Any]]) ?? []
  }

  private static func line(ofProject row: [String: Any]) -> String {
    "project \(text(row["id"])) \(text(row["name"])) \(text(row["updated_at"]))"
  }

  private static func line(ofTask row: [String: Any]) -> String {
    let state = row["state"] as? [String: Any]
    let reviewers = row["reviewer_ids"] as? [String] ?? []
    let items = (row["items"] as? [[String: Any]] ?? []).map { text($0["title"]) }
    let words: [String] = [
      "task", text(row["id"]), text(row["title"]), text(row["description"]), text(state?["id"]),
      text(row["project_id"]), text(row["assignee_id"]), reviewers.joined(separator: ","),
      items.joined(separator: ","), text(row["updated_at"]),
    ]
    return words.joined(separator: " ")
  }

  private static func text(_ value: Any?) -> String { value as? String ?? "-" }

  static func lines(of container: SyncContainer) throws -> [String] {
    let context = ModelContext(container.modelContainer)
    let projects = try context.fetch(FetchDescriptor<Project>()).map(line)
    let tasks = try context.fetch(FetchDescriptor<DemoClient.Task>()).map(line)
    return (projects + tasks).sorted()
  }

  private static func line(of project: Project) -> String {
    "project \(project.id) \(project.name) \(Timestamp(project.updatedAt).text)"
  }

  private static func line(of task: DemoClient.Task) -> String {
    let reviewers = task.reviewers.map(\.id).sorted().joined(separator: ",")
    let items = task.items.sorted { ($0.position, $0.id) < ($1.position, $1.id) }.map(\.title)
    let words: [String] = [
      "task", task.id, task.title, task.descriptionText ?? "-", task.state, task.project?.id ?? "-",
      task.assignee?.id ?? "-", reviewers, items.joined(separator: ","), Timestamp(task.updatedAt).text,
    ]
    return words.joined(separator: " ")
  }

  /// What is on one side only.
  static func difference(_ client: [String], _ server: [String]) -> String {
    let missing = Set(server).subtracting(client).sorted().map { "server: \($0)" }
    let extra = Set(client).subtracting(server).sorted().map { "client: \($0)" }
    return (missing + extra).prefix(6).joined(separator: "; ")
  }
}
