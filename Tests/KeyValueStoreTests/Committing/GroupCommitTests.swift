import TestSupport
import Testing

@testable import KeyValueStore

/// Writes that wait at the same time are made durable together, and stay apart in everything else.
@Suite("Groups of commits")
struct GroupCommitTests {
  private struct Refusal: Error, Equatable {}

  private let store: OpenStore
  private let faults = Faults()

  init() throws {
    store = try OpenStore(faults.files())
  }

  /// Queues writes one after the other while the writer thread is held up, and returns how they ended.
  private func runTogether<Result: Sendable>(
    _ bodies: [@Sendable (WriteTransaction) throws -> Result], durability: (Int) -> Durability = { _ in .full }
  ) async throws -> [Swift.Result<Result, any Error>] {
    let environment = store.environment
    var tasks: [Task<Result, any Error>] = []
    try await store.whileWriterWaits { isWaiting in
      for (number, body) in bodies.enumerated() {
        let durability = durability(number)
        tasks.append(
          Task.detached {
            // Half of them block a thread, the others suspend a task.
            if number % 2 == 0 { return try await environment.write(durability: durability, body) }
            return try await OtherThread.run { try environment.write(durability: durability, body) }
          })
        await isWaiting(number + 1)
      }
    }
    var results: [Swift.Result<Result, any Error>] = []
    for task in tasks { results.append(await task.result) }
    return results
  }

  private func put(_ number: Int) -> @Sendable (WriteTransaction) throws -> Int {
    let table = store.table
    return { transaction in
      let count = try transaction.count(in: table)
      try transaction.put([UInt8](number: count), for: [UInt8](number: number), in: table)
      return count
    }
  }

  @Test("what waits together shares one sync, and runs in the order of the calls")
  func sharesSync() async throws {
    let before = store.environment.metrics
    let results = try await runTogether((0..<12).map(put))
    #expect(try results.map { try $0.get() } == Array(0..<12))
    let after = store.environment.metrics
    #expect(after.commits - before.commits == 12)
    #expect(after.groupSizeMax == 12)
    #expect(after.groups - before.groups == 1)
    #expect(after.syncs - before.syncs == 1)
    #expect(try store.keys() == Array(0..<12))
    #expect(try store.keysAfterKill() == Array(0..<12))
  }

  @Test(
    "a body that throws takes only itself back, whichever of the group it is",
    arguments: [[0], [3], [7], [0, 1, 5], [0, 1, 2, 3, 4, 5, 6, 7]])
  func isolatesThrowing(refusing: [Int]) async throws {
    let table = store.table
    let results = try await runTogether(
      (0..<8).map { number in
        let put = put(number)
        return { transaction in
          let result = try put(transaction)
          try transaction.put([], for: [UInt8](number: 100 + number), in: table)
          if refusing.contains(number) { throw Refusal() }
          try transaction.delete([UInt8](number: 100 + number), in: table)
          return result
        }
      })
    for (number, result) in results.enumerated() {
      if refusing.contains(number) {
        #expect(throws: Refusal()) { try result.get() }
      } else {
        #expect(try result.get() == number - refusing.filter { $0 < number }.count)
      }
    }
    let expected = (0..<8).filter { !refusing.contains($0) }
    #expect(try store.keys() == expected)
    #expect(try store.keysAfterKill() == expected)
  }

  @Test("a group whose frames can't be written fails all of its members, and nobody else", arguments: [false, true])
  func failsTogether(isOwnRefusal: Bool) async throws {
    try store.put(50)
    faults.fail(.write, "wal.", count: 1)
    let results = try await runTogether(
      (0..<6).map { number in
        let put = put(number)
        return { transaction in
          if isOwnRefusal, number == 2 { throw Refusal() }
          return try put(transaction)
        }
      })
    for (number, result) in results.enumerated() {
      do {
        _ = try result.get()
        Issue.record("write \(number) was acknowledged")
      } catch is Refusal {
        #expect(isOwnRefusal && number == 2)
      } catch StoreError.system(_, _, let errno) {
        #expect(errno == 5)
      }
    }
    #expect(try store.keys() == [50])
    try store.put(51)
    #expect(try store.keys() == [50, 51])
    #expect(try store.keysAfterKill() == [50, 51])
  }

  @Test("actions after the commit come in the order of the commits, and see what was committed")
  func actsInOrder() async throws {
    let (environment, table) = (store.environment, store.table)
    let seen = Monitor<[Int]>([])
    _ = try await runTogether(
      (0..<8).map { number in
        let put = put(number)
        return { transaction in
          try transaction.afterCommit {
            let isThere = try? environment.read { try $0.contains([UInt8](number: number), in: table) }
            seen.withLock { $0.append(isThere == true ? number : -1) }
          }
          if number == 4 { throw Refusal() }
          return try put(transaction)
        }
      })
    #expect(seen.withLock { $0 } == [0, 1, 2, 3, 5, 6, 7])
  }

  @Test("in a group with durable and relaxed writes all become durable, and one of relaxed ones has no sync")
  func mixesDurabilities() async throws {
    var syncs = store.environment.metrics.syncs
    _ = try await runTogether((0..<6).map(put), durability: { _ in .relaxed(flushEvery: .seconds(1000)) })
    #expect(store.environment.metrics.syncs == syncs)
    try await store.environment.flush()
    syncs += 1
    #expect(store.environment.metrics.syncs == syncs)
    _ = try await runTogether(
      (6..<12).map(put), durability: { $0 == 3 ? .full : .relaxed(flushEvery: .seconds(1000)) })
    syncs += 1
    #expect(store.environment.metrics.syncs == syncs)
    try await store.environment.flush()
    #expect(store.environment.metrics.syncs == syncs)
    #expect(try store.keysAfterKill() == Array(0..<12))
  }

  @Test("members nest transactions of their own")
  func nests() async throws {
    let table = store.table
    let results = try await runTogether(
      (0..<6).map { number in
        let put = put(number)
        return { transaction in
          try? transaction.nested { inner in
            try inner.put([], for: [UInt8](number: 100), in: table)
            throw Refusal()
          }
          return try transaction.nested { try put($0) }
        }
      })
    #expect(try results.map { try $0.get() } == Array(0..<6))
    #expect(try store.keysAfterKill() == Array(0..<6))
  }
}
