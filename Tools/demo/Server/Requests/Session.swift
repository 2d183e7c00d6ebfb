import DemoWire
import SwiftSync

/// The work of one request: a look at the store, and what is to be saved at its end.
struct Session {
  let context: ModelContext
  let now: Timestamp

  func project(_ id: String) throws -> StoredProject {
    guard let project = try context.model(StoredProject.self, id: id), project.deletedAt == nil else {
      throw BackendError.notFound(kind: "project", id: id)
    }
    return project
  }

  func task(_ id: String) throws -> StoredTask {
    guard let task = try context.model(StoredTask.self, id: id), task.deletedAt == nil else {
      throw BackendError.notFound(kind: "task", id: id)
    }
    return task
  }

  /// The project that a value refers to.
  func project(_ id: String, under key: String) throws -> StoredProject {
    guard let project = try context.model(StoredProject.self, id: id), project.deletedAt == nil else {
      throw BackendError.unknownReference(key: key, id: id)
    }
    return project
  }

  /// The user that a value refers to.
  func user(_ id: String, under key: String) throws -> StoredUser {
    guard let user = try context.model(StoredUser.self, id: id) else {
      throw BackendError.unknownReference(key: key, id: id)
    }
    return user
  }

  func users(_ ids: [String], under key: String) throws -> [StoredUser] {
    try ids.map { try user($0, under: key) }
  }

  /// When a row that was last changed at some time is changed by the server itself: later in any case.
  func nextChange(after time: Int) -> Int {
    Timestamp(milliseconds: time).next(notBefore: now).milliseconds
  }
}
