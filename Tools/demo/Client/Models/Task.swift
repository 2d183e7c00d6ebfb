import SwiftSync

/// A task. It can be made, changed and deleted offline: its identity is kept when its row is deleted.
@Syncable @Model package final class Task {
  @Attribute(.unique, .preserveValueOnDeletion) package var id: String
  package var title: String
  @RemoteKey("description") package var descriptionText: String?
  @RemoteKey("state.id") package var state: String
  @RemoteKey("state.label") package var stateLabel: String
  package var createdAt: Date
  package var updatedAt: Date
  package var project: Project?
  package var author: User?
  package var assignee: User?
  @Relationship package var reviewers: [User]
  @Relationship package var watchers: [User]
  @Relationship(deleteRule: .cascade, inverse: \Item.task) package var items: [Item]

  package init(
    id: String = UUID().uuidString, title: String, project: Project?, author: User?, at time: Date
  ) {
    self.id = id
    self.title = title
    self.state = "todo"
    self.stateLabel = "To Do"
    self.createdAt = time
    self.updatedAt = time
    self.project = project
    self.author = author
    self.reviewers = []
    self.watchers = []
    self.items = []
  }
}
