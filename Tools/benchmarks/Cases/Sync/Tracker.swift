import SwiftSync

// The models of the workload: an issue tracker with two to-one and two to-many relationships on the rows that matter.

@Syncable @Model final class Project {
  @Attribute(.unique) var id: UUID
  var name: String
  var updatedAt: Date
  @Relationship(inverse: \Task.project) var tasks: [Task]

  init(id: UUID, name: String, updatedAt: Date) {
    self.id = id
    self.name = name
    self.updatedAt = updatedAt
    self.tasks = []
  }
}

@Syncable @Model final class User {
  @Attribute(.unique) var id: UUID
  var displayName: String
  var email: String
  var updatedAt: Date

  init(id: UUID, displayName: String, email: String, updatedAt: Date) {
    self.id = id
    self.displayName = displayName
    self.email = email
    self.updatedAt = updatedAt
  }
}

@Syncable @Model final class Task {
  @Attribute(.unique) var id: UUID
  var title: String
  @RemoteKey("description") var descriptionText: String?
  var state: String
  var priority: Int
  var createdAt: Date
  var updatedAt: Date
  var project: Project?
  var assignee: User?
  @Relationship var reviewers: [User]
  @Relationship var watchers: [User]

  init(id: UUID, title: String, state: String, priority: Int, createdAt: Date, updatedAt: Date) {
    self.id = id
    self.title = title
    self.state = state
    self.priority = priority
    self.createdAt = createdAt
    self.updatedAt = updatedAt
    self.reviewers = []
    self.watchers = []
  }
}

/// A task whose times and priorities are indexed, to show what an index is worth. It stands by itself.
@Syncable @Model final class IndexedTask {
  #Index<IndexedTask>([\.createdAt], [\.priority])

  @Attribute(.unique) var id: UUID
  var title: String
  @RemoteKey("description") var descriptionText: String?
  var state: String
  var priority: Int
  var createdAt: Date
  var updatedAt: Date

  init(like task: Task) {
    id = task.id
    title = task.title
    state = task.state
    priority = task.priority
    createdAt = task.createdAt
    updatedAt = task.updatedAt
  }
}
