import Glibc
import Synchronization
import TestSupport
import Testing

@testable import KeyValueStore

/// Whoever reads a state, and then what observers of commits have been told, finds that they know of all that it has.
@Suite("Nobody sees a commit of which its observers have not been told", .timeLimit(.minutes(20)))
struct ToldBeforeSeenTests {
  enum Way: String, CaseIterable, CustomTestStringConvertible {
    case inMemory, alone, together, bulk
    var testDescription: String { rawValue }
  }

  private final class Known: Sendable {
    private let number = Atomic(0)
    private let writers = Atomic(0)

    var told: Int { number.load(ordering: .sequentiallyConsistent) }
    var isOver: Bool { writers.load(ordering: .acquiring) == 0 }

    func tell(_ number: Int) { self.number.store(number, ordering: .sequentiallyConsistent) }
    func begin(_ count: Int) { writers.store(count, ordering: .releasing) }
    func end() { writers.subtract(1, ordering: .releasing) }
  }

  private static func writes(by way: Way) -> (writers: Int, commits: Int) {
    switch way {
    case .inMemory, .alone: (1, 500)
    case .together: (4, 250)
    case .bulk: (1, 8)
    }
  }

  private static func count(_ environment: Environment, _ table: Table, by way: Way, _ known: Known) throws {
    try environment.write { transaction in
      let number = try transaction.value(for: [1], in: table).map(\.asNumber) ?? 0
      try transaction.put([UInt8](number: number + 1), for: [1], in: table)
      if way == .bulk { try transaction.put([UInt8](repeating: 1, count: 9 << 20), for: [2], in: table) }
      try transaction.afterCommitOnAnyThread {
        // Time for a reader to come in between.
        for _ in 0..<50 { sched_yield() }
        known.tell(number + 1)
      }
    }
  }

  @Test(arguments: Way.allCases)
  func order(way: Way) async throws {
    let folder = try TemporaryFolder()
    let options = Environment.Options(durability: .relaxed)
    let environment =
      way == .inMemory
      ? try Environment.temporary(options: options) : try Environment(at: folder["store"], options: options)
    defer { environment.close() }
    let table = try environment.table("t")
    let (writers, commits) = Self.writes(by: way)
    let known = Known()
    known.begin(writers)
    async let reading: Int = OtherThread.run {
      var last = 0
      while !known.isOver {
        last = try environment.read { try $0.value(for: [1], in: table).map(\.asNumber) ?? 0 }
        let told = known.told
        #expect(last <= told)
        if last > told { break }
      }
      return last
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<writers {
        group.addTask {
          try await OtherThread.run {
            defer { known.end() }
            for _ in 0..<commits { try Self.count(environment, table, by: way, known) }
          }
        }
      }
      try await group.waitForAll()
    }
    _ = try await reading
    #expect(known.told == writers * commits)
  }
}
