import Foundation
import Records
import Testing

@testable import SwiftSync

@MainActor
@Suite("12.2 12.3 What cannot be read")
struct ReadFailureTests {
  @Test("12.2 A predicate that fails leaves no rows at first, and later those from before; the next change tries again")
  func failingPredicate() async throws {
    let container = SyncContainer(try trackerContainer())
    let context = container.mainContext
    let notes = (1...3).map { LooseNote(id: $0, text: "t") }
    for note in notes { context.insert(note) }
    try context.save()
    let divided = #Predicate<LooseNote> { 12 / $0.id > 3 }
    let publisher = SyncQueryPublisher(
      LooseNote.self, predicate: divided, in: container, sortBy: [SortDescriptor(\.id)])
    #expect(publisher.rows.map(\.id) == [1, 2, 3] && publisher.failure == nil)
    let announcements = Announcements { _ = publisher.failure }
    notes[2].id = 0
    try context.save()
    #expect(publisher.failure is FetchError && announcements.count == 1)
    #expect(publisher.rows.count == 3 && publisher.rows[2].id == 0)
    let late = SyncQueryPublisher(LooseNote.self, predicate: divided, in: container)
    #expect(late.rows.isEmpty && late.failure is FetchError)
    var counts = [publisher, late].map(\.activity.refetches)
    notes[2].id = 9
    try context.save()
    #expect(publisher.rows.map(\.id) == [1, 2] && late.rows.map(\.id) == [1, 2])
    #expect(publisher.failure == nil && late.failure == nil)
    counts = zip([publisher, late].map(\.activity.refetches), counts).map { $0 - $1 }
    #expect(counts == [1, 1])
  }

  @Test("12.2 A row that its class cannot represent, and one that can be read again")
  func unreadableRow() async throws {
    let container = try trackerWithTickets()
    let core = container.modelContainer.core
    let publisher = SyncQueryPublisher(Ticket.self, relationship: \.project, relationshipID: 1, in: container)
    let other = SyncQueryPublisher(Ticket.self, relationship: \.project, relationshipID: 2, in: container)
    let row = try #require(publisher.rows[0]._$backing.storedRow)
    try await setState("unknown", of: row, in: core)
    // The object stays as it was; the state is no reason to fetch, and whoever fetches is told.
    #expect(publisher.rows[0].state == .open && publisher.failure == nil)
    publisher.reload()
    #expect(publisher.failure is ModelError && publisher.rows.count == 4 && other.failure == nil)
    try await setState("closed", of: row, in: core)
    #expect(publisher.failure == nil && publisher.rows[0].state == .closed)
  }

  /// Writes a state that may be none, by other means than the class.
  private func setState(_ raw: String, of row: RowNumber, in core: ContainerCore) async throws {
    let entity = try core.binding(of: Ticket.self).entity
    let field = try #require(entity.attribute(named: "state")).field
    _ = try await core.store.write(author: nil, durability: nil) { transaction in
      var builder = RecordBuilder(entity.layout)
      _ = try transaction.withRecord(row, of: entity) { builder.load($0) }
      _ = builder.set(field, .string(raw))
      return try transaction.update(row, of: entity, with: &builder) != nil
    }
  }

  @Test("12.2 A store that is closed under a publisher: the rows stay, and observers are told why")
  func closedStore() async throws {
    let container = try trackerWithTickets()
    let publisher = SyncQueryPublisher(Project.self, in: container, sortBy: [SortDescriptor(\.id)])
    let detail = SyncModelPublisher(Project.self, id: 1, in: container)
    let announcements = Announcements { _ = publisher.rows }
    container.modelContainer.close()
    #expect(publisher.rows.map(\.name) == ["Project 1", "Project 2", "Project 3"] && publisher.failure == nil)
    // The job that brings the main context up to date stands in the main actor's queue already.
    await Task.yield()
    #expect(publisher.rows.count == 3 && publisher.failure is StoreError && announcements.count == 1)
    #expect(detail.row != nil && detail.failure is StoreError)
    publisher.reload()
    #expect(publisher.rows.count == 3 && publisher.failure is StoreError)
    let late = SyncQueryPublisher(Project.self, in: container)
    #expect(late.rows.isEmpty && late.failure is StoreError)
    #expect(throws: StoreError.self) { try container.mainContext.snapshots(of: SyncQueryShape(Project.self)) }
  }

  @Test("12.2 A model that the container does not have, and a key path that is no relationship")
  func wrongQueries() throws {
    let container = try trackerWithTickets()
    let unknown = SyncQueryPublisher(Harbour.self, in: container)
    #expect(unknown.rows.isEmpty && unknown.failure as? ModelError == .unknownModel("Harbour"))
    let wrong = SyncQueryPublisher(Ticket.self, in: container, refreshOn: [\.title])
    #expect(wrong.rows.isEmpty && wrong.failure is SyncReadError)
    #expect("\(try #require(wrong.failure))".hasSuffix("leads along no stored relationship of Ticket."))
    wrong.reload()
    #expect(wrong.snapshot.rows.isEmpty && wrong.activity == SyncReadActivity())
    #expect(throws: SyncReadError.self) {
      try container.mainContext.snapshots(of: SyncQueryShape(Ticket.self, refreshOn: [\.id]))
    }
  }

  @Test("12.3 A related row that is deleted: lists and objects show it gone, in one step")
  func deletedRelatedRow() async throws {
    let container = try trackerWithTickets()
    let context = container.mainContext
    let person = Person(id: "anna", name: "Anna")
    for ticket in try context.tickets(11...12) { ticket.assignee = person }
    try context.save()
    let publisher = SyncQueryPublisher(
      Ticket.self, predicate: #Predicate { $0.assignee?.name == "Anna" }, in: container, sortBy: [SortDescriptor(\.id)])
    let detail = SyncModelPublisher(Ticket.self, id: 11, in: container)
    let sorted = SyncQueryPublisher(
      Ticket.self, relationship: \.project, relationshipID: 1, in: container,
      sortBy: [SortDescriptor(\.assignee?.name), SortDescriptor(\.id)])
    #expect(publisher.rows.map(\.id) == [11, 12] && sorted.rows.map(\.id) == [13, 14, 11, 12])
    try await OtherWriter(container.modelContainer).write { context in
      for person in try context.fetch(FetchDescriptor<Person>()) { context.delete(person) }
    }
    #expect(publisher.rows.isEmpty && publisher.failure == nil)
    #expect(detail.row != nil && detail.row?.assignee == nil)
    #expect(sorted.rows.map(\.id) == [11, 12, 13, 14])
    // A deletion that cascades takes the rows of the parent along.
    try await OtherWriter(container.modelContainer).write { context in
      for project in try context.fetch(FetchDescriptor<Project>()) { context.delete(project) }
    }
    #expect(detail.row == nil && detail.condition == .gone && sorted.rows.isEmpty)
  }
}
