import Foundation
import TestSupport
import Testing

@testable import SwiftSync

@MainActor
@Suite("12.2 Differences between two values of a query")
struct DifferenceTests {
  @Test("A difference applied to the old list gives the new one, and moves as little as possible", arguments: 0..<20)
  func random(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for _ in 0..<50 {
      let count = Int.random(in: 0...12, using: &random)
      let old = Array(0..<count).shuffled(using: &random)
      var new = old.filter { _ in Int.random(in: 0..<4, using: &random) > 0 }
      if Bool.random(using: &random) { new.shuffle(using: &random) }
      for added in 100..<100 + Int.random(in: 0...4, using: &random) {
        new.insert(added, at: Int.random(in: 0...new.count, using: &random))
      }
      let updated = Set(old.filter { _ in Bool.random(using: &random) })
      let difference = SyncRowsDifference(from: old, to: new) { updated.contains($0) }
      #expect(difference.applying(to: old) { new[$0] } == new)
      #expect(difference.deletions.map { old[$0] } == old.filter { !new.contains($0) })
      #expect(difference.insertions.map { new[$0] } == new.filter { !old.contains($0) })
      #expect(difference.updates.map { new[$0.to] } == new.filter { updated.contains($0) && old.contains($0) })
      #expect(difference.updates.allSatisfy { old[$0.from] == new[$0.to] })
      let kept = new.compactMap { old.firstIndex(of: $0) }
      #expect(difference.moves.count == kept.count - longestAscent(of: kept))
      #expect(difference.isEmpty == (old == new && updated.isDisjoint(with: new)))
    }
  }

  /// The length of the longest ascending run, by trying all of them.
  private func longestAscent(of numbers: [Int]) -> Int {
    var best = [Int](repeating: 1, count: numbers.count)
    for end in numbers.indices {
      for start in 0..<end where numbers[start] < numbers[end] { best[end] = max(best[end], best[start] + 1) }
    }
    return best.max() ?? 0
  }

  @Test("12.2 Snapshots of a publisher differ by what was inserted, deleted, moved and refreshed between them")
  func ofPublisher() async throws {
    let container = try trackerWithTickets()
    let publisher = SyncQueryPublisher(
      Ticket.self, relationship: \.project, relationshipID: 1, in: container, sortBy: [SortDescriptor(\.title)])
    let first = publisher.snapshot
    #expect(first.difference(from: first).isEmpty)
    try await OtherWriter(container.modelContainer).write { context in
      let tickets = try context.tickets(11...14)
      tickets[0].estimate = 1
      tickets[1].title = "Ticket 99"
      context.delete(tickets[2])
      context.insert(Ticket(id: 10, title: "A", project: tickets[0].project))
    }
    let second = publisher.snapshot
    #expect(second.rows.map(\.id) == [10, 11, 14, 12])
    let difference = second.difference(from: first)
    #expect(difference.deletions == [2] && difference.insertions == [0])
    #expect(difference.moves.count == 1)
    #expect(difference.applying(to: first.rows) { second.rows[$0] } == second.rows)
    // The project that all of them are shown with has lost one and got another, which changes nothing in the one that was left alone.
    #expect(difference.updates.map { second.rows[$0.to].id } == [11, 12])
    // Going on from the second value, nothing of that counts again.
    try await container.sync(item: ["id": 1, "name": "Renamed"], as: Project.self)
    let third = publisher.snapshot.difference(from: second)
    #expect(third.updates.count == 4 && third.moves.isEmpty && third.insertions.isEmpty && third.deletions.isEmpty)
    #expect(publisher.snapshot.difference(from: first).insertions == [0])
  }

  @Test("12.2 A row that left a page, changed and came back counts as updated")
  func leftAndCameBack() throws {
    let container = try trackerWithTickets()
    let publisher = SyncQueryPublisher(
      Ticket.self, in: container, sortBy: [SortDescriptor(\.title)], limit: 2)
    let before = publisher.snapshot
    let tickets = try container.mainContext.tickets(11...14)
    for title in ["Ticket 50", "Ticket 12"] {
      tickets[1].title = title
      tickets[1].estimate = (tickets[1].estimate ?? 0) + 1
      try container.mainContext.save()
      tickets[1].state = .open
      try container.mainContext.save()
    }
    #expect(publisher.rows.map(\.id) == [11, 12])
    let difference = publisher.snapshot.difference(from: before)
    #expect(
      difference.updates == [.init(from: 1, to: 1)] && difference.insertions.isEmpty && difference.deletions.isEmpty)
  }
}
