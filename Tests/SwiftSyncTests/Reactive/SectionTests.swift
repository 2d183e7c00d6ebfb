import Foundation
import Testing

@testable import SwiftSync

@MainActor
@Suite("12.2 Sections")
struct SectionTests {
  private func ids<ID>(_ sections: [SyncSection<ID, Ticket>]) -> [[Int]] { sections.map { $0.rows.map(\.id) } }

  @Test("Rows are divided by a value, whose order comes first")
  func byOrderedValue() throws {
    let container = try trackerWithTickets()
    let context = container.mainContext
    let publisher = SyncSectionedQueryPublisher(
      SyncQueryShape(
        Ticket.self, relationship: \.project, relationshipID: 1, sortBy: [SortDescriptor(\.title, order: .reverse)]),
      sectionBy: \.estimate, in: container)
    #expect(publisher.sections.map(\.id) == [nil] && ids(publisher.sections) == [[14, 13, 12, 11]])
    let tickets = try context.tickets(11...14)
    tickets[0].estimate = 2
    tickets[3].estimate = 1
    try context.save()
    #expect(publisher.sections.map(\.id) == [nil, 1, 2] && ids(publisher.sections) == [[13, 12], [14], [11]])
    #expect(publisher.rows.map(\.id) == [13, 12, 14, 11])
    let titles = SyncSectionedQueryPublisher(
      SyncQueryShape(Ticket.self, relationship: \.project, relationshipID: 1), sectionBy: \.title, order: .reverse,
      in: container)
    #expect(titles.sections.map(\.id) == ["Ticket 14", "Ticket 13", "Ticket 12", "Ticket 11"])
  }

  @Test("Values without an order divide in the order of the rows, and follow their changes")
  func byUnorderedValue() throws {
    let container = try trackerWithTickets()
    let publisher = SyncSectionedQueryPublisher(
      SyncQueryShape(Ticket.self, relationship: \.project, relationshipID: 2, sortBy: [SortDescriptor(\.id)]),
      sectionBy: \.state, in: container)
    let announcements = Announcements { _ = publisher.sections }
    #expect(publisher.sections.map(\.id) == [.open, .closed] && ids(publisher.sections) == [[21, 23], [22, 24]])
    try #require(try container.mainContext.model(Ticket.self, id: 21)).state = .closed
    try container.mainContext.save()
    #expect(publisher.sections.map(\.id) == [.closed, .open] && ids(publisher.sections) == [[21, 22, 24], [23]])
    #expect(announcements.count > 0)
    let wrapper = SyncSectionedQuery(SyncQueryShape(Ticket.self), sectionBy: \.state, in: container)
    #expect(wrapper.wrappedValue.map(\.rows.count) == [5, 7])
  }
}
