import DemoWire
import SwiftSync

// Fetching what the server has. Without a network the store stays as it is, and nothing is thrown.
extension DemoSyncEngine {
  /// Fetches the users and the states that a task can be in.
  package func syncTaskFormMetadata() async throws {
    try await whileReachable {
      try await container.sync(json: send(Request(.get, Request.path("users"))), as: User.self)
      try await container.sync(
        json: send(Request(.get, Request.path("task-state-options"))), as: TaskStateOption.self)
    }
  }

  package func syncProjects() async throws {
    try await whileReachable {
      try await container.sync(json: send(Request(.get, Request.path("projects"))), as: Project.self)
    }
  }

  /// Sends what is pending, and fetches the tasks of a project.
  package func syncProjectTasks(projectID: String) async throws {
    try await whileReachable {
      // An edit that can't be sent now does not keep others' from being shown.
      _ = try? await pushPendingChanges()
      if try context.fetchCount(FetchDescriptor<User>()) == 0 { try await syncTaskFormMetadata() }
      if try context.model(Project.self, id: projectID) == nil { try await syncProjects() }
      try await fetchTasks(projectID: projectID)
      try await syncProjects()
    }
  }

  /// Fetches one task.
  package func syncTaskDetail(taskID: String) async throws {
    try await whileReachable {
      let task = try await send(Request(.get, Request.path("tasks", taskID)))
      // As a list of one: a single object would overwrite edits that are still to be sent.
      try await container.sync(json: Data("[".utf8) + task + Data("]".utf8), as: Task.self, missing: .keep)
    }
  }

  /// Sends what is pending, and fetches everything.
  package func syncEverything() async throws {
    try await whileReachable {
      _ = try? await pushPendingChanges()
      try await syncTaskFormMetadata()
      try await syncProjects()
      // All of them at once, so that tasks go whose project is gone, too.
      try await container.sync(json: send(Request(.get, Request.path("tasks"))), as: Task.self)
    }
  }

  /// Fetches the tasks of a project, and sends nothing.
  package func fetchTasks(projectID: String) async throws {
    let tasks: Data
    do {
      tasks = try await send(Request(.get, Request.path("projects", projectID, "tasks")))
    } catch TransportError.refused(status: 404, _) {
      // It has not been sent yet, or somebody has deleted it.
      return
    }
    guard let project = try context.model(Project.self, id: projectID) else { return }
    try await container.sync(json: tasks, as: Task.self, parent: project, relationship: \.project)
  }

  private func whileReachable(_ body: () async throws -> Void) async throws {
    do {
      try await working(body)
    } catch TransportError.offline {
      return
    }
  }
}
