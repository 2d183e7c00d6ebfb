import Foundation
import SwiftSync

/// Syncs two versions of a backend's data into a store and shows what happened.
struct PayloadStory {
  let payloads: URL
  let store: URL

  @MainActor func tell() async throws {
    let container = try SyncContainer(for: Task.self, configurations: ModelConfiguration(url: store))

    for version in ["first", "second"] {
      print("\n== The backend's \(version) answer ==")
      let folder = payloads.appendingPathComponent(version)
      try await sync("users", as: User.self, from: folder, into: container)
      try await sync("projects", as: Project.self, from: folder, into: container)
      try await sync("tasks", as: Task.self, from: folder, into: container)
    }

    print("\n== Urgent tasks that are not done, newest first ==")
    let done = TaskState.done
    let urgent = FetchDescriptor<Task>(
      predicate: #Predicate { $0.priority >= 3 && $0.state != done },
      sortBy: [SortDescriptor(\.updatedAt, order: .reverse), SortDescriptor(\.id)])
    for task in try container.mainContext.fetch(urgent) {
      let people = task.reviewers.map(\.displayName).joined(separator: ", ")
      print("  \(task.id)  P\(task.priority)  \(task.project?.name ?? "-"): \(task.title)")
      print(
        "        assigned to \(task.assignee?.displayName ?? "nobody"), reviewed by \(people.isEmpty ? "nobody" : people)"
      )
    }

    print("\n== One task, as it would be sent back ==")
    let crash = FetchDescriptor<Task>(predicate: #Predicate { $0.id == "t-13" })
    if let task = try container.mainContext.fetch(crash).first {
      let json = try JSONSerialization.data(
        withJSONObject: container.export(task), options: [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes])
      print(String(decoding: json, as: UTF8.self))
    }

    print("\n== The store ==\n\(store.path)")
  }

  /// Hands one file's rows to the container and prints the report.
  @MainActor private func sync<Model: SyncUpdatableModel>(
    _ name: String, as model: Model.Type, from folder: URL, into container: SyncContainer
  ) async throws {
    let data = try Data(contentsOf: folder.appendingPathComponent("\(name).json"))
    guard let rows = try JSONSerialization.jsonObject(with: data) as? [Any] else {
      throw DemoError.noArray(file: "\(name).json")
    }
    let report = try await container.sync(payload: rows, as: model)
    print("\(name): \(report)")
  }
}
