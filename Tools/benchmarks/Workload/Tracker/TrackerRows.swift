import Foundation

/// The rows of an issue tracker at one moment.
struct TrackerRows {
  struct User {
    var id: UUID
    var displayName: String
    var email: String
    var updatedAt: Int
  }

  struct Project {
    var id: UUID
    var name: String
    var updatedAt: Int
  }

  struct Task {
    var id: UUID
    var title: String
    var description: String?
    var state: String
    var priority: Int
    var createdAt: Int
    var updatedAt: Int
    var project: UUID
    var assignee: UUID?
    var reviewers: [UUID]
    var watchers: [UUID]
  }

  var users: [User]
  var projects: [Project]
  var tasks: [Task]
}
