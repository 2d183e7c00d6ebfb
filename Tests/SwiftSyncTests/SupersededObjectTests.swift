import Foundation
import Records
import Testing

@testable import SwiftSync

@Suite("Of two new objects with one identity the last becomes the row, and what is linked to the first is linked to it")
struct SupersededObjectTests {
  private let container: ModelContainer
  private let context: ModelContext
  private let tickets = (0..<3).map { Ticket(id: $0, title: "t") }

  init() throws {
    container = try trackerContainer()
    context = ModelContext(container)
    for ticket in tickets { context.insert(ticket) }
    try context.save()
  }

  private func insert<Model: PersistentModel>(_ models: Model...) {
    for model in models { context.insert(model) }
  }

  private func save() throws {
    try context.save()
    #expect(try container.core.store.read { try $0.checkInvariants() }.isEmpty)
  }

  @Test("by the to-one side", arguments: [false, true])
  func toOneSide(isNew: Bool) throws {
    let (first, second) = (Project(id: 5, name: "1"), Project(id: 5, name: "2"))
    insert(first, second)
    let ticket = isNew ? Ticket(id: 9, title: "new") : tickets[0]
    ticket.project = first
    tickets[1].project = second
    try save()
    #expect(first.isDeleted && ticket.project === second && tickets[1].project === second)
    let stored = try ModelContext(container).fetch(FetchDescriptor<Project>())
    #expect(stored.map(\.name) == ["2"] && stored.first?.tickets.map(\.id) == second.tickets.map(\.id))
    #expect(Set(second.tickets) == [ticket, tickets[1]])
  }

  @Test("by the list, of three objects")
  func list() throws {
    let projects = (1...3).map { Project(id: 5, name: "\($0)", tickets: [tickets[$0 - 1]]) }
    projects.forEach(context.insert)
    try save()
    #expect(projects.map(\.isDeleted) == [true, true, false])
    #expect(projects[2].tickets.map(\.id) == [0, 1, 2])
    #expect(tickets.allSatisfy { $0.project === projects[2] })
  }

  @Test("by another object's list of members")
  func membersOfOthers() throws {
    let (first, second) = (Label(id: UUID.standIn, text: "1"), Label(id: UUID.standIn, text: "2"))
    tickets[0].labels = [first]
    tickets[1].labels = [second]
    tickets[2].labels = [first, second]
    insert(first, second)
    try save()
    #expect(first.isDeleted && tickets.allSatisfy { $0.labels == [second] })
    #expect(Set(second.tickets) == Set(tickets))
  }

  @Test("What the last one leads to itself counts more than what leads to the first")
  func ownDestination() throws {
    let parents = (1...2).map(Node.init)
    parents.forEach(context.insert)
    try context.save()
    let (first, second) = (Node(id: 7), Node(id: 7))
    insert(first, second)
    parents[0].children = [first]
    second.parent = parents[1]
    try save()
    #expect(first.isDeleted && second.parent === parents[1])
    #expect(parents[0].children.isEmpty && parents[1].children == [second])
  }

  @Test("A stored row that two new objects become keeps what was linked to either, and nothing else")
  func storedRow() throws {
    let old = Project(id: 5, name: "0", tickets: [tickets[0]])
    insert(old)
    try context.save()
    let (first, second) = (Project(id: 5, name: "1"), Project(id: 5, name: "2"))
    insert(first, second)
    tickets[1].project = first
    tickets[2].project = second
    try save()
    #expect(old.isDeleted && first.isDeleted && second.tickets.map(\.id) == [1, 2])
    #expect(tickets[0].project == nil)
  }
}
