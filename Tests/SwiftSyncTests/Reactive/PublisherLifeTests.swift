import Foundation
import Observation
import Testing

@testable import SwiftSync

@MainActor
@Suite("12.2 Publishers come and go")
struct PublisherLifeTests {
  @Test("12.2 A publisher that is let go is freed at once, and so is what it kept")
  func freed() throws {
    weak var container: SyncContainer?
    weak var publisher: SyncQueryPublisher<Ticket>?
    weak var row: Ticket?
    weak var detail: SyncModelPublisher<Ticket>?
    weak var loading: SyncedQueryPublisher<Project>?
    weak var sections: SyncSectionedQueryPublisher<TicketState, Ticket>?
    do {
      let kept = try trackerWithTickets()
      let list = SyncQueryPublisher(Ticket.self, in: kept, refreshOn: [\.assignee])
      let single = SyncModelPublisher(Ticket.self, id: 11, in: kept)
      let loaded = SyncedQueryPublisher(Project.self, in: kept) {}
      let divided = SyncSectionedQueryPublisher(SyncQueryShape(Ticket.self), sectionBy: \.state, in: kept)
      withObservationTracking {
        _ = (list.rows, single.row, loaded.rows, divided.sections)
      } onChange: {
      }
      list.rows[3].title = "changed"
      try kept.mainContext.save()
      (container, publisher, row, detail, loading, sections) = (kept, list, list.rows[0], single, loaded, divided)
      #expect(container != nil && publisher != nil && row != nil && detail != nil && loading != nil && sections != nil)
    }
    #expect(publisher == nil && detail == nil && loading == nil && sections == nil)
    #expect(row == nil && container == nil)
  }

  @Test("12.2 The context forgets a publisher that is gone, also one that was let go elsewhere")
  func forgotten() async throws {
    let container = try trackerWithTickets()
    let queries: @MainActor () -> Int = { container.mainContext.liveQueries?.count ?? 0 }
    for _ in 0..<1000 { _ = SyncModelPublisher(Ticket.self, id: 11, in: container) }
    #expect(queries() == 0)
    let publisher = SyncQueryPublisher(Ticket.self, in: container)
    #expect(queries() == 1)
    await letGo(elsewhere: consume publisher)
    while queries() > 0 { await Task.yield() }
    // Queries of streams are found gone when the next change looks for them, or when there are many.
    for _ in 0..<1000 { _ = try container.mainContext.snapshots(of: SyncQueryShape(Ticket.self)) }
    #expect(queries() < 600)
    container.mainContext.insert(Ticket(id: 99, title: "new"))
    try container.mainContext.save()
    #expect(queries() == 0)
  }

  private nonisolated func letGo(elsewhere publisher: sending SyncQueryPublisher<Ticket>?) async {
    await Task.detached { _ = publisher }.value
  }

  @Test("12.2 Observers may make and drop publishers, save and reload while they are being told")
  func reentrancy() throws {
    let container = try trackerWithTickets()
    let context = container.mainContext
    let first = SyncQueryPublisher(Ticket.self, in: container, sortBy: [SortDescriptor(\.title)])
    let second = SyncQueryPublisher(Ticket.self, in: container, sortBy: [SortDescriptor(\.title, order: .reverse)])
    var extra: [SyncQueryPublisher<Ticket>] = []
    var lists: [[Int]] = []
    var saves = 0
    let announcements = Announcements {
      lists.append(first.rows.map(\.id))
      // What all publishers show is of one moment, also in the middle of a round.
      #expect(second.rows.map(\.id) == first.rows.map(\.id).reversed())
      guard saves < 3, lists.count > 1 else { return }
      saves += 1
      context.insert(Ticket(id: 100 + saves, title: "Z\(saves)"))
      do { try context.save() } catch { Issue.record(error) }
      extra.append(SyncQueryPublisher(Ticket.self, in: container, sortBy: [SortDescriptor(\.title)]))
      first.reload()
      if extra.count > 1 { extra.removeFirst() }
    }
    context.delete(first.rows[0])
    try context.save()
    #expect(saves == 3 && announcements.count > 3)
    #expect(lists.last?.suffix(3) == [101, 102, 103] && lists.last?.first == 12)
    #expect(extra.last?.rows.map(\.id) == first.rows.map(\.id))
    // No list that was seen is of a moment before the one that was seen last.
    #expect(zip(lists, lists.dropFirst()).allSatisfy { $0.count <= $1.count + 1 })
  }
}
