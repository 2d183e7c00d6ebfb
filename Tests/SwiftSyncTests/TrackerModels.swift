import Foundation
import SwiftSync

// An issue tracker: one-to-many with an explicit inverse, several relationships between one pair of models, many-to-many,
// one-sided to-many, an enum, and identities of three types.

@Syncable @Model final class Project {
  @Attribute(.unique) var id: Int
  var name: String
  @Relationship(deleteRule: .cascade, inverse: \Ticket.project) var tickets: [Ticket]

  init(id: Int, name: String, tickets: [Ticket] = []) {
    self.id = id
    self.name = name
    self.tickets = tickets
  }
}

enum TicketState: String, Codable, CaseIterable {
  case open, closed
}

@Syncable @Model final class Ticket {
  @Attribute(.unique) var id: Int
  var title: String
  @RemoteKey("description") var descriptionText: String?
  @RemoteKey("state.id") var state: TicketState
  var estimate: Double?
  var dueAt: Date?
  var project: Project?
  var assignee: Person?
  var reviewer: Person?
  @Relationship(inverse: \Label.tickets) var labels: [Label]
  @NotExport var watchers: [Watcher]

  init(id: Int, title: String, state: TicketState = .open, project: Project? = nil, assignee: Person? = nil) {
    self.id = id
    self.title = title
    self.state = state
    self.project = project
    self.assignee = assignee
    self.labels = []
    self.watchers = []
  }
}

@Syncable @Model final class Person {
  @Attribute(.unique) var id: String
  var name: String
  @NotExport @Relationship(inverse: \Ticket.assignee) var assignedTickets: [Ticket]
  @NotExport @Relationship(inverse: \Ticket.reviewer) var reviewedTickets: [Ticket]

  init(id: String, name: String) {
    self.id = id
    self.name = name
    self.assignedTickets = []
    self.reviewedTickets = []
  }
}

@Syncable @Model final class Label {
  @Attribute(.unique) var id: UUID
  var text: String
  @NotExport var tickets: [Ticket]

  init(id: UUID = UUID(), text: String) {
    self.id = id
    self.text = text
    self.tickets = []
  }
}

/// Known only from the ticket's side.
@Model final class Watcher {
  var address: String

  init(address: String) {
    self.address = address
  }
}

/// No unique attribute: rows with one identity may coexist.
@Syncable @Model final class LooseNote {
  var id: Int
  var text: String

  init(id: Int, text: String) {
    self.id = id
    self.text = text
  }
}

/// A tree, and two nodes that may point at each other.
@Syncable @Model final class Node {
  @Attribute(.unique) var id: Int
  @Relationship(inverse: \Node.children) var parent: Node?
  @NotExport var children: [Node]
  var next: Node?

  init(id: Int) {
    self.id = id
    self.children = []
  }
}

@Model final class Passport {
  var number: String
  @Relationship(inverse: \Traveller.passport) var owner: Traveller?

  init(number: String) {
    self.number = number
  }
}

@Model final class Traveller {
  var name: String
  var passport: Passport?

  init(name: String) {
    self.name = name
  }
}

func trackerContainer() throws -> ModelContainer {
  try ModelContainer(
    for: Project.self, LooseNote.self, Node.self, Passport.self,
    configurations: ModelConfiguration(isStoredInMemoryOnly: true))
}
