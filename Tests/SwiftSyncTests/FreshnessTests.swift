import Contexts
import Foundation
import Records
import Synchronization
import Testing

@testable import SwiftSync

/// Writes with a context of its own, off the main actor.
private actor Background {
  private let container: ModelContainer

  init(_ container: ModelContainer) {
    self.container = container
  }

  func write(_ edit: @Sendable (ModelContext) throws -> Void) throws {
    let context = ModelContext(container)
    try edit(context)
    try context.save()
  }

  func rename(_ id: Int, to name: String) throws {
    try write { context in
      let found = try context.fetch(FetchDescriptor<Project>(predicate: #Predicate { $0.id == id }))
      for project in found { project.name = name }
    }
  }
}

@Suite("Retained objects are brought up to date in place (contract README, 2.2-3)")
struct FreshnessTests {
  @Test(
    "A context of one's own takes in what others have saved at every call that looks at the store", arguments: 0..<6)
  func atCalls(call: Int) throws {
    let container = try trackerContainer()
    let reader = ModelContext(container)
    let writer = ModelContext(container)
    let project = Project(id: 1, name: "before")
    writer.insert(project)
    try writer.save()
    let seen = try #require(try reader.fetch(FetchDescriptor<Project>()).first)
    project.name = "after"
    try writer.save()
    #expect(seen.name == "before")
    switch call {
    case 0: reader.processPendingChanges()
    case 1: try reader.save()
    case 2: reader.rollback()
    case 3: _ = reader.model(for: project.persistentModelID)
    case 4: _ = try reader.fetchCount(FetchDescriptor<LooseNote>())
    default: _ = try reader.fetch(FetchDescriptor<LooseNote>())
    }
    #expect(seen.name == "after")
  }

  @Test("The main context is up to date when the main actor goes on after a call that wrote elsewhere")
  @MainActor func afterWritesElsewhere() async throws {
    let container = try trackerContainer()
    let background = Background(container)
    let context = container.mainContext
    let project = Project(id: 1, name: "0", tickets: [Ticket(id: 1, title: "t")])
    context.insert(project)
    try context.save()
    for turn in 1...100 {
      try await background.rename(1, to: "\(turn)")
      #expect(project.name == "\(turn)")
    }
    try await background.write { context in
      for ticket in try context.fetch(FetchDescriptor<Ticket>()) { context.delete(ticket) }
      for project in try context.fetch(FetchDescriptor<Project>()) { project.tickets = [Ticket(id: 2, title: "u")] }
    }
    #expect(project.tickets.map(\.id) == [2])
    try await background.write { context in
      for project in try context.fetch(FetchDescriptor<Project>()) { context.delete(project) }
    }
    #expect(project.isDeleted && project.name == "100")
  }

  @Test("The main context is up to date when a save of another context on the main actor returns")
  @MainActor func afterSavesOnTheMainActor() throws {
    let container = try trackerContainer()
    let project = Project(id: 1, name: "before")
    container.mainContext.insert(project)
    try container.mainContext.save()
    let other = ModelContext(container)
    let same = try #require(try other.fetch(FetchDescriptor<Project>()).first)
    same.name = "after"
    #expect(project.name == "before")
    try other.save()
    #expect(project.name == "after")
  }

  @Test("Nothing changes in the middle of synchronous code")
  @MainActor func notInBetween() async throws {
    let container = try trackerContainer()
    let project = Project(id: 1, name: "before")
    container.mainContext.insert(project)
    try container.mainContext.save()
    let background = Background(container)
    let isDone = DispatchSemaphore(value: 0)
    let write = Task.detached {
      try await background.rename(1, to: "after")
      isDone.signal()
    }
    wait(for: isDone)
    #expect(project.name == "before")
    try await write.value
    await Task.yield()
    #expect(project.name == "after")
  }

  private func wait(for semaphore: DispatchSemaphore) {
    semaphore.wait()
  }

  @Test("An object with edits keeps them, and after a rollback shows what the store has by then")
  func edited() throws {
    let container = try trackerContainer()
    let one = ModelContext(container)
    let other = ModelContext(container)
    let ticket = Ticket(id: 1, title: "before")
    one.insert(ticket)
    try one.save()
    let same = try #require(try other.fetch(FetchDescriptor<Ticket>()).first)
    ticket.title = "mine"
    same.title = "theirs"
    same.estimate = 3
    try other.save()
    one.processPendingChanges()
    #expect(ticket.title == "mine" && ticket.estimate == nil)
    one.rollback()
    #expect(ticket.title == "theirs" && ticket.estimate == 3)
  }

  @Test("A deletion by another context reaches objects with edits and to-be-deleted ones, also when rolled back")
  func deletedElsewhere() throws {
    let container = try trackerContainer()
    let one = ModelContext(container)
    let other = ModelContext(container)
    let projects = (1...3).map { Project(id: $0, name: "p") }
    projects.forEach(one.insert)
    try one.save()
    projects[0].name = "edited"
    one.delete(projects[1])
    for project in try other.fetch(FetchDescriptor<Project>()) { other.delete(project) }
    try other.save()
    one.rollback()
    #expect(projects.map(\.isDeleted) == [true, true, true])
    #expect(!one.hasChanges)
    try one.save()
  }

  @Test("After more commits than a mailbox keeps, everything is looked at")
  func overflow() throws {
    let container = try trackerContainer()
    let writer = ModelContext(container)
    let notes = (0..<2).map { LooseNote(id: $0, text: "before") }
    notes.forEach(writer.insert)
    try writer.save()
    let reader = ModelContext(container)
    let seen = try reader.fetch(FetchDescriptor<LooseNote>(sortBy: [SortDescriptor(\.id)]))
    for turn in 0..<300 {
      notes[0].text = "\(turn)"
      try writer.save()
    }
    writer.delete(notes[1])
    try writer.save()
    guard case .everything = try reader.core.store.read({ try reader.mailbox.take(shownBy: $0) }) else {
      Issue.record("The mailbox kept 301 commits.")
      return
    }
    notes[0].text = "last"
    for _ in 0..<300 { reader.mailbox.post(ChangeSet(rows: 1)) }
    try writer.save()
    reader.processPendingChanges()
    #expect(seen[0].text == "last" && seen[1].isDeleted)
  }

  @Test("Observers are told of exactly what changed, and may read, edit and save")
  func observers() throws {
    let container = try trackerContainer()
    let reader = ModelContext(container)
    let writer = ModelContext(container)
    let project = Project(id: 1, name: "before", tickets: [Ticket(id: 1, title: "t"), Ticket(id: 2, title: "u")])
    writer.insert(project)
    try writer.save()
    let seen = try #require(try reader.fetch(FetchDescriptor<Project>()).first)
    let tickets = seen.tickets
    let told = Told()
    withObservationTracking {
      _ = tickets[0].title
    } onChange: {
      told.note("title of 1")
    }
    withObservationTracking {
      _ = tickets[1].title
    } onChange: {
      told.note("title of 2")
    }
    withObservationTracking {
      _ = seen.name
    } onChange: {
      told.note("name")
    }
    withObservationTracking {
      _ = seen.tickets
    } onChange: {
      told.note("tickets")
    }
    project.tickets[0].title = "changed"
    project.tickets.append(Ticket(id: 3, title: "v"))
    try writer.save()
    #expect(told.names.isEmpty)
    reader.processPendingChanges()
    #expect(told.names == ["tickets", "title of 1"])
    reader.processPendingChanges()
    #expect(told.names.count == 2)
  }

  @Test("The object of a save is not told of what its setters told already")
  func ownSave() throws {
    let context = ModelContext(try trackerContainer())
    let project = Project(id: 1, name: "before")
    context.insert(project)
    try context.save()
    let told = Told()
    project.name = "after"
    withObservationTracking {
      _ = project.name
    } onChange: {
      told.note("name")
    }
    try context.save()
    #expect(told.names.isEmpty && project.name == "after")
  }
}
