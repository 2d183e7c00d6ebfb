import Foundation
import SwiftSync

// The models of a small issue tracker, as an application would declare them.

@Syncable @Model final class Project {
  @Attribute(.unique) var id: String
  var name: String
  var updatedAt: Date
  @NotExport @Relationship(deleteRule: .cascade, inverse: \Task.project) var tasks: [Task]

  init(id: String, name: String, updatedAt: Date, tasks: [Task] = []) {
    self.id = id
    self.name = name
    self.updatedAt = updatedAt
    self.tasks = tasks
  }
}

@Syncable @Model final class User {
  @Attribute(.unique) var id: String
  var displayName: String
  var email: String
  var updatedAt: Date

  init(id: String, displayName: String, email: String, updatedAt: Date) {
    self.id = id
    self.displayName = displayName
    self.email = email
    self.updatedAt = updatedAt
  }
}

/// Where a task stands. The backend sends it inside an object: `"state": {"id": "todo", "label": "To do"}`.
enum TaskState: String, Codable {
  case backlog
  case todo
  case inProgress = "in_progress"
  case inReview = "in_review"
  case done
}

@Syncable @Model final class Task {
  @Attribute(.unique) var id: String
  var title: String
  @RemoteKey("description") var descriptionText: String?
  @RemoteKey("state.id") var state: TaskState
  @RemoteKey("state.label") var stateLabel: String
  var priority: Int
  var createdAt: Date
  var updatedAt: Date
  var project: Project?
  var assignee: User?
  @Relationship var reviewers: [User]
  @Relationship var watchers: [User]

  init(id: String, title: String, state: TaskState = .backlog, stateLabel: String = "Backlog", priority: Int = 0) {
    self.id = id
    self.title = title
    self.state = state
    self.stateLabel = stateLabel
    self.priority = priority
    self.createdAt = .now
    self.updatedAt = .now
    self.reviewers = []
    self.watchers = []
  }
}
