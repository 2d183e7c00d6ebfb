import Foundation
import TestSupport
import Testing

@testable import SwiftSync

/// Random commits, by the main context, by another one on the main actor, by one elsewhere and by syncs, against queries of every kind.
/// And random commits by other processes.
// Serialized, because each process that is waited for takes a thread from the tasks.
@MainActor
@Suite("12.1 12.2 Random commits against queries from scratch", .serialized, .timeLimit(.minutes(20)))
struct RandomCommitTests {
  @Test("12.2 The same rows in the same order, and no fetch for what could not matter", arguments: 1...6)
  func commits(seed: UInt64) async throws {
    var random = SplitMix64(seed: seed)
    let container = SyncContainer(try trackerContainer())
    let label = UUID()
    let edits = RandomEdits(label: label)
    let other = ModelContext(container.modelContainer)
    let elsewhere = OtherWriter(container.modelContainer)
    var queries = try WatchedQueries(label: label, in: container)
    for step in 0..<80 {
      let edit = edits.next(step, &random)
      switch Int.random(in: 0..<4, using: &random) {
      case 0:
        try edit.run(in: container.mainContext)
        try container.mainContext.save()
      case 1:
        try edit.run(in: other)
        try other.save()
      case 2: try await elsewhere.write { try edit.run(in: $0) }
      default:
        if let item = edit.item {
          try await container.sync(item: item, as: Ticket.self)
        } else {
          try await elsewhere.write { try edit.run(in: $0) }
        }
      }
      try queries.check("seed \(seed), step \(step) (\(edit.name))")
    }
  }

  /// Every process makes a few commits, of which the main context hears without a call.
  @Test("The same of what other processes commit", arguments: [11, 12] as [UInt64])
  func processes(seed: UInt64) async throws {
    let folder = try TemporaryFolder()
    let url = URL(fileURLWithPath: folder["store"])
    let label = UUID()
    try Self.container(url, writes: true).close()
    let container = SyncContainer(try Self.container(url, writes: false))
    var queries = try WatchedQueries(label: label, in: container)
    var changes = container.modelContainer.changes.makeAsyncIterator()
    var token = try container.modelContainer.lastHistoryToken()
    for round in 0..<12 {
      let steps = round % 3 == 0 ? 30 : 1
      await #expect(processExitsWith: .success) {
        [url = url as URL, label = label as UUID, seed = seed as UInt64, round = round as Int, steps = steps as Int] in
        let writer = try Self.container(url, writes: true)
        defer { writer.close() }
        var random = SplitMix64(seed: seed * 1000 + UInt64(round))
        let edits = RandomEdits(label: label)
        for step in 0..<steps {
          let context = ModelContext(writer)
          try edits.next(round * 100 + step, &random).run(in: context)
          try context.save()
        }
      }
      let last = try container.modelContainer.lastHistoryToken()
      while token != last, case .committed(let commit) = try await changes.next() { token = try #require(commit.token) }
      // The job that brings the main context up to date stands in the main actor's queue already.
      await Task.yield()
      try queries.check("seed \(seed), round \(round)", afterSeveral: steps > 1)
    }
  }

  private nonisolated static func container(_ url: URL, writes: Bool) throws -> ModelContainer {
    try ModelContainer(
      for: Project.self, LooseNote.self, Node.self, Passport.self,
      configurations: ModelConfiguration(url: url, allowsSave: writes))
  }
}
