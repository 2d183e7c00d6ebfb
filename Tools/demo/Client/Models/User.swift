import SwiftSync

/// Somebody who works on tasks. Users come from the server.
@Syncable @Model package final class User {
  @Attribute(.unique) package var id: String
  package var displayName: String
  package var createdAt: Date
  package var updatedAt: Date

  package init(id: String, displayName: String, at time: Date) {
    self.id = id
    self.displayName = displayName
    self.createdAt = time
    self.updatedAt = time
  }
}
