import TestSupport
import Testing

@testable import KeyValueStore

@Suite("Transactions")
struct TransactionTests {
  private let environment: Environment
  private let table: Table

  init() throws {
    environment = try .temporary()
    table = try environment.table("t")
  }

  private struct Refusal: Error, Equatable {}

  @Test("what a body has put, inserted and deleted is there after it")
  func commits() async throws {
    let table = table
    let results = try await environment.write { transaction throws in
      try transaction.put([1], for: [10], in: table)
      try transaction.put([2], for: [10], in: table)
      return [
        try transaction.insert([3], for: [10], in: table), try transaction.insert([4], for: [11], in: table),
        try transaction.delete([12], in: table), try transaction.delete([11], in: table),
        try transaction.insert([], for: [13], in: table),
      ]
    }
    #expect(results == [false, true, false, true, true])
    try environment.read { snapshot throws in
      #expect(try snapshot.entries(table) == [Pair(key: [10], value: [2]), Pair(key: [13], value: [])])
      #expect(try snapshot.count(in: table) == 2)
      #expect(try snapshot.contains([13], in: table))
      #expect(try !snapshot.contains([11], in: table))
      #expect(try snapshot.value(for: [11], in: table) == nil)
    }
  }

  @Test("a body that throws leaves nothing, and the error reaches its caller")
  func rollsBack() async throws {
    let table = table
    try await environment.write { try $0.put([1], for: [1], in: table) }
    await #expect(throws: Refusal()) {
      try await environment.write { transaction throws in
        for number in 0..<1000 { try transaction.put([2], for: [UInt8](number: number), in: table) }
        try transaction.delete([1], in: table)
        #expect(try transaction.count(in: table) == 1000)
        throw Refusal()
      }
    }
    #expect(try environment.read { try $0.entries(table) } == [Pair(key: [1], value: [1])])
  }

  @Test("a transaction reads its own changes, and others don't before the commit")
  func readsOwnChanges() throws {
    let (environment, table) = (environment, table)
    try environment.write { transaction throws in
      try transaction.put([7], for: [1], in: table)
      #expect(try transaction.value(for: [1], in: table) == [7])
      #expect(try environment.read { try $0.value(for: [1], in: table) } == nil)
    }
    #expect(try environment.read { try $0.value(for: [1], in: table) } == [7])
  }

  @Test("a value is written in place by the closure, with no more and no less than its size")
  func fillsInPlace() throws {
    let table = table
    let long = [UInt8](repeating: 5, count: 700)
    for key in [[1], long] {
      try environment.write { transaction throws in
        try key.withUnsafeBytes { key in
          try transaction.put(valueByteCount: 3, for: key, in: table) { space in
            #expect(space.count == 3)
            space.copyBytes(from: [7, 8, 9])
          }
        }
      }
      #expect(try environment.read { try $0.value(for: key, in: table) } == [7, 8, 9])
    }
  }

  @Test("a closure that fails to write its value takes the transaction with it, even if the body goes on")
  func failsWithUnfilledValue() throws {
    let table = table
    #expect(throws: Refusal()) {
      try environment.write { transaction throws in
        try transaction.put([1], for: [1], in: table)
        try? [2].withUnsafeBytes { key in
          try transaction.put(valueByteCount: 100, for: key, in: table) { _ in throw Refusal() }
        }
      }
    }
    #expect(try environment.read { try $0.count(in: table) } == 0)
  }

  @Test("all entries of a table go at once, and the table stays")
  func removesAll() throws {
    let (table, other) = (table, try environment.table("other"))
    try environment.write { transaction throws in
      for number in 0..<500 { try transaction.put([UInt8](number: number), for: [UInt8](number: number), in: table) }
      try transaction.put([1], for: [1], in: other)
      try transaction.removeAll(in: table)
      #expect(try transaction.count(in: table) == 0)
      try transaction.put([2], for: [2], in: table)
    }
    try environment.read { snapshot throws in
      #expect(try snapshot.entries(table) == [Pair(key: [2], value: [2])])
      #expect(try snapshot.count(in: other) == 1)
    }
  }

  @Test("a value of many pages comes back whole, and so does an empty one", arguments: [0, 1, 4096, 5_000_000])
  func holdsValues(byteCount: Int) throws {
    let table = table
    var random = SplitMix64(seed: UInt64(byteCount))
    let value = [UInt8](repeating: 7, count: max(0, byteCount - 100)) + random.bytes(min(byteCount, 100))
    try environment.write { try $0.put(value, for: [1], in: table) }
    #expect(try environment.read { try $0.value(for: [1], in: table) } == value)
  }

  @Test("what is to happen after the commit happens then, in the order of the commits, and never without one")
  func actsAfterCommit() async throws {
    let (environment, table) = (environment, table)
    let seen = Monitor<[Int]>([])
    for number in 0..<10 {
      try? await environment.write { transaction in
        try transaction.afterCommit {
          let count = try? environment.read { try $0.count(in: table) }
          seen.withLock { $0.append(count ?? -1) }
        }
        try transaction.put([], for: [UInt8](number: number), in: table)
        if number % 3 == 2 { throw Refusal() }
      }
    }
    #expect(seen.withLock { $0 } == [1, 2, 3, 4, 5, 6, 7])
  }

  @Test("tables have statistics, and a table of one's own is counted by its entries")
  func countsPages() throws {
    let table = table
    #expect(try environment.read { try $0.statistics(of: table).depth } == 0)
    try environment.write { transaction throws in
      for number in 0..<1000 { try transaction.put([UInt8](number: number), for: [UInt8](number: number), in: table) }
      try transaction.put([UInt8](repeating: 1, count: 100_000), for: [255], in: table)
    }
    let statistics = try environment.read { try $0.statistics(of: table) }
    #expect(statistics.entries == 1001)
    #expect(statistics.depth == 2)
    #expect(statistics.branchPages == 1)
    #expect(statistics.leafPages > 1)
    #expect(statistics.overflowPages >= 25)
  }
}
