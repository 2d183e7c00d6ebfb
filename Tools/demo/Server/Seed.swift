import DemoWire
import SwiftSync

/// What a new server begins with.
package struct Seed: Sendable {
  package struct User: Sendable {
    package var id: String
    package var name: String

    package init(id: String, name: String) {
      self.id = id
      self.name = name
    }
  }

  package struct Project: Sendable {
    package var id: String
    package var name: String

    package init(id: String, name: String) {
      self.id = id
      self.name = name
    }
  }

  /// A task, with users and the project by their places in the lists.
  package struct Task: Sendable {
    package var title: String
    package var project: Int
    package var author: Int
    package var assignee: Int?
    package var reviewers: [Int] = []
    package var watchers: [Int] = []
    package var state = "todo"
    package var items: [String] = []
  }

  package var users: [User]
  package var projects: [Project]
  package var tasks: [Task]

  package init(users: [User] = [], projects: [Project] = [], tasks: [Task] = []) {
    self.users = users
    self.projects = projects
    self.tasks = tasks
  }

  /// 2025-01-01T00:00:00Z. What follows is a minute later each.
  private static let start = 1_735_689_600_000
  private static let minute = 60_000

  /// An identity that is the same in every new server.
  package static func id(_ kind: Int, _ number: Int) -> String {
    "C3E7A1B2-\(kind)001-4000-8000-" + String(1_000_000_000_001 + number).dropFirst()
  }

  /// Fills a store that has nothing.
  func plant(in session: Session) throws {
    let context = session.context
    guard try context.fetchCount(FetchDescriptor<StoredUser>()) == 0 else { return }
    for (number, user) in users.enumerated() {
      context.insert(
        StoredUser(id: user.id, displayName: user.name, createdAt: Self.start + number * Self.minute))
    }
    for (number, project) in projects.enumerated() {
      let time = Self.start + number * Self.minute
      context.insert(StoredProject(id: project.id, name: project.name, createdAt: time, updatedAt: time))
    }
    var itemCount = 0
    for (number, task) in tasks.enumerated() {
      let time = Timestamp(milliseconds: Self.start + number * Self.minute)
      let items: [[String: Any]] = task.items.map { title in
        itemCount += 1
        return ["id": Self.id(4, itemCount - 1), "title": title]
      }
      let values: [String: Any] = [
        "title": task.title, "state": ["id": task.state], "project_id": projects[task.project].id,
        "author_id": users[task.author].id, "assignee_id": task.assignee.map { users[$0].id } ?? NSNull(),
        "reviewer_ids": task.reviewers.map { users[$0].id }, "watcher_ids": task.watchers.map { users[$0].id },
        "items": items,
      ]
      try TaskDraft(Fields(values.mapValues(SyncJSON.init))).apply(
        to: nil, id: Self.id(3, number), at: time, in: session)
    }
    try context.save()
  }
}
