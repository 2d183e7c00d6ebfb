import Dispatch
import Synchronization
import Testing

@testable import SwiftSync

/// Who may sync beside whom, in which order, and what becomes of those that stop waiting (contract, B-14).
@Suite("7.6: Who may write a store, in which order") struct SyncGateTests {
  /// A place where tasks stop until they are told to go on, and tell that they have arrived.
  private final class Barrier: Sendable {
    private let state = Mutex<(isOpen: Bool, waiting: [CheckedContinuation<Void, Never>])>((false, []))

    func pass() async {
      await withCheckedContinuation { continuation in
        let isOpen = state.withLock { state in
          if !state.isOpen { state.waiting.append(continuation) }
          return state.isOpen
        }
        if isOpen { continuation.resume() }
      }
    }

    func open() {
      let waiting = state.withLock { state in
        state.isOpen = true
        defer { state.waiting = [] }
        return state.waiting
      }
      for continuation in waiting { continuation.resume() }
    }
  }

  private final class Counter: Sendable {
    private let atomic = Atomic(0)

    var value: Int { atomic.load(ordering: .sequentiallyConsistent) }

    func add(_ number: Int) {
      atomic.add(number, ordering: .sequentiallyConsistent)
    }
  }

  private final class Log: Sendable {
    private let entries = Mutex<[Int]>([])

    var all: [Int] { entries.withLock { $0 } }

    func append(_ entry: Int) {
      entries.withLock { $0.append(entry) }
    }
  }

  private func until(_ condition: () -> Bool) async {
    while !condition() { await Task.yield() }
  }

  private static let mainQueueKey = DispatchSpecificKey<Bool>()

  /// Whether this runs on the main actor, whose executor is the main queue: a worker thread may be serving it.
  private nonisolated static func isOnMainActor() -> Bool { DispatchQueue.getSpecific(key: mainQueueKey) == true }

  @Test("What is done inside is done on the caller's actor, before and after it has suspended", arguments: [1, 2])
  @MainActor func staysOnTheActor(_ round: Int) async throws {
    DispatchQueue.main.setSpecific(key: Self.mainQueueKey, value: true)
    let gate = SyncGate()
    for access in [SyncGate.Access.shared, .exclusive] {
      try await gate.entering(access, syncing: "Row") {
        #expect(Self.isOnMainActor(), "\(access)")
        await Task.yield()
        #expect(Self.isOnMainActor(), "\(access)")
      }
    }
    // Callers that leave it to their caller where they run.
    nonisolated(nonsending) func enter(_ access: SyncGate.Access) async throws -> Bool {
      try await gate.entering(access, syncing: "Row") {
        await Task.yield()
        return Self.isOnMainActor()
      }
    }
    for access in [SyncGate.Access.shared, .exclusive] { #expect(try await enter(access)) }
  }

  @Test("Shared ones are inside together")
  func sharing() async throws {
    let gate = SyncGate()
    let inside = Counter()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask {
          try await gate.entering(.shared, syncing: "Row") {
            inside.add(1)
            // Nobody leaves before all are inside: with one at a time this would never end.
            while inside.value < 8 { await Task.yield() }
          }
        }
      }
      try await group.waitForAll()
    }
  }

  @Test("An exclusive one is alone, whatever comes from how many tasks", arguments: 0..<4)
  func exclusion(_ round: Int) async throws {
    let gate = SyncGate()
    let shared = Counter()
    let exclusive = Counter()
    let total = Counter()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<400 {
        group.addTask {
          let access: SyncGate.Access = (number + round) % 5 == 0 ? .exclusive : .shared
          let task = Task {
            try await gate.entering(access, syncing: "Row") {
              let count = access == .shared ? shared : exclusive
              count.add(1)
              await Task.yield()
              let others = exclusive.value
              #expect(access == .shared ? others == 0 : others == 1)
              if access == .exclusive { #expect(shared.value == 0) }
              count.add(-1)
              total.add(1)
            }
          }
          // Some are cancelled at whatever moment it is; none of the others may be forgotten for that.
          if number % 7 == 0 { task.cancel() }
          do { try await task.value } catch SyncError.cancelled { total.add(1) }
        }
      }
      try await group.waitForAll()
    }
    #expect(total.value == 400)
    #expect(gate.waiterCount == 0)
    try await gate.entering(.exclusive, syncing: "Row") {}
  }

  @Test("First come, first in: a shared one does not overtake an exclusive one that waits")
  func fairness() async throws {
    let gate = SyncGate()
    let barrier = Barrier()
    let order = Log()
    let accesses: [SyncGate.Access] = [.shared, .exclusive, .shared, .shared, .exclusive, .shared]
    var tasks: [Task<Void, any Error>] = []
    for (number, access) in accesses.enumerated() {
      tasks.append(
        Task {
          try await gate.entering(access, syncing: "Row") {
            order.append(number)
            if number == 0 { await barrier.pass() }
          }
        })
      await until { number == 0 ? order.all == [0] : gate.waiterCount == number }
    }
    barrier.open()
    for task in tasks { try await task.value }
    let result = order.all
    // Those that are let in together may start in any order.
    #expect(result[..<2] == [0, 1] && Set(result[2..<4]) == [2, 3] && result[4...] == [4, 5])
  }

  @Test("A cancelled waiter stops waiting at once, and those behind it move up")
  func cancelledWaiters() async throws {
    let gate = SyncGate()
    let barrier = Barrier()
    let inside = Counter()
    let holder = Task {
      try await gate.entering(.shared, syncing: "Row") {
        inside.add(1)
        await barrier.pass()
      }
    }
    await until { inside.value == 1 }
    let exclusive = Task { try await gate.entering(.exclusive, syncing: "Row") { Issue.record("was cancelled") } }
    await until { gate.waiterCount == 1 }
    let shared = Task { try await gate.entering(.shared, syncing: "Row") {} }
    await until { gate.waiterCount == 2 }
    exclusive.cancel()
    await #expect(throws: SyncError.cancelled) { try await exclusive.value }
    // The holder is still inside, and shares the gate with the one that was behind the exclusive one.
    try await shared.value
    barrier.open()
    try await holder.value
    try await gate.entering(.exclusive, syncing: "Row") {}
  }

  @Test("A task that is cancelled before it asks is not let in")
  func cancelledBefore() async throws {
    let gate = SyncGate()
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      _ = try await gate.entering(.shared, syncing: "Row") { Issue.record("was cancelled") }
    }
    await #expect(throws: SyncError.cancelled) { try await task.value }
  }

  @Test("One that throws leaves", arguments: [SyncGate.Access.shared, .exclusive])
  func throwing(_ access: SyncGate.Access) async throws {
    struct Failure: Error {}
    let gate = SyncGate()
    await #expect(throws: Failure.self) {
      _ = try await gate.entering(access, syncing: "Row") { () async throws -> Void in throw Failure() }
    }
    try await gate.entering(.exclusive, syncing: "Row") {}
  }
}
