import Foundation
import Testing

@testable import SwiftSync

@MainActor
@Suite("12.3 SyncModelPublisher and SyncModel")
struct ModelPublisherTests {
  @Test("12.3 The row comes, changes and goes with what is stored")
  func life() async throws {
    let container = try trackerWithTickets()
    let publisher = SyncModelPublisher(Ticket.self, id: 99, in: container)
    #expect(publisher.row == nil && publisher.condition == .absent)
    try await container.sync(item: ["id": 99, "title": "new", "state": ["id": "open"]], as: Ticket.self)
    let row = try #require(publisher.row)
    #expect(row.title == "new" && publisher.condition == .current)
    try await container.sync(item: ["id": 99, "title": "changed"], as: Ticket.self)
    #expect(publisher.row === row && row.title == "changed")
    row.id = 98
    try container.mainContext.save()
    #expect(publisher.row == nil && publisher.condition == .gone)
    row.id = 99
    try container.mainContext.save()
    #expect(publisher.row === row && publisher.condition == .current)
    container.mainContext.delete(row)
    try container.mainContext.save()
    #expect(publisher.row == nil && publisher.condition == .gone)
    #expect(SyncModel(Ticket.self, id: 11, in: container).wrappedValue?.title == "Ticket 11")
    #expect(SyncModel(Ticket.self, id: 99, in: container).wrappedValue == nil)
  }

  @Test("12.3 A change of the row or of what it is related to is announced, with the same object")
  func announced() async throws {
    let container = try trackerWithTickets()
    let publisher = SyncModelPublisher(Ticket.self, id: 11, in: container)
    let row = try #require(publisher.row)
    var seen: [String] = []
    let announcements = Announcements {
      guard let row = publisher.row else { return }
      seen.append("\(row.title) of \(row.project?.name ?? "-"), \(row.labels.map(\.text).sorted())")
    }
    try await container.sync(
      item: ["id": 11, "title": "other", "labels": [["id": UUID().uuidString, "text": "x"]]], as: Ticket.self)
    #expect(publisher.row === row && seen.last == "other of Project 1, [\"x\"]")
    let afterTicket = announcements.count
    try await container.sync(item: ["id": 1, "name": "Renamed"], as: Project.self)
    #expect(publisher.row === row && announcements.count > afterTicket && seen.last == "other of Renamed, [\"x\"]")
    #expect(publisher.activity.refetches == 1)
  }

  @Test("12.3 A change of an unrelated row is not announced, and the publisher is not asked")
  func unrelated() async throws {
    let container = try trackerWithTickets()
    let publisher = SyncModelPublisher(Ticket.self, id: 11, in: container)
    let announcements = Announcements { _ = publisher.row }
    let before = publisher.activity
    try await container.sync(item: ["id": 12, "title": "other"], as: Ticket.self)
    try await container.sync(item: ["id": 2, "name": "other"], as: Project.self)
    try await container.sync(item: ["id": 77, "title": "new", "state": ["id": "open"]], as: Ticket.self)
    try await container.sync(item: ["id": "p", "name": "new"], as: Person.self)
    #expect(announcements.count == 0 && publisher.activity == before)
  }

  @Test("12.3 refreshOn reaches over several relationships")
  func refreshOn() throws {
    let container = SyncContainer(try trackerContainer())
    let context = container.mainContext
    let nodes = (1...4).map { Node(id: $0) }
    for (child, parent) in zip(nodes, nodes.dropFirst()) { child.parent = parent }
    context.insert(nodes[0])
    try context.save()
    let near = SyncModelPublisher(Node.self, id: 1, in: container)
    let far = SyncModelPublisher(Node.self, id: 1, in: container, refreshOn: [\.parent?.parent])
    let attribute = SyncModelPublisher(Node.self, id: 1, in: container, refreshOn: [\.parent?.parent?.id])
    nodes[2].next = nodes[0]
    try context.save()
    #expect([near, far, attribute].map(\.activity.refreshes) == [0, 1, 0])
    nodes[2].id = 30
    try context.save()
    #expect([near, far, attribute].map(\.activity.refreshes) == [0, 2, 1])
    #expect([near, far, attribute].map(\.activity.refetches) == [1, 1, 1])
    let wrong = SyncModelPublisher(Node.self, id: 1, in: container, refreshOn: [\.id])
    #expect(wrong.row == nil)
    #expect(wrong.failure as? SyncReadError != nil)
  }

  @Test("12.3 A new object that becomes the row takes the place of the old one")
  func upsert() throws {
    let container = try trackerWithTickets()
    let context = container.mainContext
    let publisher = SyncModelPublisher(Ticket.self, id: 11, in: container)
    let all = SyncQueryPublisher(Ticket.self, in: container, sortBy: [SortDescriptor(\.id)])
    let old = try #require(publisher.row)
    let new = Ticket(id: 11, title: "new", project: old.project)
    context.insert(new)
    try context.save()
    #expect(old.isDeleted && !new.isDeleted)
    #expect(publisher.row === new && all.rows.first === new && all.rows.count == 12)
  }

  @Test("12.3 With identities that are not unique the row is one of those that have it")
  func repeatedIdentity() throws {
    let container = SyncContainer(try trackerContainer())
    let context = container.mainContext
    let notes = ["a", "b"].map { LooseNote(id: 5, text: $0) }
    let publisher = SyncModelPublisher(LooseNote.self, id: 5, in: container)
    for note in notes { context.insert(note) }
    try context.save()
    #expect(publisher.row === notes[0])
    context.delete(notes[0])
    try context.save()
    #expect(publisher.row === notes[1])
  }
}
