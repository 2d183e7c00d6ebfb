import SwiftSync
import Testing

@Suite("What several pending changes come to in one save")
struct SavePlanTests {
  private let container: ModelContainer
  private let context: ModelContext

  init() throws {
    container = try trackerContainer()
    context = ModelContext(container)
  }

  private func stored<Model: PersistentModel>(_ type: Model.Type) throws -> [Model] {
    try ModelContext(container).fetch(FetchDescriptor<Model>())
  }

  @Test("An object inserted with the unique value of a deleted one takes its place, and the deletion cascades")
  func replacement() throws {
    let old = Project(id: 1, name: "old")
    let moved = Ticket(id: 1, title: "moved", project: old)
    context.insert(old)
    context.insert(moved)
    context.insert(Ticket(id: 2, title: "left", project: old))
    try context.save()
    let new = Project(id: 1, name: "new")
    context.delete(old)
    context.insert(new)
    moved.project = new
    try context.save()
    #expect(try stored(Project.self).map(\.name) == ["new"])
    #expect(try stored(Ticket.self).map { [$0.title, $0.project?.name] } == [["moved", "new"]])
    #expect(old.isDeleted && !new.isDeleted && new.tickets.map(\.id) == [1])
  }

  @Test("A unique value that an edited object gives up is free for a new one, and the other way round")
  func passedOn() throws {
    let a = Project(id: 1, name: "a")
    let b = Project(id: 2, name: "b")
    let c = Project(id: 3, name: "c")
    for project in [a, b, c] { context.insert(project) }
    try context.save()
    a.id = 10
    context.insert(Project(id: 1, name: "new"))
    context.delete(b)
    c.id = 2
    context.insert(Project(id: 3, name: "other"))
    try context.save()
    let names = try stored(Project.self).map { "\($0.id) \($0.name)" }.sorted()
    #expect(names == ["1 new", "10 a", "2 c", "3 other"])
    #expect(a.id == 10 && c.id == 2)
  }

  @Test("An object that takes over a row is the row's only one")
  func oneObject() throws {
    let old = Project(id: 1, name: "old")
    context.insert(old)
    try context.save()
    let new = Project(id: 1, name: "new")
    context.insert(new)
    try context.save()
    #expect(try context.fetch(FetchDescriptor<Project>()).map { $0 === new } == [true])
    #expect(old.isDeleted)
    let twins = [Project(id: 2, name: "first"), Project(id: 2, name: "second")]
    for twin in twins { context.insert(twin) }
    try context.save()
    #expect(twins.map(\.isDeleted) == [true, false])
    #expect(try stored(Project.self).map(\.name).sorted() == ["new", "second"])
  }

  @Test("A link to a row that another context has deleted is dropped, the other edits are stored")
  func deletedElsewhere() throws {
    let project = Project(id: 1, name: "p")
    let ticket = Ticket(id: 1, title: "t")
    context.insert(project)
    context.insert(ticket)
    try context.save()
    let other = ModelContext(container)
    for project in try other.fetch(FetchDescriptor<Project>()) { other.delete(project) }
    try other.save()
    ticket.project = project
    ticket.title = "edited"
    context.insert(Ticket(id: 2, title: "new", project: project))
    try context.save()
    #expect(try stored(Ticket.self).map { [$0.title, $0.project?.name] } == [["edited", nil], ["new", nil]])
    #expect(ticket.project == nil)
  }

  @Test("An object made with a stored one in its initialiser is stored with it once anybody sees the link")
  func joiningByInitialiser() throws {
    let project = Project(id: 1, name: "p")
    context.insert(project)
    try context.save()
    let ticket = Ticket(id: 1, title: "t", project: project)
    #expect(ticket.project === project && project.tickets.map(\.id) == [1])
    try context.save()
    #expect(try stored(Project.self).map { $0.tickets.map(\.id) } == [[1]])
  }

  @Test("A new object that a rollback forgot is linked again when it is inserted again")
  func insertedAgain() throws {
    let project = Project(id: 1, name: "p")
    context.insert(project)
    try context.save()
    let ticket = Ticket(id: 1, title: "t", project: project)
    context.insert(ticket)
    context.rollback()
    #expect(project.tickets.isEmpty && ticket.project === project && ticket.modelContext == nil)
    context.insert(ticket)
    #expect(project.tickets.map(\.id) == [1])
    try context.save()
    #expect(try stored(Project.self).map { $0.tickets.map(\.id) } == [[1]])
  }
}
