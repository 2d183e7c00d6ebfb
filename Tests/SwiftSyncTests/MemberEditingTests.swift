import Foundation
import Observation
import Synchronization
import TestSupport
import Testing

@testable import SwiftSync

/// An edit of a list, made in the list or in a copy of it. The pool has objects that may be put in.
private struct ListEdit: CustomTestStringConvertible, Sendable {
  typealias Body = @Sendable (inout [Ticket], [Ticket], inout SplitMix64) throws -> Void

  let name: String
  let run: Body

  init(_ name: String, _ run: @escaping Body) {
    self.name = name
    self.run = run
  }

  var testDescription: String { name }

  static let all = [
    ListEdit("append") { list, pool, random in list.append(pool[random.below(pool.count)]) },
    ListEdit("append several, one twice") { list, pool, random in
      let start = random.below(pool.count)
      list += pool[start...].prefix(3) + [pool[start]]
    },
    ListEdit("insert") { list, pool, random in
      list.insert(pool[random.below(pool.count)], at: random.below(list.count + 1))
    },
    ListEdit("insert in front") { list, pool, random in list.insert(pool[random.below(pool.count)], at: 0) },
    ListEdit("remove") { list, _, random in if !list.isEmpty { list.remove(at: random.below(list.count)) } },
    ListEdit("remove first") { list, _, _ in if !list.isEmpty { list.removeFirst() } },
    ListEdit("remove last") { list, _, _ in _ = list.popLast() },
    ListEdit("remove some") { list, _, random in
      let kept = random.below(3)
      list.removeAll { $0.id % 3 == kept }
    },
    ListEdit("remove all") { list, _, _ in list.removeAll() },
    ListEdit("remove all, keep the capacity") { list, _, _ in list.removeAll(keepingCapacity: true) },
    ListEdit("swap") { list, _, random in
      if list.count > 1 { list.swapAt(random.below(list.count), random.below(list.count)) }
    },
    ListEdit("replace one") { list, pool, random in
      if !list.isEmpty { list[random.below(list.count)] = pool[random.below(pool.count)] }
    },
    ListEdit("replace a range") { list, pool, random in
      let start = random.below(list.count + 1)
      list.replaceSubrange(start..<min(list.count, start + 2), with: pool[random.below(pool.count)...].prefix(3))
    },
    ListEdit("edit a slice") { list, _, _ in list[(list.count / 3)..<(list.count / 2)].reverse() },
    ListEdit("sort") { list, _, _ in list.sort { $0.id < $1.id } },
    ListEdit("shuffle") { list, _, random in list.shuffle(using: &random) },
    ListEdit("reverse") { list, _, _ in list.reverse() },
    ListEdit("assign") { list, pool, random in list = Array(pool.shuffled(using: &random).prefix(20)) },
    ListEdit("change nothing") { list, _, _ in list.reserveCapacity(list.count + 10) },
    ListEdit("change and undo") { list, pool, _ in
      list.append(pool[0])
      list.removeLast()
    },
    ListEdit("throw in the middle") { list, pool, random in
      list.append(pool[random.below(pool.count)])
      throw Refusal()
    },
  ]
}

private struct Refusal: Error {}

@Suite("To-many relationships: editing a list where it lies is reading it, editing a copy and assigning that")
struct MemberEditingTests {
  private let container: ModelContainer
  private let context: ModelContext
  private let project = Project(id: 1, name: "p")
  private let tickets = (0..<40).map { Ticket(id: $0, title: "t") }

  init() throws {
    container = try trackerContainer()
    context = ModelContext(container)
  }

  /// Enters the project with some members.
  private func fill(_ count: Int, saving saves: Bool = true) throws {
    tickets.forEach(context.insert)
    context.insert(project)
    project.tickets = Array(tickets[..<count])
    if saves { try context.save() }
  }

  /// A list with each object once.
  private func distinct(_ list: [Ticket]) -> [Ticket] {
    var seen: Set<ObjectIdentifier> = []
    return list.filter { seen.insert(ObjectIdentifier($0)).inserted }
  }

  private func expectMembers(_ expected: [Ticket], _ comment: Comment) {
    #expect(project.tickets.map(\.id) == expected.map(\.id), comment)
    let owned = tickets.filter { $0.project === project }.map(\.id)
    #expect(owned == expected.map(\.id).sorted(), comment)
  }

  private func expectStored(_ expected: [Ticket], _ comment: Comment) throws {
    let stored = try ModelContext(container).fetch(FetchDescriptor<Project>()).first?.tickets.map(\.id)
    #expect(stored == expected.map(\.id), comment)
    #expect(try container.core.store.read { try $0.checkInvariants() }.isEmpty, comment)
  }

  @Test(
    "Every edit against an array: of an object outside of a context, of a new one and of a stored one",
    arguments: ["unmanaged", "new", "stored"])
  func edits(owner: String) throws {
    switch owner {
    case "unmanaged": project.tickets = Array(tickets[..<20])
    case "new": try fill(20, saving: false)
    default: try fill(20)
    }
    var random = SplitMix64(seed: 11)
    var model = Array(tickets[..<20])
    for step in 0..<400 {
      let edit = ListEdit.all[random.below(ListEdit.all.count)]
      var copyOfRandom = random
      do { try edit.run(&model, tickets, &copyOfRandom) } catch {}
      model = distinct(model)
      do { try edit.run(&project.tickets, tickets, &random) } catch {}
      expectMembers(model, "\(step): \(edit.name)")
      if owner == "stored", random.chance(10) {
        try context.save()
        try expectStored(model, "\(step): \(edit.name)")
        expectMembers(model, "saved")
      }
    }
  }

  @Test("Each edit tells observers once, who find the old members then, and a read of a member tells nobody")
  func observation() throws {
    try fill(20)
    nonisolated(unsafe) let project = project
    var random = SplitMix64(seed: 5)
    for edit in ListEdit.all {
      let before = project.tickets.map(\.id)
      let found = Mutex<[[Int]]>([])
      withObservationTracking {
        _ = project.tickets
      } onChange: {
        found.withLock { $0.append(project.tickets.map(\.id)) }
      }
      project.tickets.first?.title = "read and not edited"
      _ = project.tickets.count + project.tickets[0...].count
      #expect(found.withLock { $0 }.isEmpty)
      do { try edit.run(&project.tickets, tickets, &random) } catch {}
      #expect(found.withLock { $0 } == [before], "\(edit.name)")
    }
  }

  @Test("An element that is used, and not replaced, does not make its owner edited")
  func readsAreNoEdits() throws {
    try fill(20)
    project.tickets[3].title = "edited"
    for ticket in project.tickets { _ = ticket.title }
    #expect(context.changedModelsArray.map(\.persistentModelID) == [tickets[3].persistentModelID])
  }

  @Test("Undone transactions and rollbacks bring back what was there, saved or not")
  func undo() throws {
    try fill(20)
    var random = SplitMix64(seed: 17)
    var saved = Array(tickets[..<20])
    for round in 0..<40 {
      var unsaved = saved
      if round.isMultiple(of: 2) {
        project.tickets.append(tickets[20 + round % 20])
        unsaved = distinct(saved + [tickets[20 + round % 20]])
      }
      #expect(throws: Refusal.self) {
        try context.transaction {
          for _ in 0..<3 {
            let edit = ListEdit.all[random.below(ListEdit.all.count)]
            do { try edit.run(&project.tickets, tickets, &random) } catch {}
          }
          throw Refusal()
        }
      }
      expectMembers(unsaved, "\(round) undone")
      project.tickets.swapAt(0, 1)
      project.tickets.removeLast()
      unsaved.swapAt(0, 1)
      unsaved.removeLast()
      expectMembers(unsaved, "\(round) edited after that")
      if round.isMultiple(of: 3) {
        context.rollback()
      } else {
        try context.save()
        saved = unsaved
      }
      expectMembers(saved, "\(round) over")
      if saved.count < 10 {
        saved = tickets
        project.tickets = tickets
        try context.save()
      }
    }
    try expectStored(saved, "in the end")
  }

  @Test("A new object may be where one was freed that had been replaced, and is another one")
  func freedObjects() {
    for id in 0..<200 {
      project.tickets.append(Ticket(id: id, title: "t"))
      for place in project.tickets.indices.suffix(2) {
        project.tickets[place] = Ticket(id: 1_000 + id, title: "t")
        #expect(project.tickets[place].project === project)
      }
      let new = Ticket(id: 2_000 + id, title: "t")
      project.tickets.removeLast()
      project.tickets.append(new)
      #expect(new.project === project)
    }
  }
}
