import Foundation
import SyncEngine

/// Projects as an export writes them, with their tasks and the users of these in full.
struct TrackerExport {
  private let users: [UUID: TrackerRows.User]
  private let tasks: [UUID: [TrackerRows.Task]]
  private let projects: [UUID: TrackerRows.Project]

  init(_ rows: TrackerRows) {
    users = Dictionary(uniqueKeysWithValues: rows.users.map { ($0.id, $0) })
    projects = Dictionary(uniqueKeysWithValues: rows.projects.map { ($0.id, $0) })
    tasks = Dictionary(grouping: rows.tasks, by: \.project)
  }

  /// How many bytes a project's JSON has without white space, whatever the order of members.
  func byteCount(of project: UUID) -> Int {
    var writer = JSONWriter()
    if let project = projects[project] { write(project, to: &writer) }
    return writer.bytes.count
  }

  private func write(_ project: TrackerRows.Project, to writer: inout JSONWriter) {
    writer.writeObject { writer in
      writer.write(project.id.uuidString, "id")
      writer.write(project.name, "name")
      writer.write(TrackerTime.text(project.updatedAt, milliseconds: true), "updated_at")
      writer.writeKey("tasks")
      writer.beginArray()
      for task in tasks[project.id] ?? [] { write(task, to: &writer) }
      writer.endArray()
    }
  }

  private func write(_ task: TrackerRows.Task, to writer: inout JSONWriter) {
    writer.writeObject { writer in
      writer.write(task.id.uuidString, "id")
      writer.write(task.title, "title")
      writer.write(task.description, "description")
      writer.write(task.state, "state")
      writer.writeKey("priority")
      writer.write(task.priority)
      writer.write(TrackerTime.text(task.createdAt, milliseconds: true), "created_at")
      writer.write(TrackerTime.text(task.updatedAt, milliseconds: true), "updated_at")
      // The project is the object around it, where the export ends.
      writer.writeKey("project")
      writer.writeObject { _ in }
      writer.writeKey("assignee")
      if let assignee = task.assignee { write(assignee, to: &writer) } else { writer.writeNull() }
      for (key, people) in [("reviewers", task.reviewers), ("watchers", task.watchers)] {
        writer.writeKey(key)
        writer.beginArray()
        for user in people { write(user, to: &writer) }
        writer.endArray()
      }
    }
  }

  private func write(_ id: UUID, to writer: inout JSONWriter) {
    guard let user = users[id] else { return writer.writeNull() }
    writer.writeObject { writer in
      writer.write(user.id.uuidString, "id")
      writer.write(user.displayName, "display_name")
      writer.write(user.email, "email")
      writer.write(TrackerTime.text(user.updatedAt, milliseconds: true), "updated_at")
    }
  }
}
