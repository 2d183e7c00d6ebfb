import Foundation
import Observation

@testable import SwiftSync

/// A tracker in memory with some rows: projects 1 to 3, four tickets for each of them, of which every second is closed.
@MainActor
func trackerWithTickets() throws -> SyncContainer {
  let container = SyncContainer(try trackerContainer())
  let context = container.mainContext
  for number in 1...3 {
    let project = Project(id: number, name: "Project \(number)")
    context.insert(project)
    for ticket in 1...4 {
      let id = number * 10 + ticket
      context.insert(
        Ticket(id: id, title: "Ticket \(id)", state: ticket % 2 == 0 ? .closed : .open, project: project))
    }
  }
  try context.save()
  return container
}

/// Counts how often something that a closure reads is announced to have changed.
@MainActor
final class Announcements {
  private(set) var count = 0
  private let read: @MainActor () -> Void

  init(of read: @escaping @MainActor () -> Void) {
    self.read = read
    track()
  }

  private func track() {
    withObservationTracking(read) { [weak self] in
      MainActor.assumeIsolated {
        self?.count += 1
        self?.track()
      }
    }
  }
}

/// Writes with a context of its own, off the main actor.
actor OtherWriter {
  private let container: ModelContainer

  init(_ container: ModelContainer) {
    self.container = container
  }

  func write(_ edit: @Sendable (ModelContext) throws -> Void) throws {
    let context = ModelContext(container)
    try edit(context)
    try context.save()
  }
}

extension ModelContext {
  /// The objects with some identities, which must be there.
  func tickets(_ ids: ClosedRange<Int>) throws -> [Ticket] {
    let lower = ids.lowerBound
    let upper = ids.upperBound
    return try fetch(
      FetchDescriptor<Ticket>(
        predicate: #Predicate { $0.id >= lower && $0.id <= upper }, sortBy: [SortDescriptor(\.id)]))
  }
}
