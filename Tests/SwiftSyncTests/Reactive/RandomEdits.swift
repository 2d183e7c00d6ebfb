import Foundation
import TestSupport

@testable import SwiftSync

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
