import Foundation
import SyncEngine

extension JSONWriter {
  /// A row as a backend sends it.
  mutating func write(_ user: TrackerRows.User) {
    writeObject { writer in
      writer.write(user.id, lowercased: "id")
      writer.write(user.displayName, "display_name")
      writer.write(user.email, "email")
      writer.write(TrackerTime.text(user.updatedAt), "updated_at")
    }
  }

  /// A row as a backend sends it.
  mutating func write(_ project: TrackerRows.Project) {
    writeObject { writer in
      writer.write(project.id, lowercased: "id")
      writer.write(project.name, "name")
      writer.write(TrackerTime.text(project.updatedAt), "updated_at")
    }
  }

  /// A row as a backend sends it, with its links as identities.
  mutating func write(_ task: TrackerRows.Task) {
    writeObject { writer in
      writer.write(task.id, lowercased: "id")
      writer.write(task.title, "title")
      writer.write(task.description, "description")
      writer.write(task.state, "state")
      writer.writeKey("priority")
      writer.write(task.priority)
      writer.write(TrackerTime.text(task.createdAt), "created_at")
      writer.write(TrackerTime.text(task.updatedAt), "updated_at")
      writer.write(task.project, lowercased: "project_id")
      writer.write(task.assignee, lowercased: "assignee_id")
      writer.write(task.reviewers, lowercased: "reviewer_ids")
      writer.write(task.watchers, lowercased: "watcher_ids")
    }
  }

  mutating func writeObject(_ members: (inout JSONWriter) -> Void) {
    beginObject()
    members(&self)
    endObject()
  }

  mutating func write(_ text: String?, _ key: String) {
    writeKey(key)
    if let text { writeString(text) } else { writeNull() }
  }

  private mutating func write(_ id: UUID?, lowercased key: String) {
    write(id?.uuidString.lowercased(), key)
  }

  private mutating func write(_ ids: [UUID], lowercased key: String) {
    writeKey(key)
    beginArray()
    for id in ids { writeString(id.uuidString.lowercased()) }
    endArray()
  }
}
