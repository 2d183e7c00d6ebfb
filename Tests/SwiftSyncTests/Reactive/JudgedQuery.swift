import Foundation

@testable import SwiftSync

/// A query of tickets in two forms: as the library gets it, and as closures over plain values, which say from scratch what it must
/// show and what may be a reason to fetch.
struct JudgedQuery {
  let name: String
  let shape: SyncQueryShape<Ticket>
  let isMember: (PlainTracker.Ticket, PlainTracker) -> Bool
  /// What the order compares, as a list of values; nil sorts first.
  var order: (PlainTracker.Ticket, PlainTracker) -> [Key?] = { _, _ in [] }
  /// The objects whose identity limits the query.
  var limits: (PlainTracker) -> Set<PersistentIdentifier> = { _ in [] }
  /// Whether the library evaluates the predicate in Swift, so that it cannot tell a change that keeps the predicate's truth.
  var isEvaluated = false

  enum Key: Comparable {
    case text(String)
    case number(Double)
  }

  /// The rows and where they begin and end among all that match.
  func rows(in state: PlainTracker) -> [PersistentIdentifier] {
    let matching = allRows(in: state).dropFirst(shape.offset ?? 0)
    return shape.limit.map { Array(matching.prefix($0)) } ?? Array(matching)
  }

  private func allRows(in state: PlainTracker) -> [PersistentIdentifier] {
    state.tickets.filter { isMember($0.value, state) }.map { (id: $0.key, keys: order($0.value, state)) }.sorted {
      left, right in
      for (one, other) in zip(left.keys, right.keys) where one != other {
        guard let one else { return true }
        guard let other else { return false }
        return one < other
      }
      return left.id.number < right.id.number
    }.map(\.id)
  }

  /// Whether a change may have been a reason to fetch: a row came or went, or one that stays has another place in the order's terms, or
  /// the object that limits the query did. With a limit that counts for the rows that are shown, before or after; with an offset for all in front of
  /// them too.
  func mayFetch(_ before: PlainTracker, _ after: PlainTracker) -> Bool {
    let old = rows(in: before)
    let new = rows(in: after)
    if old != new || limits(before) != limits(after) { return true }
    let end = shape.limit.map { $0 + (shape.offset ?? 0) }
    let isPaged = (shape.offset ?? 0) > 0
    let shown = Set(isPaged ? end.map { Array(allRows(in: before).prefix($0)) } ?? allRows(in: before) : old)
    for id in Set(before.tickets.keys).union(after.tickets.keys) {
      let was = before.tickets[id]
      let isNow = after.tickets[id]
      // In front of the first row that is shown, nothing is known of rows that are gone.
      if isPaged, was != nil, isNow == nil { return true }
      if isPaged, was == nil, let place = allRows(in: after).firstIndex(of: id), end.map({ place < $0 }) != false {
        return true
      }
      if isPaged, let was, let isNow, decides(was, before) != decides(isNow, after) { return true }
      guard shown.contains(id), let was, let isNow else { continue }
      if order(was, before) != order(isNow, after) { return true }
    }
    guard isEvaluated else { return false }
    return Set(before.tickets.keys).union(after.tickets.keys).contains { before.tickets[$0] != after.tickets[$0] }
  }

  private func decides(_ ticket: PlainTracker.Ticket, _ state: PlainTracker) -> [Key?] {
    [.number(isMember(ticket, state) ? 1 : 0)] + order(ticket, state)
  }

  /// Whether what is shown of the rows has changed.
  func isRefreshed(_ before: PlainTracker, _ after: PlainTracker) -> Bool {
    rows(in: after).contains { before.shown(of: $0) != after.shown(of: $0) }
  }
}

extension JudgedQuery {
  /// One of each kind.
  static func all(label: UUID) -> [JudgedQuery] {
    let byTitle = [SortDescriptor(\Ticket.title)]
    let title: (PlainTracker.Ticket, PlainTracker) -> [Key?] = { ticket, _ in [.text(ticket.title)] }
    let estimate: (PlainTracker.Ticket, PlainTracker) -> [Key?] = { ticket, _ in [ticket.estimate.map { .number($0) }] }
    let open = TicketState.open
    var queries = [
      JudgedQuery(name: "all", shape: SyncQueryShape()) { _, _ in true },
      JudgedQuery(
        name: "all by title", shape: SyncQueryShape(sortBy: byTitle), isMember: { _, _ in true }, order: title),
      JudgedQuery(
        name: "open", shape: SyncQueryShape(predicate: #Predicate { $0.state == open }, sortBy: byTitle),
        isMember: { ticket, _ in ticket.state == .open }, order: title),
      JudgedQuery(
        name: "estimated above 4, by estimate",
        shape: SyncQueryShape(predicate: #Predicate { ($0.estimate ?? 0) > 4 }, sortBy: [SortDescriptor(\.estimate)]),
        isMember: { ticket, _ in (ticket.estimate ?? 0) > 4 }, order: estimate),
      JudgedQuery(
        name: "of a project by its name",
        shape: SyncQueryShape(predicate: #Predicate { $0.project?.name == "A" }, sortBy: byTitle),
        isMember: { ticket, state in state.project(of: ticket)?.name == "A" }, order: title),
      JudgedQuery(
        name: "by the project's name", shape: SyncQueryShape(sortBy: [SortDescriptor(\.project?.name)]),
        isMember: { _, _ in true }, order: { ticket, state in [state.project(of: ticket).map { .text($0.name) }] }),
      JudgedQuery(
        name: "the first five by title", shape: SyncQueryShape(sortBy: byTitle, limit: 5), isMember: { _, _ in true },
        order: title),
      JudgedQuery(
        name: "the fourth to seventh by estimate",
        shape: SyncQueryShape(sortBy: [SortDescriptor(\.estimate)], limit: 4, offset: 3), isMember: { _, _ in true },
        order: estimate),
      JudgedQuery(
        name: "with a label",
        shape: SyncQueryShape(relationship: \.labels, relationshipID: label, sortBy: byTitle),
        isMember: { ticket, state in state.hasLabel(label, ticket) }, order: title,
        limits: { state in Set(state.labels.filter { $0.value.id == label }.keys) }),
      JudgedQuery(
        name: "with a label of a text",
        shape: SyncQueryShape(predicate: #Predicate { $0.labels.contains { $0.text == "A" } }),
        isMember: { ticket, state in ticket.labels.contains { state.labels[$0]?.text == "A" } }),
      JudgedQuery(
        name: "evaluated in Swift",
        shape: SyncQueryShape(predicate: #Predicate { $0.title.localizedLowercase == "a" }),
        isMember: { ticket, _ in ticket.title.lowercased() == "a" }, isEvaluated: true),
    ]
    for project in 1...3 {
      queries.append(
        JudgedQuery(
          name: "of project \(project)",
          shape: SyncQueryShape(relationship: \.project, relationshipID: project, sortBy: byTitle),
          isMember: { ticket, state in state.project(of: ticket)?.id == project }, order: title,
          limits: { state in Set(state.projects.filter { $0.value.id == project }.keys) }))
    }
    queries.append(
      JudgedQuery(
        name: "of project 2, estimated above 4",
        shape: SyncQueryShape(
          relationship: \.project, relationshipID: 2, predicate: #Predicate { ($0.estimate ?? 0) > 4 }, sortBy: byTitle),
        isMember: { ticket, state in state.project(of: ticket)?.id == 2 && (ticket.estimate ?? 0) > 4 }, order: title,
        limits: { state in Set(state.projects.filter { $0.value.id == 2 }.keys) }))
    for person in ["a", "b"] {
      queries.append(
        JudgedQuery(
          name: "assigned to \(person)",
          shape: SyncQueryShape(relationship: \.assignee, relationshipID: person, sortBy: byTitle, limit: 3),
          isMember: { ticket, state in state.assignee(of: ticket)?.id == person }, order: title,
          limits: { state in Set(state.people.filter { $0.value.id == person }.keys) }))
    }
    for id in 1...6 {
      queries.append(
        JudgedQuery(name: "ticket \(id)", shape: SyncQueryShape(id: id)) { ticket, _ in ticket.id == id })
    }
    return queries
  }
}
