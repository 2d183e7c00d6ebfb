import Foundation
import Testing

@testable import SwiftSync

/// What one commit costs one query: whether it is asked at all, and what comes of it.
private enum Cost: String {
  case nothing, check, refresh, refetch
}

private struct Change: CustomTestStringConvertible {
  let name: String
  let edit: @MainActor (ModelContext) throws -> Void
  var testDescription: String { name }

  init(_ name: String, _ edit: @escaping @MainActor (ModelContext) throws -> Void) {
    self.name = name
    self.edit = edit
  }

  static func ticket(_ name: String, _ edit: @escaping @MainActor (Ticket) -> Void) -> Change {
    Change(name) { context in
      let ticket = try #require(try context.model(Ticket.self, id: 11))
      edit(ticket)
    }
  }
}

@MainActor
@Suite("12.2 A commit concerns the queries that it can change, and no others")
struct InvalidationTests {
  private static let retitled = Change.ticket("ticket 11 of project 1 retitled") { $0.title = "Z" }
  private static let estimated = Change.ticket("ticket 11 estimated") { $0.estimate = 3 }
  private static let moved = Change("ticket 11 moved to project 2") { context in
    let ticket = try #require(try context.model(Ticket.self, id: 11))
    ticket.project = try context.model(Project.self, id: 2)
  }
  private static let inserted = Change("ticket 90 without a project inserted") {
    $0.insert(Ticket(id: 90, title: "Ticket 90"))
  }
  private static let deleted = Change("ticket 11 deleted") { context in
    context.delete(try #require(try context.model(Ticket.self, id: 11)))
  }
  private static let renamed = Change("project 1 renamed") { context in
    let project = try #require(try context.model(Project.self, id: 1))
    project.name = "Renamed"
  }
  private static let unrelated = Change("person inserted") { $0.insert(Person(id: "p", name: "P")) }

  private static let changes = [retitled, estimated, moved, inserted, deleted, renamed, unrelated]

  private struct Row {
    let query: String
    let shape: SyncQueryShape<Ticket>
    /// In the order of `changes`.
    let costs: [Cost]
  }

  private static var table: [Row] {
    let byTitle = [SortDescriptor(\Ticket.title)]
    let title = "Ticket 11"
    return [
      Row(
        query: "all, unordered", shape: SyncQueryShape(),
        costs: [.refresh, .refresh, .refresh, .refetch, .refetch, .refresh, .nothing]),
      Row(
        query: "all by title", shape: SyncQueryShape(sortBy: byTitle),
        costs: [.refetch, .refresh, .refresh, .refetch, .refetch, .refresh, .nothing]),
      Row(
        query: "of project 1 by title",
        shape: SyncQueryShape(relationship: \.project, relationshipID: 1, sortBy: byTitle),
        costs: [.refetch, .refresh, .refetch, .nothing, .refetch, .refresh, .nothing]),
      Row(
        query: "of project 2 by title",
        shape: SyncQueryShape(relationship: \.project, relationshipID: 2, sortBy: byTitle),
        costs: [.nothing, .nothing, .refetch, .nothing, .nothing, .nothing, .nothing]),
      Row(
        query: "of project 3", shape: SyncQueryShape(relationship: \.project, relationshipID: 3),
        costs: [.nothing, .nothing, .nothing, .nothing, .nothing, .nothing, .nothing]),
      Row(
        query: "with one title", shape: SyncQueryShape(predicate: #Predicate { $0.title == title }),
        costs: [.refetch, .refresh, .refresh, .nothing, .refetch, .refresh, .nothing]),
      Row(
        query: "whose project has a name",
        shape: SyncQueryShape(predicate: #Predicate { $0.project?.name == "Project 1" }),
        costs: [.refresh, .refresh, .refetch, .check, .refetch, .refetch, .nothing]),
      Row(
        query: "whose project has another name",
        shape: SyncQueryShape(predicate: #Predicate { $0.project?.name == "Project 3" }),
        costs: [.nothing, .nothing, .check, .check, .nothing, .check, .nothing]),
      Row(
        query: "by the project's name", shape: SyncQueryShape(sortBy: [SortDescriptor(\.project?.name)]),
        costs: [.refresh, .refresh, .refetch, .refetch, .refetch, .refetch, .nothing]),
      Row(
        query: "the first two by title", shape: SyncQueryShape(sortBy: byTitle, limit: 2),
        costs: [.refetch, .refresh, .refresh, .check, .refetch, .refresh, .nothing]),
      Row(
        query: "two from the third on by title", shape: SyncQueryShape(sortBy: byTitle, limit: 2, offset: 2),
        costs: [.refetch, .nothing, .nothing, .check, .refetch, .refresh, .nothing]),
      Row(
        query: "evaluated in Swift",
        shape: SyncQueryShape(predicate: #Predicate { $0.title.localizedLowercase == "ticket 11" }),
        costs: [.refetch, .refetch, .refetch, .refetch, .refetch, .refresh, .nothing]),
    ]
  }

  @Test("12.2 Each form of query is asked, refreshed and fetched only for what concerns it")
  func costs() throws {
    for row in Self.table {
      for (change, expected) in zip(Self.changes, row.costs) {
        let container = try trackerWithTickets()
        let publisher = SyncQueryPublisher(row.shape, in: container)
        let before = publisher.activity
        try change.edit(container.mainContext)
        try container.mainContext.save()
        #expect(cost(before, publisher.activity) == expected, "\(row.query): \(change.name)")
        #expect(publisher.failure == nil, "\(row.query)")
      }
    }
  }

  private func cost(_ before: SyncReadActivity, _ after: SyncReadActivity) -> Cost {
    if after.refetches > before.refetches { return .refetch }
    if after.refreshes > before.refreshes { return .refresh }
    return after.checks > before.checks ? .check : .nothing
  }

  @Test("12.2 A value of the condition that changes without changing its truth is no reason to fetch")
  func sameTruth() throws {
    let container = try trackerWithTickets()
    let context = container.mainContext
    let ticket = try #require(try context.model(Ticket.self, id: 11))
    ticket.estimate = 5
    try context.save()
    let large = SyncQueryPublisher(Ticket.self, predicate: #Predicate { ($0.estimate ?? 0) > 3 }, in: container)
    ticket.estimate = 6
    try context.save()
    #expect(large.activity.refetches == 1 && large.activity.refreshes == 1)
    ticket.estimate = 2
    try context.save()
    #expect(large.rows.isEmpty && large.activity.refetches == 2)
    ticket.estimate = 1
    try context.save()
    #expect(large.activity.refetches == 2 && large.activity.refreshes == 1)
  }

  @Test("12.2 Several commits that come together cost one round")
  func manyCommits() async throws {
    let container = try trackerWithTickets()
    let publisher = SyncQueryPublisher(Project.self, in: container)
    let announcements = Announcements { _ = publisher.rows }
    try await OtherWriter(container.modelContainer).write { context in
      for number in 10..<20 {
        context.insert(Project(id: number, name: "n"))
        try context.save()
      }
    }
    #expect(publisher.rows.count == 13 && announcements.count == publisher.activity.refetches - 1)
  }

  @Test("12.2 A context that has not looked for longer than changes are kept for it fetches everything")
  func overfullMailbox() throws {
    let container = try trackerWithTickets()
    let context = ModelContext(container.modelContainer)
    let projects = try LiveRows(SyncQueryShape(Project.self, sortBy: [SortDescriptor(\.id)]), in: context.core)
    let people = try LiveRows(SyncQueryShape(Person.self), in: context.core)
    for query in [projects, people] as [LiveQuery] { context.keepUpToDate(query) }
    let before = projects.snapshot
    let other = ModelContext(container.modelContainer)
    let project = try #require(try other.model(Project.self, id: 1))
    for number in 0..<300 {
      project.name = "\(number)"
      try other.save()
    }
    other.insert(Project(id: 9, name: "nine"))
    try other.save()
    context.processPendingChanges()
    #expect(projects.rows.map(\.id) == [1, 2, 3, 9] && projects.rows.first?.name == "299")
    #expect(
      [projects, people].map(\.activity) == [SyncReadActivity](repeating: .init(checks: 1, refetches: 2), count: 2))
    let difference = projects.snapshot.difference(from: before)
    #expect(difference.insertions == [3] && difference.updates.map(\.to).contains(0))
  }

  @Test("12.2 The container's hook hears what rounds cost, by model and form")
  func hook() throws {
    final class Log: @unchecked Sendable {
      // Written and read on the main actor, where the handler is called.
      var rounds: [SyncReadRound] = []
    }
    let log = Log()
    let container = SyncContainer(try trackerContainer(), onRead: { log.rounds.append($0) })
    let context = container.mainContext
    for number in 1...5 { context.insert(Project(id: number, name: "n")) }
    try context.save()
    let rows = (1...5).map { SyncModelPublisher(Project.self, id: $0, in: container) }
    let all = SyncQueryPublisher(Project.self, in: container, sortBy: [SortDescriptor(\.name)])
    rows[0].row?.name = "a"
    rows[1].row?.name = "b"
    try context.save()
    let round = try #require(log.rounds.last)
    #expect(round.entries.map(\.model) == ["Project", "Project"])
    #expect(round.entries.map(\.shape) == ["sorted by name", "by identity, at most 1"])
    #expect(round.entries[0].activity == SyncReadActivity(checks: 1, refetches: 1))
    #expect(round.entries[1].activity == SyncReadActivity(checks: 2, refreshes: 2))
    #expect(all.rows.map(\.id) == [1, 2, 3, 4, 5])
    let count = log.rounds.count
    context.insert(Person(id: "p", name: "P"))
    try context.save()
    #expect(log.rounds.count == count)
  }
}
