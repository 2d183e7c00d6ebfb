import SwiftSync

/// An item of a task's checklist. It travels with its task, so whoever changes one changes the task, too.
@Syncable @Model package final class Item {
  @Attribute(.unique) package var id: String
  package var title: String
  package var position: Int
  package var createdAt: Date
  package var updatedAt: Date
  @NotExport package var task: Task?

  package init(id: String = UUID().uuidString, title: String, position: Int, task: Task?, at time: Date) {
    self.id = id
    self.title = title
    self.position = position
    self.createdAt = time
    self.updatedAt = time
    self.task = task
  }
}
