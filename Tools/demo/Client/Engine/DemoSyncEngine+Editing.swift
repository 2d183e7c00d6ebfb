import DemoWire
import SwiftSync

// Edits. Each is saved when its function returns, and sent by the next push.
extension DemoSyncEngine {
  /// - Returns: The identity of the new task.
  /// - Throws: what `ModelContext.save()` throws, as all of these; nothing has changed then.
  @discardableResult
  package func createTask(
    id: String = UUID().uuidString, title: String, projectID: String, authorID: String
  ) throws -> String {
    try saving {
      let project = try context.model(Project.self, id: projectID)
      let author = try context.model(User.self, id: authorID)
      context.insert(Task(id: id, title: title, project: project, author: author, at: now.date))
    }
    return id
  }

  /// Edits a task, and notes when. Nothing happens if there is no such task.
  package func updateTask(_ id: String, _ edit: (Task) throws -> Void) throws {
    try saving {
      guard let task = try context.model(Task.self, id: id) else { return }
      try edit(task)
      task.updatedAt = change(of: task.updatedAt)
    }
  }

  package func setState(of id: String, to stateID: String) throws {
    try updateTask(id) { task in
      task.state = stateID
      task.stateLabel = try context.model(TaskStateOption.self, id: stateID)?.label ?? stateID
    }
  }

  package func replaceReviewers(of id: String, with userIDs: [String]) throws {
    try updateTask(id) { task in
      task.reviewers = try userIDs.compactMap { try context.model(User.self, id: $0) }
    }
  }

  /// Makes the checklist of a task one of new items.
  package func replaceItems(of id: String, with titles: [String]) throws {
    try updateTask(id) { task in
      for item in task.items { context.delete(item) }
      task.items = titles.enumerated().map { Item(title: $1, position: $0, task: task, at: now.date) }
    }
  }

  package func deleteTask(_ id: String) throws {
    try saving {
      if let task = try context.model(Task.self, id: id) { context.delete(task) }
    }
  }

  /// - Returns: The identity of the new project.
  @discardableResult
  package func createProject(id: String = UUID().uuidString, name: String) throws -> String {
    try saving { context.insert(Project(id: id, name: name, at: now.date)) }
    return id
  }

  package func renameProject(_ id: String, to name: String) throws {
    try saving {
      guard let project = try context.model(Project.self, id: id) else { return }
      project.name = name
      project.updatedAt = change(of: project.updatedAt)
    }
  }

  /// Deletes a project with its tasks.
  package func deleteProject(_ id: String) throws {
    try saving {
      if let project = try context.model(Project.self, id: id) { context.delete(project) }
    }
  }

  /// When a row that was changed last at some time is changed now. It is later also where the clock is behind the one that said that
  /// time: otherwise the server would take the edit for an older one.
  private func change(of time: Date) -> Date { Timestamp(time).next(notBefore: now).date }

  private func saving(_ edit: () throws -> Void) throws {
    do {
      try edit()
      try context.save()
    } catch {
      context.rollback()
      throw error
    }
  }
}
