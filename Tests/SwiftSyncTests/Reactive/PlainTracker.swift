import Foundation

@testable import SwiftSync

/// All that a tracker has stored, as plain values: what queries are judged by, without any of the library's means to judge them.
struct PlainTracker {
  struct Project: Equatable {
    var id: Int
    var name: String
    var tickets: Set<PersistentIdentifier>
  }

  struct Person: Equatable {
    var id: String
    var name: String
    var assigned: Set<PersistentIdentifier>
    var reviewed: Set<PersistentIdentifier>
  }

  struct Ticket: Equatable {
    var id: Int
    var title: String
    var state: TicketState
    var estimate: Double?
    var project: PersistentIdentifier?
    var assignee: PersistentIdentifier?
    var reviewer: PersistentIdentifier?
    var labels: Set<PersistentIdentifier>
  }

  struct Label: Equatable {
    var id: UUID
    var text: String
    var tickets: Set<PersistentIdentifier>
  }

  var projects: [PersistentIdentifier: Project] = [:]
  var people: [PersistentIdentifier: Person] = [:]
  var tickets: [PersistentIdentifier: Ticket] = [:]
  var labels: [PersistentIdentifier: Label] = [:]

  init() {}

  /// Reads everything with a context of its own.
  init(of container: ModelContainer) throws {
    let context = ModelContext(container)
    for project in try context.fetch(FetchDescriptor<SwiftSyncTests.Project>()) {
      projects[project.persistentModelID] = Project(
        id: project.id, name: project.name, tickets: Set(project.tickets.map(\.persistentModelID)))
    }
    for person in try context.fetch(FetchDescriptor<SwiftSyncTests.Person>()) {
      people[person.persistentModelID] = Person(
        id: person.id, name: person.name, assigned: Set(person.assignedTickets.map(\.persistentModelID)),
        reviewed: Set(person.reviewedTickets.map(\.persistentModelID)))
    }
    for ticket in try context.fetch(FetchDescriptor<SwiftSyncTests.Ticket>()) {
      tickets[ticket.persistentModelID] = Ticket(
        id: ticket.id, title: ticket.title, state: ticket.state, estimate: ticket.estimate,
        project: ticket.project?.persistentModelID, assignee: ticket.assignee?.persistentModelID,
        reviewer: ticket.reviewer?.persistentModelID, labels: Set(ticket.labels.map(\.persistentModelID)))
    }
    for label in try context.fetch(FetchDescriptor<SwiftSyncTests.Label>()) {
      labels[label.persistentModelID] = Label(
        id: label.id, text: label.text, tickets: Set(label.tickets.map(\.persistentModelID)))
    }
  }

  func project(of ticket: Ticket) -> Project? { ticket.project.flatMap { projects[$0] } }
  func assignee(of ticket: Ticket) -> Person? { ticket.assignee.flatMap { people[$0] } }
  func hasLabel(_ id: UUID, _ ticket: Ticket) -> Bool { ticket.labels.contains { labels[$0]?.id == id } }

  /// All that a screen shows of a ticket and of what it is related to: but not what else is related to that, which leads back to
  /// other tickets.
  func shown(of id: PersistentIdentifier) -> [AnyHashable] {
    guard let ticket = tickets[id] else { return [] }
    var parts: [AnyHashable] = [
      ticket.id, ticket.title, ticket.state, ticket.estimate, ticket.project, ticket.assignee,
    ]
    parts += [ticket.reviewer, ticket.labels] as [AnyHashable]
    if let project = project(of: ticket) { parts += [project.id, project.name] as [AnyHashable] }
    if let person = assignee(of: ticket) { parts += [person.id, person.name, person.reviewed] as [AnyHashable] }
    if let person = ticket.reviewer.flatMap({ people[$0] }) {
      parts += [person.id, person.name, person.assigned] as [AnyHashable]
    }
    let members = ticket.labels.compactMap { labels[$0] }.sorted { $0.id.uuidString < $1.id.uuidString }
    for label in members { parts += [label.id, label.text] as [AnyHashable] }
    return parts
  }
}
