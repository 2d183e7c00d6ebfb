import SwiftSync

/// A store full of tracker objects, made by a context, for the cases that read and edit objects.
///
/// For n tasks there are n / 100 projects and n / 50 users. Everything follows from the number of a row.
struct TrackerStore {
  let container: ModelContainer
  let taskIDs: [UUID]
  let projects: [PersistentIdentifier]

  private static let batchSize = 10_000
  private static let states = ["open", "doing", "review", "blocked", "done", "dropped"]

  init(at path: String, taskCount: Int) throws {
    let configuration = ModelConfiguration(url: URL(fileURLWithPath: path), durability: .relaxed)
    container = try ModelContainer(for: Task.self, IndexedTask.self, configurations: configuration)
    var numbers = PseudoRandom(seed: 7)

    let context = ModelContext(container)
    let projects = (0..<max(1, taskCount / 100)).map { number in
      Project(id: UUID(&numbers), name: "Project \(number)", updatedAt: Date(&numbers))
    }
    let users = (0..<max(1, taskCount / 50)).map { number in
      User(
        id: UUID(&numbers), displayName: "User \(number)", email: "user\(number)@example.com",
        updatedAt: Date(&numbers))
    }
    for project in projects { context.insert(project) }
    for user in users { context.insert(user) }
    try context.save()
    self.projects = projects.map(\.persistentModelID)

    var taskIDs: [UUID] = []
    for start in stride(from: 0, to: taskCount, by: Self.batchSize) {
      for number in start..<min(taskCount, start + Self.batchSize) {
        let task = Task(
          id: UUID(&numbers), title: "Task \(number) of the tracker, with a title of usual length",
          state: Self.states[Int(numbers.next() % 6)], priority: Int(numbers.next() % 5), createdAt: Date(&numbers),
          updatedAt: Date(&numbers))
        context.insert(task)
        task.project = projects[Int(numbers.next() % UInt64(projects.count))]
        task.assignee = users[Int(numbers.next() % UInt64(users.count))]
        taskIDs.append(task.id)
        context.insert(IndexedTask(like: task))
      }
      try context.save()
    }
    self.taskIDs = taskIDs
  }
}

extension Date {
  /// A second of the ten years from 2016 on.
  fileprivate init(_ numbers: inout PseudoRandom) {
    self.init(timeIntervalSince1970: 1_451_606_400 + Double(numbers.next() % 315_360_000))
  }
}
