import DemoWire
import SwiftSync

// What POST, PUT, PATCH and DELETE do to single tasks, for clients that are always online.
extension Session {
  func createTask(_ fields: Fields) throws -> StoredTask {
    let id = try fields.identity("id") ?? UUID().uuidString.lowercased()
    if try context.model(StoredTask.self, id: id) != nil { throw BackendError.duplicate(kind: "task", id: id) }
    let time = try fields.time("updated_at") ?? now
    return try TaskDraft(fields).apply(to: nil, id: id, at: time, in: self)
  }

  /// Changes what the fields mention.
  func patchTask(_ id: String, _ fields: Fields) throws -> StoredTask {
    let task = try task(id)
    guard try fields.identity("id") ?? id == id else {
      throw BackendError.invalid("The id of the body is not the one of the path.")
    }
    let time = Timestamp(milliseconds: nextChange(after: task.updatedAt))
    return try TaskDraft(fields).apply(to: task, id: id, at: time, in: self)
  }

  /// Changes a task to what the fields say, which have to mention what a form shows.
  func replaceTask(_ id: String, _ fields: Fields) throws -> StoredTask {
    for key in ["title", "description", "state"] where !fields.has(key) {
      throw BackendError.invalid("\(key) is missing.")
    }
    return try patchTask(id, fields)
  }

  func replaceReviewers(of id: String, _ fields: Fields) throws -> StoredTask {
    let task = try task(id)
    guard let ids = try fields.texts("reviewer_ids") else { throw BackendError.invalid("reviewer_ids is missing.") }
    task.reviewers = try users(ids, under: "reviewer_ids")
    task.updatedAt = nextChange(after: task.updatedAt)
    return task
  }

  func replaceWatchers(of id: String, _ fields: Fields) throws -> StoredTask {
    let task = try task(id)
    guard let ids = try fields.texts("watcher_ids") else { throw BackendError.invalid("watcher_ids is missing.") }
    task.watchers = try users(ids, under: "watcher_ids")
    task.updatedAt = nextChange(after: task.updatedAt)
    return task
  }

  func deleteTask(_ id: String) throws {
    let task = try task(id)
    task.updatedAt = nextChange(after: task.updatedAt)
    task.deletedAt = task.updatedAt
  }
}
