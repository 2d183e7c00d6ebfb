import Foundation
import Testing

@testable import SwiftSync

@MainActor
@Suite("12.2 SyncQueryPublisher and SyncQuery")
struct QueryPublisherTests {
  @Test("12.2 Rows are there when the publisher is made, in every form of a query")
  func forms() throws {
    let container = try trackerWithTickets()
    let byTitle = [SortDescriptor(\Ticket.title)]
    let closed = #Predicate<Ticket> { $0.title == "Ticket 12" || $0.title == "Ticket 23" }
    let all = SyncQueryPublisher(Ticket.self, in: container, sortBy: byTitle)
    #expect(all.rows.map(\.id) == [11, 12, 13, 14, 21, 22, 23, 24, 31, 32, 33, 34])
    #expect(
      SyncQueryPublisher(Ticket.self, predicate: closed, in: container, sortBy: byTitle).rows.map(\.id) == [12, 23])
    let ofProject = SyncQueryPublisher(
      Ticket.self, relationship: \.project, relationshipID: 2, in: container, sortBy: byTitle)
    #expect(ofProject.rows.map(\.id) == [21, 22, 23, 24])
    let both = SyncQueryPublisher(
      Ticket.self, relationship: \.project, relationshipID: 2, predicate: closed, in: container, sortBy: byTitle)
    #expect(both.rows.map(\.id) == [23])
    let page = SyncQueryPublisher(Ticket.self, in: container, sortBy: byTitle, limit: 3, offset: 2)
    #expect(page.rows.map(\.id) == [13, 14, 21])
    #expect(
      SyncQuery(Project.self, in: container, sortBy: [SortDescriptor(\.name)]).wrappedValue.map(\.id) == [1, 2, 3])
    #expect(
      SyncQuery(Ticket.self, relationship: \.project, relationshipID: 3, in: container).wrappedValue.count == 4)
    #expect(SyncQuery(Ticket.self, predicate: closed, in: container).wrappedValue.count == 2)
  }

  @Test("12.2 A to-many relationship limits to the rows that have the object among their members")
  func toMany() throws {
    let container = try trackerWithTickets()
    let context = container.mainContext
    let label = Label(text: "urgent")
    for ticket in try context.tickets(12...13) { ticket.labels.append(label) }
    try context.save()
    let publisher = SyncQueryPublisher(
      Ticket.self, relationship: \.labels, relationshipID: label.id, in: container, sortBy: [SortDescriptor(\.id)])
    #expect(publisher.rows.map(\.id) == [12, 13])
    #expect(
      SyncQuery(Ticket.self, relationship: \.labels, relationshipID: label.id, in: container).wrappedValue.count == 2)
    label.tickets = try context.tickets(13...21)
    try context.save()
    #expect(publisher.rows.map(\.id) == [13, 14, 21])
    context.delete(label)
    try context.save()
    #expect(publisher.rows.isEmpty && publisher.failure == nil)
  }

  @Test("12.2 Of two relationships to one model the one that is named counts; nil leads to nobody")
  func ambiguousRelationships() throws {
    let container = try trackerWithTickets()
    let context = container.mainContext
    let anna = Person(id: "anna", name: "Anna")
    let tickets = try context.tickets(11...14)
    tickets[0].assignee = anna
    tickets[1].reviewer = anna
    try context.save()
    let assigned = SyncQueryPublisher(Ticket.self, relationship: \.assignee, relationshipID: "anna", in: container)
    let reviewed = SyncQueryPublisher(Ticket.self, relationship: \.reviewer, relationshipID: "anna", in: container)
    #expect(assigned.rows.map(\.id) == [11] && reviewed.rows.map(\.id) == [12])
    tickets[1].assignee = anna
    tickets[1].reviewer = nil
    try context.save()
    #expect(assigned.rows.map(\.id) == [11, 12] && reviewed.rows.isEmpty)
  }

  @Test("12.2 The rows of a parent follow it when it comes, goes or changes its identity")
  func parentComesAndGoes() async throws {
    let container = try trackerWithTickets()
    let context = container.mainContext
    let publisher = SyncQueryPublisher(
      Ticket.self, relationship: \.project, relationshipID: 7, in: container, sortBy: [SortDescriptor(\.id)])
    #expect(publisher.rows.isEmpty)
    let project = Project(id: 7, name: "new", tickets: try context.tickets(12...13))
    context.insert(project)
    try context.save()
    #expect(publisher.rows.map(\.id) == [12, 13])
    project.id = 8
    try context.save()
    #expect(publisher.rows.isEmpty)
    let other = try #require(try context.model(Project.self, id: 3))
    other.id = 7
    try context.save()
    #expect(publisher.rows.map(\.id) == [31, 32, 33, 34])
    context.delete(other)
    try context.save()
    #expect(publisher.rows.isEmpty)
    try await container.sync(item: ["id": 7, "name": "synced", "tickets": [["id": 11]]], as: Project.self)
    #expect(publisher.rows.map(\.id) == [11])
  }

  @Test("12.2 A relationship that always leads to an object can limit, and so can an identity that is computed")
  func otherScopes() throws {
    let container = SyncContainer(
      try ModelContainer(for: Berth.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true)))
    let context = container.mainContext
    let harbours = ["a", "b"].map { Harbour(name: $0) }
    for (number, harbour) in (harbours + harbours).enumerated() {
      context.insert(Berth(number: number, harbour: harbour))
    }
    try context.save()
    let berths = SyncQueryPublisher(Berth.self, relationship: \.harbour, relationshipID: "HARBOUR A", in: container)
    let harbour = SyncModelPublisher(Harbour.self, id: "HARBOUR C", in: container)
    #expect(berths.rows.map(\.number) == [0, 2] && harbour.row == nil)
    harbours[1].name = "c"
    try context.save()
    #expect(harbour.row === harbours[1] && berths.rows.map(\.number) == [0, 2])
    harbours[1].name = "a"
    try context.save()
    #expect(harbour.row == nil && berths.rows.map(\.number) == [0, 1, 2, 3])
  }

  @Test("12.2 After an awaited sync the rows are up to date, of whatever model the change was")
  func afterSync() async throws {
    let container = try trackerWithTickets()
    let tickets = SyncQueryPublisher(Ticket.self, in: container, sortBy: [SortDescriptor(\.id)])
    let projects = SyncQueryPublisher(Project.self, in: container, sortBy: [SortDescriptor(\.name, order: .reverse)])
    try await container.sync(
      payload: [["id": 11, "title": "one"], ["id": 50, "title": "two", "state": ["id": "open"]]], as: Ticket.self)
    #expect(tickets.rows.map(\.title) == ["one", "two"])
    #expect(projects.rows.map(\.id) == [3, 2, 1])
    try await container.sync(payload: [["id": 2, "name": "b"], ["id": 1, "name": "c"]], as: Project.self)
    #expect(projects.rows.map(\.id) == [1, 2])
    #expect(tickets.rows.map(\.id) == [11, 50])
  }

  @Test("12.2 A publisher keeps its container, and so its store")
  func keepsContainer() async throws {
    let publisher: SyncQueryPublisher<Project>
    let writer: OtherWriter
    do {
      let container = try trackerWithTickets()
      writer = OtherWriter(container.modelContainer)
      publisher = SyncQueryPublisher(Project.self, in: container)
    }
    try await writer.write { $0.insert(Project(id: 9, name: "nine")) }
    #expect(publisher.rows.map(\.id) == [1, 2, 3, 9])
  }

  @Test("12.2 Rows are those that are stored: what is unsaved is in the objects and not in the list")
  func unsavedEdits() throws {
    let container = try trackerWithTickets()
    let context = container.mainContext
    let titled = #Predicate<Project> { $0.name != "hidden" }
    let publisher = SyncQueryPublisher(Project.self, predicate: titled, in: container, sortBy: [SortDescriptor(\.name)])
    let first = publisher.rows[0]
    first.name = "hidden"
    context.insert(Project(id: 4, name: "Project 4"))
    context.delete(publisher.rows[2])
    publisher.reload()
    #expect(publisher.rows.map(\.name) == ["hidden", "Project 2", "Project 3"] && publisher.rows[2].isDeleted)
    try context.save()
    #expect(publisher.rows.map(\.id) == [2, 4])
  }

  @Test("12.2 B-24 A reload is announced, whether something has changed or not")
  func reload() throws {
    let container = try trackerWithTickets()
    let publisher = SyncQueryPublisher(Project.self, in: container)
    let announcements = Announcements { _ = publisher.rows }
    publisher.reload()
    publisher.reload()
    #expect(announcements.count == 2 && publisher.activity.refetches == 3)
  }
}

/// Whose identity no attribute holds.
@Model final class Harbour {
  var name: String

  init(name: String) {
    self.name = name
  }
}

extension Harbour: SyncModelable {
  var code: String { "HARBOUR \(name.uppercased())" }
  static var syncIdentity: KeyPath<Harbour, String> { \.code }
}

@Model final class Berth {
  var number: Int
  var harbour: Harbour

  init(number: Int, harbour: Harbour) {
    self.number = number
    self.harbour = harbour
  }
}
