import SwiftSync

/// A task as the server keeps it, deleted ones included.
@Syncable @Model final class StoredTask {
  #Index<StoredTask>([\.number])

  @Attribute(.unique) var id: String
  /// Its place in the order in which tasks came. It never leaves the server.
  var number: Int
  /// Empty if the task was deleted before the server had ever seen it.
  var title: String
  var descriptionText: String?
  var state: TaskState
  var createdAt: Int
  var updatedAt: Int
  /// When it was deleted. The row stays, so that what is older than the deletion cannot bring it back, and what is newer finds
  /// the rest of its values.
  var deletedAt: Int?
  var project: StoredProject?
  var author: StoredUser?
  var assignee: StoredUser?
  @Relationship var reviewers: [StoredUser]
  @Relationship var watchers: [StoredUser]
  @Relationship(deleteRule: .cascade, inverse: \StoredItem.task) var items: [StoredItem]

  init(id: String, number: Int, createdAt: Int) {
    self.id = id
    self.number = number
    self.title = ""
    self.state = .todo
    self.createdAt = createdAt
    self.updatedAt = createdAt
    self.reviewers = []
    self.watchers = []
    self.items = []
  }
}

/// An item of a task's checklist.
@Syncable @Model final class StoredItem {
  @Attribute(.unique) var id: String
  var title: String
  var position: Int
  var createdAt: Int
  var updatedAt: Int
  var task: StoredTask?

  init(id: String, title: String, position: Int, createdAt: Int, task: StoredTask) {
    self.id = id
    self.title = title
    self.position = position
    self.createdAt = createdAt
    self.updatedAt = createdAt
    self.task = task
  }
}

/// Where a task stands.
enum TaskState: String, Codable, CaseIterable {
  case todo
  case inProgress
  case done

  var label: String {
    switch self {
    case .todo: "To Do"
    case .inProgress: "In Progress"
    case .done: "Done"
    }
  }
}
