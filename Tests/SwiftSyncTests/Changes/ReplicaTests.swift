import Foundation
import SwiftSync
import TestSupport
import Testing

/// Which rows there are, kept up to date by nothing but a stream of changes.
private struct Replica {
  private(set) var identifiers: Set<PersistentIdentifier> = []
  private(set) var token: DefaultHistoryToken

  init(of container: ModelContainer) throws {
    token = try container.lastHistoryToken()
  }

  /// Applies an element. Whatever a commit says must fit what is known.
  mutating func apply(_ element: ChangeStream.Element) throws {
    guard case .committed(let commit) = element else {
      Issue.record("\(element)")
      return
    }
    token = try #require(commit.token)
    for rows in commit.rows {
      #expect(identifiers.isDisjoint(with: rows.inserted))
      identifiers.formUnion(rows.inserted)
      for update in rows.updated { #expect(identifiers.contains(update.identifier)) }
      #expect(identifiers.isSuperset(of: rows.deleted))
      identifiers.subtract(rows.deleted)
    }
  }
}

/// The objects of a main context, kept alive.
@MainActor private final class KeptMemos {
  private let context: ModelContext
  private var memos: [Memo] = []

  init(_ container: ModelContainer) {
    context = container.mainContext
  }

  func fetch() throws { memos = try context.fetch(FetchDescriptor<Memo>()) }

  var isEmpty: Bool { memos.isEmpty }
  var belongToContext: Bool { memos.allSatisfy { $0.isDeleted || $0.modelContext === context } }
}

// The stream is followed outside of the main actor, where each element would wait for the turns of other tests.
@Suite("Whoever follows the stream of changes has what the store has", .timeLimit(.minutes(20)))
struct ReplicaTests {
  /// Edits at random, and saves at random moments.
  private static func edit(_ container: ModelContainer, seed: UInt64, turns: Int) throws {
    var random = SplitMix64(seed: seed)
    let context = ModelContext(container)
    var mine: [Memo] = []
    for turn in 0..<turns {
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<4:
        let memo = Memo(id: "\(seed) \(turn)")
        context.insert(memo)
        mine.append(memo)
      case 4..<7:
        mine.randomElement(using: &random)?.text = "\(turn)"
      case 7:
        if let first = mine.randomElement(using: &random), let second = mine.randomElement(using: &random) {
          first.related = [second]
        }
      default:
        guard !mine.isEmpty else { continue }
        context.delete(mine.remove(at: Int.random(in: 0..<mine.count, using: &random)))
      }
      if Int.random(in: 0..<4, using: &random) == 0 { try context.save() }
    }
    try context.save()
  }

  @MainActor private static func compare(_ replica: Replica, with container: ModelContainer) throws {
    let stored = try ModelContext(container).fetchIdentifiers(FetchDescriptor<Memo>())
    #expect(replica.identifiers == Set(stored) && !stored.isEmpty)
    // The objects of a context that was there all the time show what those of a new one do.
    let shown = try container.mainContext.fetch(FetchDescriptor<Memo>(sortBy: [SortDescriptor(\.id)]))
    let read = try ModelContext(container).fetch(FetchDescriptor<Memo>(sortBy: [SortDescriptor(\.id)]))
    #expect(shown.map(\.text) == read.map(\.text))
    #expect(shown.map { $0.related.map(\.id) } == read.map { $0.related.map(\.id) })
  }

  @Test("beside several contexts of the same process", arguments: [1, 2] as [UInt64])
  func contexts(seed: UInt64) async throws {
    let container = try memoContainer()
    var replica = try Replica(of: container)
    let kept = await KeptMemos(container)
    async let edits: Void = withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<3 as Range<UInt64> {
        group.addTask { try await OtherThread.run { try Self.edit(container, seed: seed * 10 + number, turns: 200) } }
      }
      try await group.waitForAll()
    }
    var changes = try container.changes(since: replica.token).makeAsyncIterator()
    for round in 0..<50 {
      guard let element = try await changes.next() else { break }
      try replica.apply(element)
      if round % 10 == 0 { try await kept.fetch() }
    }
    try await edits
    let last = try container.lastHistoryToken()
    while replica.token != last, let element = try await changes.next() { try replica.apply(element) }
    try await Self.compare(replica, with: container)
    #expect(await kept.belongToContext)
  }

  @Test("beside a process that writes", arguments: [3, 4] as [UInt64])
  func process(seed: UInt64) async throws {
    let folder = try TemporaryFolder()
    let url = URL(fileURLWithPath: folder["store"])
    try ModelContainer(for: Memo.self, configurations: ModelConfiguration(url: url)).close()
    let reader = try ModelContainer(for: Memo.self, configurations: ModelConfiguration(url: url, allowsSave: false))
    var replica = try Replica(of: reader)
    var changes = reader.changes.makeAsyncIterator()
    let kept = await KeptMemos(reader)
    for round in 0..<3 as Range<UInt64> {
      let number = seed * 10 + round
      await #expect(processExitsWith: .success) { [url = url as URL, number = number as UInt64] in
        let writer = try ModelContainer(for: Memo.self, configurations: ModelConfiguration(url: url))
        try Self.edit(writer, seed: number, turns: 150)
      }
      let last = try reader.lastHistoryToken()
      while replica.token != last, let element = try await changes.next() { try replica.apply(element) }
      try await Self.compare(replica, with: reader)
      try await kept.fetch()
    }
    #expect(await !kept.isEmpty)
  }
}
