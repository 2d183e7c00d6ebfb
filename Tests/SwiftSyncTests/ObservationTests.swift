import Observation
import SwiftSync
import Synchronization
import Testing

@Suite("Observation: who reads a property is told when it changes (contract, section 2.2-21)")
struct ObservationTests {
  /// Counts the changes of what a closure reads.
  private func changes(of read: () -> Void, during write: () throws -> Void) rethrows -> Int {
    let count = Counter()
    withObservationTracking(read) { count.value.add(1, ordering: .relaxed) }
    try write()
    return count.value.load(ordering: .relaxed)
  }

  private final class Counter: Sendable {
    let value = Atomic(0)
  }

  @Test("An attribute's setter notifies, during the mutation; another attribute's does not")
  func attributes() throws {
    let project = Project(id: 1, name: "p")
    #expect(changes(of: { _ = project.name }, during: { project.name = "q" }) == 1)
    #expect(changes(of: { _ = project.name }, during: { project.id = 2 }) == 0)
  }

  @Test("A membership notifies when it changes from its own side and from the other")
  func memberships() throws {
    let context = ModelContext(try trackerContainer())
    let project = Project(id: 1, name: "p")
    let ticket = Ticket(id: 1, title: "t")
    context.insert(project)
    context.insert(ticket)
    try context.save()
    #expect(changes(of: { _ = project.tickets.count }, during: { project.tickets = [ticket] }) == 1)
    #expect(changes(of: { _ = project.tickets.count }, during: { ticket.project = nil }) == 1)
    #expect(changes(of: { _ = ticket.project }, during: { project.tickets = [ticket] }) == 1)
  }

  @Test("A refresh by a fetch notifies what differs, and only that")
  func refresh() throws {
    let container = try trackerContainer()
    let writer = ModelContext(container)
    let reader = ModelContext(container)
    let ticket = Ticket(id: 1, title: "t")
    writer.insert(ticket)
    try writer.save()
    let seen = try #require(try reader.fetch(FetchDescriptor<Ticket>()).first)
    ticket.title = "u"
    try writer.save()
    #expect(try changes(of: { _ = seen.title }, during: { _ = try reader.fetch(FetchDescriptor<Ticket>()) }) == 1)
    ticket.title = "v"
    try writer.save()
    #expect(try changes(of: { _ = seen.estimate }, during: { _ = try reader.fetch(FetchDescriptor<Ticket>()) }) == 0)
  }

  @Test("A rollback notifies what it reverts")
  func rollback() throws {
    let context = ModelContext(try trackerContainer())
    let ticket = Ticket(id: 1, title: "t")
    context.insert(ticket)
    try context.save()
    ticket.title = "u"
    #expect(changes(of: { _ = ticket.title }, during: { context.rollback() }) == 1)
    #expect(ticket.title == "t")
  }
}
