import SwiftSync
import Testing

@Suite("Relationships: both directions, before and after insertion and saving (contract, section 2.2-11 to 2.2-16)")
struct RelationshipTests {
  /// Reads back with a context of its own, so that only what was stored counts.
  private func stored<Model: PersistentModel>(_ type: Model.Type, _ context: ModelContext) throws -> [Model] {
    try ModelContext(context.container).fetch(FetchDescriptor<Model>())
  }

  @Test("Assigning the to-one side shows on the to-many side at once, and is stored")
  func toOneSide() throws {
    let context = ModelContext(try trackerContainer())
    let a = Project(id: 1, name: "a")
    let b = Project(id: 2, name: "b")
    let ticket = Ticket(id: 1, title: "t", project: a)
    context.insert(a)
    context.insert(b)
    context.insert(ticket)
    #expect(a.tickets.map(\.id) == [1])
    try context.save()
    #expect(a.tickets.map(\.id) == [1])
    ticket.project = b
    #expect(a.tickets.isEmpty && b.tickets.map(\.id) == [1])
    try context.save()
    let projects = try ModelContext(context.container).fetch(FetchDescriptor<Project>(sortBy: [SortDescriptor(\.id)]))
    #expect(projects.map { $0.tickets.count } == [0, 1])
    #expect(try stored(Ticket.self, context).first?.project?.id == 2)
  }

  @Test("Assigning the to-many side shows on the to-one side at once, and takes members from their previous owner")
  func toManySide() throws {
    let context = ModelContext(try trackerContainer())
    let tickets = (1...4).map { Ticket(id: $0, title: "t\($0)") }
    let a = Project(id: 1, name: "a", tickets: [tickets[0], tickets[1]])
    let b = Project(id: 2, name: "b", tickets: [tickets[2]])
    context.insert(a)
    context.insert(b)
    try context.save()
    #expect(tickets.map { $0.project?.id } == [1, 1, 2, nil])
    b.tickets = [tickets[3], tickets[0], tickets[2]]
    #expect(a.tickets.map(\.id) == [2])
    #expect(tickets.map { $0.project?.id } == [2, 1, 2, 2])
    try context.save()
    let projects = try ModelContext(context.container).fetch(FetchDescriptor<Project>(sortBy: [SortDescriptor(\.id)]))
    #expect(projects.map { $0.tickets.map(\.id) } == [[2], [4, 1, 3]])
  }

  @Test("Objects related before any is inserted are all stored by inserting one (2.2-12, 2.2-16)")
  func reachability() throws {
    let context = ModelContext(try trackerContainer())
    let ticket = Ticket(id: 1, title: "t", project: Project(id: 1, name: "p"), assignee: Person(id: "u", name: "U"))
    ticket.labels = [Label(text: "bug")]
    ticket.watchers = [Watcher(address: "x")]
    context.insert(ticket)
    try context.save()
    #expect(try stored(Project.self, context).count == 1)
    #expect(try stored(Person.self, context).first?.assignedTickets.map(\.id) == [1])
    #expect(try stored(Label.self, context).first?.tickets.map(\.id) == [1])
    #expect(try stored(Watcher.self, context).map(\.address) == ["x"])
    ticket.watchers.append(Watcher(address: "y"))
    try context.save()
    #expect(try stored(Ticket.self, context).first?.watchers.map(\.address) == ["x", "y"])
  }

  @Test("Two relationships between one pair of models do not disturb each other")
  func independentPairs() throws {
    let context = ModelContext(try trackerContainer())
    let ann = Person(id: "ann", name: "Ann")
    let bob = Person(id: "bob", name: "Bob")
    let ticket = Ticket(id: 1, title: "t", assignee: ann)
    ticket.reviewer = bob
    context.insert(ticket)
    try context.save()
    #expect(ann.assignedTickets.map(\.id) == [1] && ann.reviewedTickets.isEmpty)
    #expect(bob.reviewedTickets.map(\.id) == [1] && bob.assignedTickets.isEmpty)
    bob.assignedTickets = [ticket]
    #expect(ticket.assignee === bob && ann.assignedTickets.isEmpty && ticket.reviewer === bob)
  }

  @Test("Many-to-many: members are shared, and both sides can be edited")
  func manyToMany() throws {
    let context = ModelContext(try trackerContainer())
    let labels = ["a", "b", "c"].map { Label(text: $0) }
    let tickets = (1...2).map { Ticket(id: $0, title: "t\($0)") }
    for ticket in tickets { context.insert(ticket) }
    tickets[0].labels = [labels[2], labels[0]]
    tickets[1].labels = [labels[0], labels[1]]
    #expect(labels[0].tickets.map(\.id) == [1, 2])
    try context.save()
    labels[0].tickets = [tickets[1]]
    #expect(tickets[0].labels.map(\.text) == ["c"])
    try context.save()
    let reread = try ModelContext(context.container).fetch(FetchDescriptor<Ticket>(sortBy: [SortDescriptor(\.id)]))
    #expect(reread.map { $0.labels.map(\.text) } == [["c"], ["a", "b"]])
  }

  @Test("One-to-one: taking a partner leaves the previous ones without")
  func oneToOne() throws {
    let context = ModelContext(try trackerContainer())
    let ann = Traveller(name: "Ann")
    let bob = Traveller(name: "Bob")
    let first = Passport(number: "1")
    let second = Passport(number: "2")
    for model in [ann, bob] { context.insert(model) }
    for model in [first, second] { context.insert(model) }
    first.owner = ann
    second.owner = bob
    #expect(ann.passport === first && bob.passport === second)
    try context.save()
    ann.passport = second
    #expect(first.owner == nil && second.owner === ann && bob.passport == nil)
    try context.save()
    let travellers = try ModelContext(context.container).fetch(
      FetchDescriptor<Traveller>(sortBy: [SortDescriptor(\.name)]))
    #expect(travellers.map { $0.passport?.number } == ["2", nil])
  }

  @Test("A self-referencing to-one is not its own inverse; a tree keeps both directions; cycles are stored")
  func selfReferences() throws {
    let context = ModelContext(try trackerContainer())
    let nodes = (1...3).map { Node(id: $0) }
    nodes[0].next = nodes[1]
    nodes[1].next = nodes[0]
    nodes[1].parent = nodes[0]
    nodes[0].children.append(nodes[2])
    context.insert(nodes[0])
    #expect(nodes[2].parent === nodes[0] && nodes[2].next == nil)
    try context.save()
    let reread = try ModelContext(context.container).fetch(FetchDescriptor<Node>(sortBy: [SortDescriptor(\.id)]))
    #expect(reread.map { $0.next?.id } == [2, 1, nil])
    #expect(reread[0].children.map(\.id) == [2, 3] && reread.map { $0.parent?.id } == [nil, 1, 1])
  }

  @Test("2.2-15 A to-many reads in the order in which it was assigned, also after saving it again")
  func order() throws {
    let context = ModelContext(try trackerContainer())
    let tickets = (1...5).map { Ticket(id: $0, title: "t") }
    let project = Project(id: 1, name: "p", tickets: [3, 1, 5, 2, 4].map { tickets[$0 - 1] })
    context.insert(project)
    try context.save()
    #expect(project.tickets.map(\.id) == [3, 1, 5, 2, 4])
    project.tickets = [4, 3, 2].map { tickets[$0 - 1] }
    try context.save()
    #expect(try stored(Project.self, context).first?.tickets.map(\.id) == [4, 3, 2])
    project.tickets = [tickets[1], tickets[1], tickets[0]]
    #expect(project.tickets.map(\.id) == [2, 1])
  }

  @Test("2.2-11 Deleting cascades where it says so and nullifies elsewhere, in the store and in registered objects")
  func deleteRules() throws {
    let context = ModelContext(try trackerContainer())
    let ann = Person(id: "ann", name: "Ann")
    let project = Project(
      id: 1, name: "p", tickets: [Ticket(id: 1, title: "a", assignee: ann), Ticket(id: 2, title: "b")])
    let other = Ticket(id: 3, title: "c", assignee: ann)
    context.insert(project)
    context.insert(other)
    try context.save()
    let doomed = project.tickets[0]
    context.delete(project)
    #expect(doomed.project == nil)
    try context.save()
    #expect(doomed.isDeleted && project.isDeleted)
    #expect(ann.assignedTickets.map(\.id) == [3])
    #expect(try stored(Ticket.self, context).map(\.id) == [3])
    context.delete(ann)
    try context.save()
    #expect(other.assignee == nil && !other.isDeleted)
    #expect(try stored(Ticket.self, context).first?.assignee == nil)
  }

  @Test("An object related to one of a context belongs to that context")
  func joiningAContext() throws {
    let context = ModelContext(try trackerContainer())
    let project = Project(id: 1, name: "p")
    context.insert(project)
    try context.save()
    let ticket = Ticket(id: 1, title: "t")
    ticket.project = project
    #expect(ticket.modelContext === context)
    try context.save()
    #expect(try stored(Project.self, context).first?.tickets.map(\.id) == [1])
  }

  @Test("An object of another container is refused by name, and the edits stay")
  func foreignObject() throws {
    let context = ModelContext(try trackerContainer())
    let foreign = Project(id: 1, name: "foreign")
    let elsewhere = ModelContext(try trackerContainer())
    elsewhere.insert(foreign)
    try elsewhere.save()
    let ticket = Ticket(id: 1, title: "t")
    context.insert(ticket)
    ticket.project = foreign
    #expect(throws: ModelError.foreignObject(entity: "Project", identifier: "\(foreign.persistentModelID)")) {
      try context.save()
    }
    #expect(context.hasChanges)
    ticket.project = nil
    try context.save()
    #expect(try stored(Ticket.self, context).count == 1)
  }

  @Test("A class that the container does not know is refused by the save")
  func unknownModel() throws {
    let container = try ModelContainer(
      for: LooseNote.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    let context = ModelContext(container)
    context.insert(Watcher(address: "x"))
    #expect(throws: ModelError.unknownModel("Watcher")) { try context.save() }
    #expect(throws: ModelError.unknownModel("Watcher")) { try context.fetch(FetchDescriptor<Watcher>()) }
  }
}
