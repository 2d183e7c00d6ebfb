import SwiftSync

/// A project as the server keeps it. Times are in milliseconds, as they came.
@Syncable @Model final class StoredProject {
  @Attribute(.unique) var id: String
  var name: String
  var createdAt: Int
  var updatedAt: Int
  /// When it was deleted. The row stays, so that what is older than the deletion cannot bring it back.
  var deletedAt: Int?
  @Relationship(inverse: \StoredTask.project) var tasks: [StoredTask]

  init(id: String, name: String, createdAt: Int, updatedAt: Int) {
    self.id = id
    self.name = name
    self.createdAt = createdAt
    self.updatedAt = updatedAt
    self.tasks = []
  }
}
