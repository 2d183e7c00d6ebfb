import SwiftSync

/// A project. It can be made, renamed and deleted offline.
@Syncable @Model package final class Project {
  @Attribute(.unique, .preserveValueOnDeletion) package var id: String
  package var name: String
  /// How many tasks the server says it has.
  package var taskCount: Int
  package var createdAt: Date
  package var updatedAt: Date
  /// They go with their project. But as long as a change of one is to be sent, the project stays too, also if the server says that it
  /// is gone.
  @NotExport @Relationship(deleteRule: .cascade, inverse: \Task.project) package var tasks: [Task]

  package init(id: String = UUID().uuidString, name: String, at time: Date) {
    self.id = id
    self.name = name
    self.taskCount = 0
    self.createdAt = time
    self.updatedAt = time
    self.tasks = []
  }
}
