import Foundation
import Observation
import Synchronization
import Testing

@testable import SwiftSync

@Suite("To-many relationships: code that runs while a list is being edited uses the same list")
struct NestedMemberEditingTests {
  /// A project of ten tickets, and ten of none.
  private struct Scene: @unchecked Sendable {
    // Used by one test only, on one thread. Observation's closures have to be Sendable.
    let context: ModelContext
    let project = Project(id: 1, name: "p")
    let tickets = (0..<20).map { Ticket(id: $0, title: "t") }

    init() throws {
      context = ModelContext(try trackerContainer())
      tickets.forEach(context.insert)
      context.insert(project)
      project.tickets = Array(tickets[..<10])
      try context.save()
      // There are copies to lend and to take back.
      project.tickets.append(tickets[10])
      try context.save()
    }

    var state: [[Int]] {
      get throws {
        let shown = project.tickets.map(\.id)
        let owned = tickets.filter { $0.project === project }.map(\.id)
        try context.save()
        let stored = try ModelContext(context.container).fetch(FetchDescriptor<Project>())
        return [shown, owned] + stored.map { $0.tickets.map(\.id) }
      }
    }
  }

  private typealias Edit = @Sendable (inout [Ticket], Scene) throws -> Void

  private static let edits: [(name: String, edit: Edit)] = [
    ("reads the list", { list, scene in list.removeAll { scene.project.tickets.first === $0 } }),
    ("counts the list", { list, scene in list.removeAll { $0.id >= scene.project.tickets.count / 2 } }),
    (
      "appends to the list",
      { list, scene in
        list.removeAll { ticket in
          if ticket.id == 3 { scene.project.tickets.append(scene.tickets[12]) }
          return ticket.id == 4
        }
      }
    ),
    (
      "edits within an edit within an edit",
      { list, scene in
        list.removeAll { outer in
          scene.project.tickets.removeAll { inner in
            if inner === outer { scene.project.tickets.swapAt(0, 1) }
            return inner.id == outer.id + 1
          }
          return outer.id % 4 == 0
        }
      }
    ),
    (
      "assigns the list",
      { list, scene in
        list.append(scene.tickets[13])
        scene.project.tickets = [scene.tickets[14]]
        list.append(scene.tickets[15])
      }
    ),
    (
      "edits the other direction",
      { list, scene in
        list.append(scene.tickets[13])
        scene.tickets[2].project = nil
        scene.tickets[16].project = scene.project
        list.removeFirst()
      }
    ),
    (
      "saves",
      { list, scene in
        list.append(scene.tickets[13])
        scene.project.tickets.removeLast()
        try scene.context.save()
        list.removeFirst()
      }
    ),
    (
      "rolls back",
      { list, scene in
        scene.project.tickets.removeLast()
        list.append(scene.tickets[13])
        scene.context.rollback()
        list.removeFirst()
      }
    ),
    (
      "undoes a transaction",
      { list, scene in
        list.append(scene.tickets[13])
        try? scene.context.transaction {
          scene.project.tickets.removeAll()
          throw CancellationError()
        }
        list.removeFirst()
      }
    ),
    (
      "deletes a member",
      { list, scene in
        scene.context.delete(scene.tickets[5])
        list.append(scene.tickets[13])
      }
    ),
    (
      "appends an object that names its owner",
      { list, scene in list.append(Ticket(id: 30, title: "t", project: scene.project)) }
    ),
    (
      "appends what the other direction has appended",
      { list, scene in
        scene.tickets[17].project = scene.project
        list += [scene.tickets[17], scene.tickets[18]]
      }
    ),
    (
      "throws",
      { list, scene in
        list.append(scene.tickets[13])
        scene.project.tickets.removeLast()
        throw CancellationError()
      }
    ),
  ]

  @Test("An edit in place comes to what reading, editing a copy and assigning it come to", arguments: edits.indices)
  func nested(index: Int) throws {
    let edit = Self.edits[index].edit
    let (inPlace, assigned) = (try Scene(), try Scene())
    try? edit(&inPlace.project.tickets, inPlace)
    var copy = assigned.project.tickets
    try? edit(&copy, assigned)
    assigned.project.tickets = copy
    #expect(try inPlace.state == assigned.state, "\(Self.edits[index].name)")
  }

  @Test("An observer that edits the list when it is told has edited the list before the edit that it was told of")
  func editingObserver() throws {
    let scene = try Scene()
    // Observation calls an observer again when it changes what it observes.
    let isTold = Atomic(false)
    withObservationTracking {
      _ = scene.project.tickets
    } onChange: {
      if isTold.exchange(true, ordering: .relaxed) { return }
      scene.project.tickets.append(scene.tickets[19])
      #expect(scene.tickets[19].project === scene.project)
    }
    scene.project.tickets.removeFirst()
    #expect(try scene.state == [Array(1...10), Array(1...10), Array(1...10)])
    #expect(scene.tickets[19].project == nil)
  }

  @Test("A member's observer that edits the list when it is told finds the list that is meant")
  func editingMemberObserver() throws {
    let scene = try Scene()
    withObservationTracking {
      _ = scene.tickets[11].project
    } onChange: {
      #expect(scene.project.tickets.last === scene.tickets[11])
      scene.project.tickets.append(scene.tickets[19])
    }
    scene.project.tickets.append(scene.tickets[11])
    let expected = Array(0...11) + [19]
    #expect(try scene.state == [expected, expected, expected])
  }
}
