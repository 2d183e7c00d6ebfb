import SwiftSync

// The models of the scenarios by which the library whose API we follow publishes its figures, with names that no other case has.

@Syncable @Model final class Person {
  @Attribute(.unique) var id: Int
  var fullName: String

  init(id: Int, fullName: String) {
    self.id = id
    self.fullName = fullName
  }
}

@Syncable @Model final class Tag {
  @Attribute(.unique) var id: Int
  var name: String

  init(id: Int, name: String) {
    self.id = id
    self.name = name
  }
}

@Syncable @Model final class Reviewer {
  @Attribute(.unique) var id: Int
  var fullName: String

  init(id: Int, fullName: String) {
    self.id = id
    self.fullName = fullName
  }
}

@Syncable @Model final class Board {
  @Attribute(.unique) var id: Int
  var name: String

  init(id: Int, name: String) {
    self.id = id
    self.name = name
  }
}

@Syncable @Model final class BoardTask {
  @Attribute(.unique) var id: Int
  var title: String
  var project: Board?

  init(id: Int, title: String, project: Board?) {
    self.id = id
    self.title = title
    self.project = project
  }
}

@Syncable @Model final class WorkItem {
  @Attribute(.unique) var id: Int
  var title: String
  var assignee: Person?
  @Relationship var tags: [Tag]
  @Relationship var reviewers: [Reviewer]

  init(id: Int, title: String) {
    self.id = id
    self.title = title
    self.tags = []
    self.reviewers = []
  }
}

@Syncable @Model final class SessionTask {
  @Attribute(.unique) var id: Int
  var title: String
  var project: Board?
  var assignee: Person?
  @RemoteKey("tag_ids") @Relationship var tags: [Tag]
  @RemoteKey("watcher_ids") @Relationship var watchers: [Person]

  init(id: Int, title: String, project: Board?) {
    self.id = id
    self.title = title
    self.project = project
    self.tags = []
    self.watchers = []
  }
}

/// A model whose local changes are to be pushed.
@Syncable @Model final class OfflineRow {
  @Attribute(.unique, .preserveValueOnDeletion) var id: String
  var title: String
  var updatedAt: Date

  init(id: String, title: String, updatedAt: Date) {
    self.id = id
    self.title = title
    self.updatedAt = updatedAt
  }
}
