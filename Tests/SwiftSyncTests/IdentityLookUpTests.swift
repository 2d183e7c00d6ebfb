import Foundation
import SwiftSync
import Testing

/// `model(_:id:)` gives what a fetch of the identity gives, whatever is unsaved.
@Suite struct IdentityLookUpTests {
  private func makeContext() throws -> ModelContext {
    let container = try ModelContainer(
      for: Project.self, Ticket.self, Person.self, Label.self, Watcher.self,
      configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    let context = ModelContext(container)
    for id in 1...5 { context.insert(Ticket(id: id, title: "stored \(id)")) }
    context.insert(Person(id: "anna", name: "Anna"))
    try context.save()
    return context
  }

  /// The look-up and the fetch, which have to agree.
  private func title(_ id: Int, in context: ModelContext) throws -> String? {
    let found = try context.model(Ticket.self, id: id)
    let fetched = try context.fetch(FetchDescriptor<Ticket>(predicate: #Predicate { $0.id == id }))
    #expect(fetched.count <= 1 && found === fetched.first, "identity \(id)")
    return found?.title
  }

  @Test func findsStoredObjects() throws {
    let context = try makeContext()
    #expect(try title(3, in: context) == "stored 3")
    #expect(try title(9, in: context) == nil)
    #expect(try context.model(Person.self, id: "anna")?.name == "Anna")
    #expect(try context.model(Person.self, id: "") == nil)
    #expect(try context.model(Label.self, id: UUID()) == nil)
    let other = ModelContext(context.container)
    let found = try #require(try other.model(Ticket.self, id: 3))
    #expect(try other.model(Ticket.self, id: 3) === found)
  }

  @Test func unsavedStateCounts() throws {
    let context = try makeContext()
    context.insert(Ticket(id: 7, title: "new"))
    #expect(try title(7, in: context) == "new")
    #expect(try title(2, in: context) == "stored 2")
    let moved = try #require(try context.model(Ticket.self, id: 2))
    moved.id = 12
    #expect(try title(2, in: context) == nil)
    #expect(try title(12, in: context) == "stored 2")
    let deleted = try #require(try context.model(Ticket.self, id: 4))
    context.delete(deleted)
    #expect(try title(4, in: context) == nil)
    context.rollback()
    #expect(try title(7, in: context) == nil)
    #expect(try title(2, in: context) == "stored 2")
    #expect(try title(4, in: context) == "stored 4")
  }

  @Test func registeredObjectIsBroughtUpToDate() throws {
    let context = try makeContext()
    let seen = try #require(try context.model(Ticket.self, id: 1))
    let other = ModelContext(context.container)
    try #require(try other.model(Ticket.self, id: 1)).title = "changed"
    let gone = try #require(try other.model(Ticket.self, id: 5))
    other.delete(gone)
    try other.save()
    #expect(try title(1, in: context) == "changed")
    #expect(seen.title == "changed")
    #expect(try title(5, in: context) == nil)
  }

  @Test func unknownModelIsAnError() throws {
    let container = try ModelContainer(
      for: Person.self, Ticket.self, Project.self, Label.self, Watcher.self,
      configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    #expect(throws: ModelError.self) { try ModelContext(container).model(Outsider.self, id: 1) }
  }
}

@Syncable @Model final class Outsider {
  @Attribute(.unique) var id: Int

  init(id: Int) {
    self.id = id
  }
}
