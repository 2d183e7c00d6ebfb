import TestSupport
import Testing

@testable import KeyValueStore

@Suite("Many readers and writers")
struct ConcurrencyTests {
  @Test("no update is lost, and every snapshot is of one transaction")
  func losesNothing() async throws {
    let environment = try Environment.temporary()
    let table = try environment.table("t")
    let (tasks, rounds) = (40, 25)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for task in 0..<tasks {
        group.addTask {
          for _ in 0..<rounds {
            try await environment.write { transaction in
              // Two counters that are equal in every committed state.
              for key in [[1], [2]] as [[UInt8]] {
                let count = try transaction.value(for: key, in: table)?.asNumber ?? 0
                try transaction.put([UInt8](number: count + 1), for: key, in: table)
              }
            }
            if task % 2 == 0 {
              let counts = try environment.read { snapshot in
                try [[1], [2]].map { try snapshot.value(for: $0, in: table)?.asNumber ?? 0 }
              }
              #expect(counts[0] == counts[1])
              #expect(counts[0] > 0)
            }
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try environment.read { try $0.value(for: [1], in: table)?.asNumber } == tasks * rounds)
  }

  @Test("writes run in the order of their calls, whether they block or not")
  func isFair() async throws {
    let environment = try Environment.temporary()
    let table = try environment.table("t")
    let gate = Gate()
    let first = Task { try await environment.write { _ in gate.pass() } }
    await gate.someoneWaits()
    var tasks: [Task<Void, any Error>] = []
    for number in 0..<20 {
      tasks.append(
        Task.detached {
          let body: @Sendable (WriteTransaction) throws -> Void = { transaction in
            let place = try transaction.count(in: table)
            try transaction.put([UInt8](number: number), for: [UInt8](number: place), in: table)
          }
          if number % 2 == 0 {
            try await environment.write(body)
          } else {
            try await OtherThread.run { try environment.write(body) }
          }
        })
      await environment.someWritesWait(number + 1)
    }
    gate.open()
    try await first.value
    for task in tasks { try await task.value }
    let order = try environment.read { try $0.entries(table) }.map(\.value.asNumber)
    #expect(order == Array(0..<20))
  }

  @Test("a task that is cancelled while it waits does not write, and one that runs already does")
  func cancels() async throws {
    let environment = try Environment.temporary()
    let table = try environment.table("t")
    let gate = Gate()
    let running = Task {
      try await environment.write { transaction in
        gate.pass()
        try transaction.put([1], for: [1], in: table)
      }
    }
    await gate.someoneWaits()
    let waiting = Task { try await environment.write { try $0.put([2], for: [2], in: table) } }
    await environment.someWritesWait(1)
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
    let late = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await environment.write { try $0.put([3], for: [3], in: table) }
    }
    await #expect(throws: CancellationError.self) { try await late.value }
    running.cancel()
    gate.open()
    try await running.value
    #expect(try environment.read { try $0.entries(table) }.map(\.key) == [[1]])
    #expect(try environment.statistics().writesWaiting == 0)
  }
}
