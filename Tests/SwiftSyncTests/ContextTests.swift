import Foundation
import SwiftSync
import TestSupport
import Testing

@Suite("A context: what it stores, shows and forgets (contract, section 2.2)")
struct ContextTests {
  @Test("2.2-1 A row has one object in a context")
  func identityMap() throws {
    let context = ModelContext(try trackerContainer())
    let project = Project(id: 1, name: "One")
    context.insert(project)
    try context.save()
    let first = try #require(try context.fetch(FetchDescriptor<Project>()).first)
    #expect(first === project)
    #expect(try context.fetch(FetchDescriptor<Project>()).first === first)
    #expect(context.model(for: project.persistentModelID) as? Project === project)
    let registered: Project? = context.registeredModel(for: project.persistentModelID)
    #expect(registered === project)
  }

  @Test("2.2-2 A fetch brings registered objects up to date, to-many membership included")
  func refreshOnFetch() throws {
    let container = try trackerContainer()
    let reader = ModelContext(container)
    let writer = ModelContext(container)
    let project = Project(id: 1, name: "Before", tickets: [Ticket(id: 1, title: "a")])
    writer.insert(project)
    try writer.save()

    let seen = try #require(try reader.fetch(FetchDescriptor<Project>()).first)
    #expect(seen.name == "Before" && seen.tickets.map(\.id) == [1])
    project.name = "After"
    project.tickets.append(Ticket(id: 2, title: "b"))
    try writer.save()
    #expect(seen.name == "Before")
    let again = try reader.fetch(FetchDescriptor<Project>()).first
    #expect(again === seen)
    #expect(seen.name == "After" && seen.tickets.map(\.id) == [1, 2])
  }

  @Test("2.2-4 A fetch sees unsaved inserts, judges by unsaved edits and leaves out unsaved deletes")
  func pendingStateInFetches() throws {
    let context = ModelContext(try trackerContainer())
    for id in 1...3 { context.insert(Project(id: id, name: "p\(id)")) }
    try context.save()
    let stored = try context.fetch(FetchDescriptor<Project>(sortBy: [SortDescriptor(\.id)]))
    stored[0].name = "edited"
    context.delete(stored[1])
    context.insert(Project(id: 4, name: "new"))

    let all = try context.fetch(FetchDescriptor<Project>(sortBy: [SortDescriptor(\.id)]))
    #expect(all.map(\.name) == ["edited", "p3", "new"])
    #expect(try context.fetchCount(FetchDescriptor<Project>()) == 3)
    let edited = FetchDescriptor<Project>(predicate: #Predicate { $0.name == "edited" })
    #expect(try context.fetch(edited).map(\.id) == [1])
    let original = FetchDescriptor<Project>(predicate: #Predicate { $0.name == "p1" })
    #expect(try context.fetch(original).isEmpty)
  }

  @Test("2.2-5 Unsaved state stays in its context")
  func isolation() throws {
    let container = try trackerContainer()
    let one = ModelContext(container)
    let other = ModelContext(container)
    let project = Project(id: 1, name: "saved")
    one.insert(project)
    try one.save()
    project.name = "unsaved"
    one.insert(Project(id: 2, name: "unsaved too"))
    #expect(try other.fetch(FetchDescriptor<Project>()).map(\.name) == ["saved"])
  }

  @Test("2.2-6 Rollback forgets edits, inserts and deletes")
  func rollback() throws {
    let context = ModelContext(try trackerContainer())
    let kept = Project(id: 1, name: "kept")
    let removed = Project(id: 2, name: "removed")
    context.insert(kept)
    context.insert(removed)
    try context.save()
    kept.name = "changed"
    context.delete(removed)
    let new = Project(id: 3, name: "new")
    context.insert(new)
    #expect(context.hasChanges)
    context.rollback()
    #expect(!context.hasChanges && new.modelContext == nil && !removed.isDeleted)
    let names = try context.fetch(FetchDescriptor<Project>(sortBy: [SortDescriptor(\.id)])).map(\.name)
    #expect(names == ["kept", "removed"])
  }

  @Test("2.2-7 A new object whose unique value is stored becomes that row")
  func uniqueUpsert() throws {
    let context = ModelContext(try trackerContainer())
    let old = Ticket(id: 1, title: "old", project: Project(id: 1, name: "a"))
    old.estimate = 4
    context.insert(old)
    try context.save()
    let identifier = old.persistentModelID
    context.insert(Ticket(id: 1, title: "new", project: Project(id: 2, name: "b")))
    try context.save()
    let tickets = try ModelContext(context.container).fetch(FetchDescriptor<Ticket>())
    #expect(tickets.count == 1)
    #expect(tickets.first?.title == "new" && tickets.first?.project?.id == 2 && tickets.first?.estimate == nil)
    #expect(tickets.first?.persistentModelID == identifier)
  }

  @Test("B-44 Two unsaved objects with one identity end as one row")
  func twoInsertsOneIdentity() throws {
    let context = ModelContext(try trackerContainer())
    context.insert(Project(id: 1, name: "first"))
    context.insert(Project(id: 1, name: "second"))
    try context.save()
    #expect(try ModelContext(context.container).fetch(FetchDescriptor<Project>()).map(\.name) == ["second"])
  }

  @Test("B-44 An edit that makes a unique value collide is a conflict that names both rows, and nothing is lost")
  func uniqueConflict() throws {
    let context = ModelContext(try trackerContainer())
    let one = Project(id: 1, name: "one")
    let two = Project(id: 2, name: "two")
    context.insert(one)
    context.insert(two)
    try context.save()
    two.id = 1
    two.name = "edited"
    #expect(throws: RecordError.self) { try context.save() }
    #expect(context.hasChanges && two.name == "edited")
    #expect(
      try ModelContext(context.container).fetch(FetchDescriptor<Project>(sortBy: [SortDescriptor(\.id)])).map(\.name)
        == ["one", "two"])
    two.id = 3
    try context.save()
    #expect(try ModelContext(context.container).fetchCount(FetchDescriptor<Project>()) == 2)
  }

  @Test("2.2-8 Without a unique attribute equal identities coexist")
  func duplicatesAllowed() throws {
    let context = ModelContext(try trackerContainer())
    for text in ["a", "b", "c"] { context.insert(LooseNote(id: 1, text: text)) }
    try context.save()
    #expect(try context.fetchCount(FetchDescriptor<LooseNote>()) == 3)
  }

  @Test("2.2-17 An edit of a row that another context has deleted is dropped, the rest is saved")
  func deleteWhileEditing() throws {
    let container = try trackerContainer()
    let one = ModelContext(container)
    let other = ModelContext(container)
    let project = Project(id: 1, name: "doomed")
    one.insert(project)
    try one.save()
    project.name = "edited"
    one.insert(Project(id: 2, name: "new"))
    let elsewhere = try #require(try other.fetch(FetchDescriptor<Project>()).first)
    other.delete(elsewhere)
    try other.save()
    try one.save()
    #expect(try ModelContext(container).fetch(FetchDescriptor<Project>()).map(\.id) == [2])
    #expect(project.isDeleted)
  }

  @Test("2.2-18 The last save wins, attribute by attribute")
  func lastWriterWins() throws {
    let container = try trackerContainer()
    let one = ModelContext(container)
    let other = ModelContext(container)
    let ticket = Ticket(id: 1, title: "t")
    one.insert(ticket)
    try one.save()
    let same = try #require(try other.fetch(FetchDescriptor<Ticket>()).first)
    ticket.title = "one"
    same.title = "other"
    same.estimate = 2
    try one.save()
    try other.save()
    let stored = try #require(try ModelContext(container).fetch(FetchDescriptor<Ticket>()).first)
    #expect(stored.title == "other" && stored.estimate == 2)
  }

  @Test("2.2-20 The identifier of an unsaved object equals no stored one; saving settles it across contexts")
  func identifiers() throws {
    let container = try trackerContainer()
    let context = ModelContext(container)
    let project = Project(id: 1, name: "p")
    let unsaved = project.persistentModelID
    #expect(unsaved.isTemporary && unsaved == project.persistentModelID)
    context.insert(project)
    try context.save()
    #expect(project.persistentModelID != unsaved && !project.persistentModelID.isTemporary)
    let other = try ModelContext(container).fetch(FetchDescriptor<Project>()).first
    #expect(other?.persistentModelID == project.persistentModelID)
  }

  @Test("2.2-24 model(for:) gives an object for any identifier, of the right class")
  func modelForAnyIdentifier() throws {
    let container = try trackerContainer()
    let context = ModelContext(container)
    let project = Project(id: 1, name: "p")
    context.insert(project)
    try context.save()
    let identifier = project.persistentModelID
    context.delete(project)
    try context.save()
    let ghost = ModelContext(container).model(for: identifier)
    #expect(ghost is Project && ghost.isDeleted)
  }

  @Test("An object that was deleted before it was saved is forgotten; deleting twice is harmless (2.2-19)")
  func deleteUnsavedAndTwice() throws {
    let context = ModelContext(try trackerContainer())
    let project = Project(id: 1, name: "p")
    context.insert(project)
    context.delete(project)
    #expect(!context.hasChanges)
    let other = Project(id: 2, name: "q")
    context.insert(other)
    try context.save()
    context.delete(other)
    context.delete(other)
    try context.save()
    context.delete(other)
    try context.save()
    #expect(try context.fetchCount(FetchDescriptor<Project>()) == 0)
  }

  @Test("Sort, offset and limit, alone and together")
  func sortOffsetLimit() throws {
    let context = ModelContext(try trackerContainer())
    for id in [5, 3, 9, 1, 7] { context.insert(Project(id: id, name: "n\(id % 3)")) }
    try context.save()
    var descriptor = FetchDescriptor<Project>(sortBy: [SortDescriptor(\.name), SortDescriptor(\.id, order: .reverse)])
    #expect(try context.fetch(descriptor).map(\.id) == [9, 3, 7, 1, 5])
    descriptor.fetchOffset = 1
    descriptor.fetchLimit = 3
    #expect(try context.fetch(descriptor).map(\.id) == [3, 7, 1])
    #expect(try context.fetchCount(descriptor) == 3)
    descriptor.fetchOffset = 4
    #expect(try context.fetchCount(descriptor) == 1)
    descriptor.fetchLimit = 0
    #expect(try context.fetch(descriptor).isEmpty)
    var any = FetchDescriptor<Project>()
    any.fetchLimit = 2
    #expect(try context.fetch(any).count == 2)
    any.fetchOffset = 4
    #expect(try context.fetch(any).count == 1)
  }

  @Test("A store on disk keeps what was saved, and nothing else, across containers")
  func persistence() throws {
    let folder = try TemporaryFolder()
    let configuration = ModelConfiguration(url: URL(fileURLWithPath: folder["a/b.store"]))
    do {
      let container = try ModelContainer(for: Project.self, configurations: configuration)
      let context = ModelContext(container)
      context.insert(Project(id: 1, name: "saved", tickets: [Ticket(id: 7, title: "t")]))
      try context.save()
      context.insert(Project(id: 2, name: "unsaved"))
      container.close()
    }
    let context = ModelContext(try ModelContainer(for: Project.self, configurations: configuration))
    let projects = try context.fetch(FetchDescriptor<Project>())
    #expect(projects.map(\.name) == ["saved"] && projects.first?.tickets.map(\.id) == [7])
  }

  @Test("A deleted object that is inserted again is a new row with its values")
  func reinsert() throws {
    let context = ModelContext(try trackerContainer())
    let ticket = Ticket(id: 1, title: "t")
    ticket.estimate = 3
    context.insert(ticket)
    try context.save()
    let identifier = ticket.persistentModelID
    context.delete(ticket)
    try context.save()
    context.insert(ticket)
    try context.save()
    #expect(ticket.persistentModelID != identifier && !ticket.isDeleted)
    let stored = try ModelContext(context.container).fetch(FetchDescriptor<Ticket>())
    #expect(stored.map(\.title) == ["t"] && stored.first?.estimate == 3)
  }

  @Test("A deletion that is not saved can be taken back")
  func undelete() throws {
    let context = ModelContext(try trackerContainer())
    let project = Project(id: 1, name: "p")
    context.insert(project)
    try context.save()
    context.delete(project)
    context.insert(project)
    #expect(!project.isDeleted && !context.hasChanges)
    #expect(try context.fetchCount(FetchDescriptor<Project>()) == 1)
  }

  @Test("An object that is unsaved elsewhere is refused by the save; one of another context is deleted by its row")
  func otherContexts() throws {
    let container = try trackerContainer()
    let one = ModelContext(container)
    let other = ModelContext(container)
    let project = Project(id: 1, name: "p")
    one.insert(project)
    other.insert(project)
    #expect(throws: ModelError.self) { try other.save() }
    other.rollback()
    try one.save()
    other.insert(project)
    #expect(!other.hasChanges)
    other.delete(project)
    try other.save()
    #expect(try one.fetchCount(FetchDescriptor<Project>()) == 0)
  }

  @Test("An object of another context is related by way of this context's object of its row")
  func crossContextAssignment() throws {
    let container = try trackerContainer()
    let one = ModelContext(container)
    let other = ModelContext(container)
    let project = Project(id: 1, name: "p")
    one.insert(project)
    try one.save()
    let ticket = Ticket(id: 1, title: "t")
    other.insert(ticket)
    ticket.project = project
    #expect(ticket.project !== project && ticket.project?.modelContext === other)
    #expect(ticket.project?.tickets.map(\.id) == [1] && project.tickets.isEmpty)
    try other.save()
    _ = try one.fetch(FetchDescriptor<Project>())
    #expect(project.tickets.map(\.id) == [1])
  }

  @Test("A relationship that cannot be read is empty, and the next fetch or save throws why, once")
  func unreadableRelationship() throws {
    let container = try trackerContainer()
    let context = ModelContext(container)
    let project = Project(id: 1, name: "p", tickets: [Ticket(id: 1, title: "t")])
    context.insert(project)
    try context.save()
    container.close()
    #expect(project.name == "p" && project.tickets.isEmpty)
    project.name = "edited"
    #expect(throws: StoreError.self) { try context.save() }
    #expect(context.hasChanges)
  }

  @Test("An object that stands for no row can be read: its values are stand-ins")
  func ghost() throws {
    let container = try trackerContainer()
    let context = ModelContext(container)
    let ticket = Ticket(id: 1, title: "t")
    context.insert(ticket)
    try context.save()
    let identifier = ticket.persistentModelID
    context.delete(ticket)
    try context.save()
    #expect(ticket.title == "t" && ticket.isDeleted)
    let ghost = try #require(ModelContext(container).model(for: identifier) as? Ticket)
    #expect(ghost.isDeleted && ghost.id == 0 && ghost.title == "" && ghost.state == .open && ghost.project == nil)
    #expect(ghost.labels.isEmpty)
  }
}
