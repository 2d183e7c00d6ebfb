import SwiftSync

/// A state that a task can be in. They come from the server.
@Syncable @Model package final class TaskStateOption {
  @Attribute(.unique) package var id: String
  package var label: String
  package var sortOrder: Int
  package var createdAt: Date
  package var updatedAt: Date

  package init(id: String, label: String, sortOrder: Int, at time: Date) {
    self.id = id
    self.label = label
    self.sortOrder = sortOrder
    self.createdAt = time
    self.updatedAt = time
  }
}
