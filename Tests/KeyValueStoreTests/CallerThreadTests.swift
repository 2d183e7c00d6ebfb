import Glibc
import Synchronization
import TestSupport
import Testing

@testable import KeyValueStore

/// Writes that run on the threads of their callers: that they do, and that what belongs to the writer thread stays there.
@Suite("Writes on their callers' threads")
struct CallerThreadTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// Writes until a body has run on the calling thread, which it does as soon as the writer thread is at rest.
  private static func reachCallerThread(_ environment: Environment, _ table: Table) throws -> Bool {
    let caller = UInt(pthread_self())
    for number in 0..<100_000 {
      let thread = try environment.write { transaction in
        try transaction.put([UInt8](number: number), for: [0], in: table)
        return UInt(pthread_self())
      }
      if thread == caller { return true }
    }
    return false
  }

  @Test(
    "a caller runs its writes itself, what it wrote is read back, and a reopened store has it",
    arguments: [
      Durability.full, .relaxed,
    ])
  func runsOnCaller(_ durability: Durability) async throws {
    try await OtherThread.run { [folder] in
      let environment = try Environment(at: folder["store"], options: .init(durability: durability))
      let table = try environment.table("t")
      #expect(try Self.reachCallerThread(environment, table))
      for number in 1...300 {
        try environment.write { try $0.put([UInt8](number: number), for: [UInt8](number: number), in: table) }
        if number % 50 == 0 { #expect(try environment.read { try $0.count(in: table) } == number + 1) }
      }
      environment.close()
      let again = try Environment(at: folder["store"])
      #expect(try again.read { try $0.count(in: try again.table("t")) } == 301)
      again.close()
    }
  }

  @Test(
    "errors of bodies, writes inside of writes and snapshots inside of writes are what they are on the writer thread")
  func keepsRules() async throws {
    struct Refusal: Error {}
    try await OtherThread.run { [folder] in
      let environment = try Environment(at: folder["store"])
      let table = try environment.table("t")
      #expect(try Self.reachCallerThread(environment, table))
      #expect(throws: Refusal.self) {
        try environment.write { transaction in
          try transaction.put([1], for: [1], in: table)
          throw Refusal()
        }
      }
      #expect(try environment.read { try $0.value(for: [1], in: table) } == nil)
      #expect(try Self.reachCallerThread(environment, table))
      #expect(throws: StoreError.writeInsideWrite) { try environment.write { _ in try environment.write { _ in } } }
      #expect(try Self.reachCallerThread(environment, table))
      let count = try environment.write { _ in try environment.read { try $0.count(in: table) } }
      #expect(count == 1)
      // Closing in a body does not wait for the body.
      #expect(try Self.reachCallerThread(environment, table))
      try environment.write { transaction in
        try transaction.put([2], for: [2], in: table)
        environment.close()
      }
      let again = try Environment(at: folder["store"])
      #expect(try again.read { try $0.value(for: [2], in: try again.table("t")) } == [2])
      again.close()
    }
  }

  @Test("what acts on commits runs on the writer thread, in the order of the commits")
  func actsOnWriterThread() async throws {
    try await OtherThread.run { [folder] in
      let environment = try Environment(at: folder["store"])
      let table = try environment.table("t")
      #expect(try Self.reachCallerThread(environment, table))
      let seen = Monitor<[(number: Int, thread: UInt)]>([])
      for number in 0..<20 {
        try environment.write { transaction in
          try transaction.put([UInt8(number)], for: [1], in: table)
          try transaction.afterCommit { seen.withLock { $0.append((number, UInt(pthread_self()))) } }
        }
      }
      #expect(seen.withLock { $0.map(\.number) } == Array(0..<20))
      #expect(seen.withLock { Set($0.map(\.thread)) }.count == 1)
      #expect(seen.withLock { $0.allSatisfy { $0.thread != UInt(pthread_self()) } })
      environment.close()
    }
  }

  @Test("what only passes a commit on may do so on the caller's thread, in the order of the commits")
  func passesOnFromCaller() async throws {
    try await OtherThread.run { [folder] in
      let environment = try Environment(at: folder["store"])
      let table = try environment.table("t")
      let seen = Monitor<[(number: Int, thread: UInt)]>([])
      let caller = UInt(pthread_self())
      for number in 0..<100_000 {
        try environment.write { transaction in
          try transaction.put([UInt8](number: number), for: [1], in: table)
          try transaction.afterCommitOnAnyThread { seen.withLock { $0.append((number, UInt(pthread_self()))) } }
        }
        if seen.withLock({ $0.last?.thread }) == caller { break }
      }
      #expect(seen.withLock { $0.last?.thread } == caller)
      #expect(seen.withLock { $0.map(\.number) } == Array(0..<seen.withLock { $0.count }))
      environment.close()
    }
  }

  @Test("a sync that fails on a caller's thread poisons the store")
  func poisons() async throws {
    try await OtherThread.run { [folder] in
      let failing = Failing()
      let environment = try Environment(
        at: folder["store"],
        files: FaultyFiles { (_, operation, path) throws(FileError) in
          if operation == .sync, failing.isOn { throw FileError(operation, path, errno: EIO) }
        })
      let table = try environment.table("t")
      #expect(try Self.reachCallerThread(environment, table))
      failing.turnOn()
      #expect(throws: StoreError.outcomeUnknown(path: environment.directory, errno: EIO)) {
        try environment.write { try $0.put([1], for: [1], in: table) }
      }
      let cause = ReopenCause.failedCall(
        operation: "Syncing", path: environment.directory + "/wal.0", errno: EIO)
      #expect(throws: StoreError.mustReopen(path: environment.directory, cause: cause)) {
        try environment.write { try $0.put([1], for: [1], in: table) }
      }
      environment.close()
    }
  }

  @Test("threads that write at the same time all come through, and nothing is lost")
  func sharesTurns() async throws {
    let environment = try Environment(at: folder["store"])
    let table = try environment.table("t")
    try await withThrowingTaskGroup(of: Void.self) { group in
      for thread in 0..<3 {
        group.addTask {
          try await OtherThread.run {
            for number in 0..<200 {
              try environment.write { transaction in
                let key = [UInt8(thread)]
                let before = try transaction.value(for: key, in: table)?.count ?? 0
                #expect(before == number)
                try transaction.put([UInt8](repeating: 0, count: before + 1), for: key, in: table)
              }
            }
          }
        }
      }
      try await group.waitForAll()
    }
    for thread in 0..<3 {
      #expect(try environment.read { try $0.value(for: [UInt8(thread)], in: table)?.count } == 200)
    }
    environment.close()
  }

  /// A switch that is turned on once.
  private final class Failing: Sendable {
    private let flag = Atomic(false)
    var isOn: Bool { flag.load(ordering: .acquiring) }
    func turnOn() { flag.store(true, ordering: .releasing) }
  }
}
