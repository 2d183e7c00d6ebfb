import SwiftSync

/// A project. It can be made, renamed and deleted offline.
@Syncable @Model package final class Project {
  @Attribute(.unique, .preserveValueOnDeletion) package var id: String
  package var name: String
  /// How many tasks the server says it has.
  package var taskCount: Int
  package var createdAt: Date
  package var updatedAt: Date
  /// They outlive a project that the server says is gone: one of them may have been made offline, and must not vanish unseen.
  @NotExport @Relationship(inverse: \Task.project) package var tasks: [Task]

  package init(id: String = UUID().uuidString, name: String, at time: Date) {
    self.id = id
    self.name = name
    self.taskCount = 0
    self.createdAt = time
    self.updatedAt = time
    self.tasks = []
  }
}
