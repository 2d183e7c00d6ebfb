import Foundation
import TestSupport
import Testing

@testable import SwiftSync

/// Random commits, by the main context, by another one on the main actor, by one elsewhere and by syncs, against queries of every kind.
///
/// After each, every query must show what a judge that knows nothing of the library's means finds from scratch, in the same order.
/// It must have fetched only if the judge says that this may have been necessary, and been refreshed if and only if something that
/// it shows has changed.
@MainActor
@Suite("12.1 12.2 Random commits against queries from scratch")
struct RandomCommitTests {
  private struct Live {
    let query: JudgedQuery
    let publisher: SyncQueryPublisher<Ticket>
    var activity: SyncReadActivity
    var version: Int
  }

  @Test("12.2 The same rows in the same order, and no fetch for what could not matter", arguments: 1...6)
  func commits(seed: UInt64) async throws {
    var random = SplitMix64(seed: seed)
    let container = SyncContainer(try trackerContainer())
    let label = UUID()
    let edits = RandomEdits(label: label)
    let other = ModelContext(container.modelContainer)
    let elsewhere = OtherWriter(container.modelContainer)
    var before = PlainTracker()
    var live = JudgedQuery.all(label: label).map { query in
      let publisher = SyncQueryPublisher(query.shape, in: container)
      return Live(query: query, publisher: publisher, activity: publisher.activity, version: publisher.snapshot.version)
    }
    for step in 0..<80 {
      let edit = edits.next(step, &random)
      switch Int.random(in: 0..<4, using: &random) {
      case 0:
        try edit.run(in: container.mainContext)
        try container.mainContext.save()
      case 1:
        try edit.run(in: other)
        try other.save()
      case 2: try await elsewhere.write { try edit.run(in: $0) }
      default:
        if let item = edit.item {
          try await container.sync(item: item, as: Ticket.self)
        } else {
          try await elsewhere.write { try edit.run(in: $0) }
        }
      }
      let after = try PlainTracker(of: container.modelContainer)
      for index in live.indices {
        check(&live[index], before, after, "seed \(seed), step \(step) (\(edit.name)), \(live[index].query.name)")
      }
      before = after
    }
  }

  private func check(_ live: inout Live, _ before: PlainTracker, _ after: PlainTracker, _ place: String) {
    let expected = live.query.rows(in: after)
    #expect(live.publisher.rows.map(\.persistentModelID) == expected, "\(place)")
    #expect(live.publisher.failure == nil, "\(place)")
    for row in live.publisher.rows {
      let plain = after.tickets[row.persistentModelID]
      #expect(row.title == plain?.title && row.estimate == plain?.estimate && row.state == plain?.state, "\(place)")
      #expect(row.project?.persistentModelID == plain?.project, "\(place)")
    }
    let activity = live.publisher.activity
    let fetches = activity.refetches - live.activity.refetches
    let refreshes = activity.refreshes - live.activity.refreshes
    #expect(fetches <= (live.query.mayFetch(before, after) ? 1 : 0), "needless fetch: \(place)")
    #expect(fetches + refreshes <= 1, "\(place)")
    if live.query.isRefreshed(before, after) { #expect(fetches + refreshes == 1, "not announced: \(place)") }
    if fetches == 0, refreshes == 1 { #expect(live.query.isRefreshed(before, after), "needless refresh: \(place)") }
    let version = live.publisher.snapshot.version
    #expect(version == live.version + fetches + refreshes, "\(place)")
    live.activity = activity
    live.version = version
  }
}

/// One random change of a tracker, which can be made in any context; a few can be made by a sync of a ticket.
struct RandomEdit: Sendable {
  let name: String
  let run: @Sendable (ModelContext) throws -> Void
  var item: [String: any Sendable]?

  init(_ name: String, item: [String: any Sendable]? = nil, _ run: @escaping @Sendable (ModelContext) throws -> Void) {
    self.name = name
    self.item = item
    self.run = run
  }

  func run(in context: ModelContext) throws { try run(context) }
}

/// Makes random changes. Values are few, so that they meet again; a value that is set is never the one that is there.
struct RandomEdits {
  let label: UUID
  private static let names = ["A", "a", "B", "C"]

  func next(_ step: Int, _ random: inout SplitMix64) -> RandomEdit {
    let id = Int.random(in: 1...14, using: &random)
    let name = Self.names.randomElement(using: &random) ?? "A"
    let number = Int.random(in: 1...3, using: &random)
    let person = Bool.random(using: &random) ? "a" : "b"
    switch Int.random(in: 0..<14, using: &random) {
    case 0, 1, 2:
      let item: [String: any Sendable] = ["id": id, "title": "\(name)\(step)", "state": ["id": "open"]]
      return RandomEdit("put ticket \(id)", item: item) { context in
        if let known = try context.model(Ticket.self, id: id) {
          known.title = "\(name)\(step)"
        } else {
          context.insert(Ticket(id: id, title: name))
        }
      }
    case 3:
      return RandomEdit("delete ticket \(id)") { context in
        if let ticket = try context.model(Ticket.self, id: id) { context.delete(ticket) }
      }
    case 4:
      return ticket("estimate", id) { ticket, _ in ticket.estimate = Double((Int(ticket.estimate ?? 0) + number) % 9) }
    case 5: return ticket("state", id) { ticket, _ in ticket.state = ticket.state == .open ? .closed : .open }
    case 6, 7:
      return ticket("move", id) { ticket, context in
        guard let project = try context.model(Project.self, id: number) else { return }
        ticket.project = ticket.project === project ? nil : project
      }
    case 8:
      return ticket("assign", id) { ticket, context in
        guard let person = try context.model(Person.self, id: person) else { return }
        ticket.assignee = ticket.assignee === person ? nil : person
      }
    case 9:
      return RandomEdit("put project \(number)") { context in
        if let known = try context.model(Project.self, id: number) {
          known.name = known.name == name ? "\(name)\(step)" : name
        } else {
          context.insert(Project(id: number, name: name))
        }
      }
    case 10:
      return RandomEdit("project \(number) goes or is another") { context in
        guard let project = try context.model(Project.self, id: number) else { return }
        if step % 3 == 0 { context.delete(project) } else { project.id = 100 + step }
      }
    case 11:
      return RandomEdit("put person \(person)") { context in
        if let known = try context.model(Person.self, id: person) {
          known.name = "\(name)\(step)"
        } else {
          context.insert(Person(id: person, name: name))
        }
      }
    case 12:
      return RandomEdit("put label") { [label] context in
        guard let known = try context.model(Label.self, id: label) else {
          return context.insert(Label(id: label, text: name))
        }
        known.text = known.text == name ? "\(name)\(step)" : name
      }
    default:
      return ticket("label", id) { [label] ticket, context in
        guard let label = try context.model(Label.self, id: label) else { return }
        if let place = ticket.labels.firstIndex(where: { $0 === label }) {
          ticket.labels.remove(at: place)
        } else {
          ticket.labels.append(label)
        }
      }
    }
  }

  private func ticket(
    _ name: String, _ id: Int, _ edit: @escaping @Sendable (Ticket, ModelContext) throws -> Void
  ) -> RandomEdit {
    RandomEdit("\(name) \(id)") { context in
      if let ticket = try context.model(Ticket.self, id: id) { try edit(ticket, context) }
    }
  }
}
