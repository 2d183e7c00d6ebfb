import Foundation
import Observation
import Synchronization
import Testing

@testable import SwiftSync

@Model private final class Draft {
  var text: String

  var savesItself: Bool {
    do {
      try modelContext?.save()
      return true
    } catch {
      return false
    }
  }

  init(text: String) {
    self.text = text
  }
}

@Suite("Observers and computed properties may save, roll back and edit when they are called")
struct ReentrancyTests {
  private struct Refusal: Error {}

  private let container: ModelContainer
  private let context: ModelContext
  private let old = Project(id: 1, name: "old")
  private let new = Project(id: 2, name: "new")
  private let ticket = Ticket(id: 1, title: "t")

  init() throws {
    container = try trackerContainer()
    context = ModelContext(container)
    context.insert(old)
    context.insert(new)
    old.tickets = [ticket]
    try context.save()
  }

  private func storedProject() throws -> Int? {
    try ModelContext(container).fetch(FetchDescriptor<Ticket>()).first?.project?.id
  }

  @Test("A save in willSave does not announce itself again")
  func saveInWillSave() throws {
    // Observers are called by the save below, on this thread.
    nonisolated(unsafe) let context = context
    let calls = Mutex(0)
    let observer = NotificationCenter.default.addObserver(forName: ModelContext.willSave, object: context, queue: nil) {
      _ in
      calls.withLock { $0 += 1 }
      try? context.save()
    }
    defer { NotificationCenter.default.removeObserver(observer) }
    for name in ["a", "b"] {
      old.name = name
      try context.save()
      #expect(!context.hasChanges)
    }
    #expect(calls.withLock { $0 } == 2)
    #expect(try storedProject() == 1)
  }

  @Test(
    "Who is told of one direction of a relationship finds both as they should be",
    arguments: ["to one", "to many"], ["save", "roll back", "look"])
  func bothDirections(side: String, reaction: String) throws {
    nonisolated(unsafe) let (context, new, ticket) = (context, new, ticket)
    let found = Mutex<[Bool]>([])
    let react: @Sendable () -> Void = {
      found.withLock {
        $0.append(ticket.project === new && new.tickets.contains { $0 === ticket } && context.hasChanges)
      }
      switch reaction {
      case "save": try? context.save()
      case "roll back": context.rollback()
      default: break
      }
    }
    if side == "to one" {
      withObservationTracking({ _ = new.tickets }, onChange: react)
      ticket.project = new
    } else {
      withObservationTracking({ _ = ticket.project }, onChange: react)
      new.tickets = [ticket]
    }
    #expect(found.withLock { $0 }.first == true)
    let (holder, other) = reaction == "roll back" ? (old, new) : (new, old)
    #expect(ticket.project === holder && holder.tickets.map(\.id) == [1] && other.tickets.isEmpty)
    #expect(context.hasChanges == (reaction == "look"))
    try context.save()
    #expect(try storedProject() == holder.id)
    #expect(holder.tickets.map(\.id) == [1] && other.tickets.isEmpty)
  }

  @Test("A property that a predicate asks for may save: what it has saved stays")
  func saveInFetch() throws {
    let drafts = try ModelContainer(for: Draft.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    let context = ModelContext(drafts)
    let first = Draft(text: "first")
    context.insert(first)
    try context.save()
    first.text = "edited"
    let second = Draft(text: "second")
    context.insert(second)
    #expect(try context.fetch(FetchDescriptor<Draft>(predicate: #Predicate { $0.savesItself })).count == 2)
    #expect(!second.isDeleted && second.text == "second" && !context.hasChanges)
    #expect(try context.fetchCount(FetchDescriptor<Draft>()) == 2)
    #expect(first.text == "edited")
  }

  @Test("While a transaction is undone, nobody sees the state in between")
  func undoneTransaction() throws {
    nonisolated(unsafe) let ticket = ticket
    ticket.title = "mine"
    let seen = Mutex<Set<String>>([])
    withObservationTracking {
      _ = ticket.title
    } onChange: {
      seen.withLock { _ = $0.insert(ticket.title) }
    }
    #expect(throws: Refusal.self) { try context.transaction { throw Refusal() } }
    #expect(seen.withLock { $0 }.isSubset(of: ["mine"]) && ticket.title == "mine")
  }
}
