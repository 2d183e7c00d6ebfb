import Foundation
import Testing

@testable import SwiftSync

@MainActor
@Suite("12.3 A detail screen hears what happens underneath its edits")
struct RowConditionTests {
  @Test(
    "12.3 Values that others store under unsaved edits are named, until these are saved, rolled back or it is acknowledged",
    arguments: 0..<3)
  func changedUnderneath(ending: Int) async throws {
    let container = try trackerWithTickets()
    let context = container.mainContext
    let publisher = SyncModelPublisher(Ticket.self, id: 11, in: container)
    let row = try #require(publisher.row)
    row.title = "mine"
    #expect(publisher.condition == .current)
    let announcements = Announcements { _ = publisher.condition }
    try await container.sync(item: ["id": 11, "title": "theirs", "estimate": 2.5], as: Ticket.self)
    #expect(publisher.condition == .changedUnderneath(properties: ["title", "estimate"]))
    #expect(announcements.count == 1 && row.title == "mine")
    switch ending {
    case 0: try context.save()
    case 1: context.rollback()
    default: publisher.acknowledge()
    }
    #expect(publisher.condition == .current && announcements.count > 1)
    #expect(row.title == (ending == 1 ? "theirs" : "mine"))
    #expect(row.estimate == (ending == 2 ? nil : 2.5))
  }

  @Test("12.3 A row that is deleted under unsaved edits is told from one that is just gone")
  func deletedUnderneath() async throws {
    let container = try trackerWithTickets()
    let edited = SyncModelPublisher(Ticket.self, id: 11, in: container)
    let idle = SyncModelPublisher(Ticket.self, id: 12, in: container)
    let row = try #require(edited.row)
    row.title = "mine"
    try await OtherWriter(container.modelContainer).write { context in
      for ticket in try context.tickets(11...12) { context.delete(ticket) }
    }
    #expect(edited.row == nil && edited.condition == .deletedUnderneath && row.isDeleted)
    #expect(idle.row == nil && idle.condition == .gone)
    edited.acknowledge()
    #expect(edited.condition == .gone)
  }

  @Test("12.3 Other rows' edits, and one's own saves, are nothing to hear of")
  func ownSaves() async throws {
    let container = try trackerWithTickets()
    let publisher = SyncModelPublisher(Ticket.self, id: 11, in: container)
    let other = try #require(try container.mainContext.model(Ticket.self, id: 12))
    other.title = "edited"
    try await container.sync(item: ["id": 11, "title": "theirs"], as: Ticket.self)
    #expect(publisher.condition == .current && publisher.row?.title == "theirs")
    publisher.row?.title = "mine"
    try container.mainContext.save()
    #expect(publisher.condition == .current)
  }
}
