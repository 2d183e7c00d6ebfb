import SwiftSync

/// A user as the server keeps it. Users are given; no request changes them.
@Syncable @Model final class StoredUser {
  @Attribute(.unique) var id: String
  var displayName: String
  var createdAt: Int
  var updatedAt: Int

  init(id: String, displayName: String, createdAt: Int) {
    self.id = id
    self.displayName = displayName
    self.createdAt = createdAt
    self.updatedAt = createdAt
  }
}
