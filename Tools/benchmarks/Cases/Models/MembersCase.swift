import SwiftSync

/// One relationship with as many members as the store has rows: what it costs to add, to remove, to move and to list them.
struct MembersCase: BenchmarkCase {
  let name = "K"
  let summary = "one relationship with all rows as its members: each edit saved by itself, and the list read"

  func run(_ settings: Settings) async throws -> CaseReport {
    let folder = try settings.workFolder(for: name)
    let store = try TrackerStore(at: folder["store"], taskCount: 1)
    let list = try MemberList(store.container, memberCount: settings.rowCount)
    let operations = list.operations
    let result = try await settings.race().run(
      operations.map { operation in .loop(operation.name) { _ = try operation.run() } })
    var report = CaseReport(self, result, ratios: [])
    var costs = ReportTable("allocations", columns: ["each"])
    for operation in operations where result.names.contains(operation.name) {
      costs.add(operation.name, [Double(try operation.cost().allocations)])
    }
    report.tables.append(costs)
    return report
  }
}

/// A project, a context that has its tasks, and another project for those that leave.
private final class MemberList {
  private let container: ModelContainer
  private let context: ModelContext
  private let project: Project
  private let other: Project
  private let identifier: PersistentIdentifier
  private var numbers = PseudoRandom(seed: 13)
  private var strays: [Task] = []
  /// The members, so that choosing one need not read the list.
  private lazy var tasks = project.tasks

  init(_ container: ModelContainer, memberCount: Int) throws {
    self.container = container
    let filling = ModelContext(container)
    let projects = (0..<2).map { Project(id: UUID(), name: "\($0)", updatedAt: .now) }
    for project in projects { filling.insert(project) }
    for number in 0..<memberCount {
      let task = Task(
        id: UUID(&numbers), title: "Task \(number)", state: "open", priority: 1, createdAt: .now, updatedAt: .now)
      filling.insert(task)
      task.project = projects[0]
    }
    try filling.save()
    identifier = projects[0].persistentModelID
    context = ModelContext(container)
    guard let project = context.model(for: identifier) as? Project,
      let other = context.model(for: projects[1].persistentModelID) as? Project
    else { throw MissingProject() }
    (self.project, self.other) = (project, other)
  }

  var operations: [ObjectOperation] {
    [
      ObjectOperation(name: "task.project = nil, and back", run: leaveAndReturn),
      ObjectOperation(name: "append, removeLast", run: appendAndRemove),
      ObjectOperation(name: "list, in a new context", run: listAnew),
      ObjectOperation(name: "count, by a query", run: count),
      ObjectOperation(name: "the first 50, by a query", run: firstOnes),
    ]
  }

  private func leaveAndReturn() throws -> Int {
    let task = tasks[Int(numbers.next() % UInt64(tasks.count))]
    task.project = nil
    try context.save(durability: .relaxed)
    task.project = project
    try context.save(durability: .relaxed)
    return 2
  }

  private func appendAndRemove() throws -> Int {
    let task = strays.popLast() ?? makeTask()
    project.tasks.append(task)
    try context.save(durability: .relaxed)
    strays.append(project.tasks.removeLast())
    try context.save(durability: .relaxed)
    return 2
  }

  private func makeTask() -> Task {
    Task(id: UUID(&numbers), title: "Stray", state: "open", priority: 1, createdAt: .now, updatedAt: .now)
  }

  private func listAnew() throws -> Int {
    (ModelContext(container).model(for: identifier) as? Project)?.tasks.count ?? 0
  }

  private func count() throws -> Int {
    let id = identifier
    _ = try ModelContext(container).fetchCount(
      FetchDescriptor<Task>(predicate: #Predicate { $0.project?.persistentModelID == id }))
    return 1
  }

  private func firstOnes() throws -> Int {
    let id = identifier
    var descriptor = FetchDescriptor<Task>(predicate: #Predicate { $0.project?.persistentModelID == id })
    descriptor.fetchLimit = 50
    return try ModelContext(container).fetch(descriptor).count
  }
}

private struct MissingProject: Error, CustomStringConvertible {
  var description: String { "The project is not stored." }
}
