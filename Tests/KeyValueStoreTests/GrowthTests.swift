import Glibc
import TestSupport
import Testing

@testable import KeyValueStore

@Suite("Growth of the map")
struct GrowthTests {
  private let environment: Environment
  private let table: Table

  init() throws {
    environment = try .temporary(options: .init(mapBytesInitial: 1 << 20))
    table = try environment.table("t")
  }

  @Test("a transaction that does not fit is run again until it does, and nobody notices")
  func fits() throws {
    let table = table
    let runs = Monitor(0)
    let value = [UInt8](repeating: 7, count: 1000)
    try environment.write { transaction in
      runs.withLock { $0 += 1 }
      for number in 0..<20_000 { try transaction.put(value, for: [UInt8](number: number), in: table) }
    }
    #expect(runs.withLock { $0 } > 4)
    #expect(try environment.read { try $0.count(in: table) } == 20_000)
    #expect(try environment.statistics().mapBytes > 20_000_000)
  }

  @Test("one value larger than the map fits too, and a body that hides the failure does not lose it")
  func fitsOneValue() throws {
    let table = table
    try environment.write { transaction in
      try? transaction.put([UInt8](repeating: 1, count: 9 << 20), for: [1], in: table)
    }
    #expect(try environment.read { try $0.withValue(for: [1], in: table) { $0.count } } == 9 << 20)
  }

  @Test("small transactions grow it too, while others read; every snapshot stays what it was")
  func growsUnderReaders() async throws {
    let (environment, table) = (environment, table)
    let isOver = Monitor(false)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask {
          try await OtherThread.run {
            while !isOver.withLock({ $0 }) {
              try environment.read { snapshot throws in
                let count = try snapshot.count(in: table)
                let last = try snapshot.withCursor(in: table) { try $0.last() ? Array($0.key).asNumber : -1 }
                #expect(count == last + 1)
                // A second one on the same thread must not wait for the growth that waits for the first.
                #expect(try environment.read { try $0.count(in: table) } >= count)
                #expect(try snapshot.count(in: table) == count)
              }
            }
          }
        }
      }
      // On a thread of its own, so that it does not wait among other tests' tasks while the readers keep the processors busy.
      try await OtherThread.run {
        let value = [UInt8](repeating: 3, count: 3000)
        for number in 0..<3000 {
          try environment.write { try $0.put(value, for: [UInt8](number: number), in: table) }
        }
      }
      isOver.withLock { $0 = true }
      try await group.waitForAll()
    }
    #expect(try environment.read { try $0.count(in: table) } == 3000)
    #expect(try environment.statistics().mapBytes >= 8 << 20)
  }

  @Test("growth waits for an open snapshot, which goes on reading what it has")
  func waitsForSnapshots() async throws {
    let (environment, table) = (environment, table)
    try await environment.write { try $0.put([1], for: [1], in: table) }
    let runs = Monitor(0)
    let isReading = Monitor(false)
    let reading = Task.detached {
      try await OtherThread.run {
        try environment.read { snapshot throws in
          isReading.withLock { $0 = true }
          // The write has found the map too small, and can't try again before this ends.
          while runs.withLock({ $0 }) == 0 { sched_yield() }
          for _ in 0..<1000 { sched_yield() }
          #expect(runs.withLock { $0 } == 1)
          #expect(try snapshot.entries(table) == [Pair(key: [1], value: [1])])
        }
      }
    }
    await OtherThread.wait { isReading.withLock { $0 } }
    try await environment.write { transaction in
      runs.withLock { $0 += 1 }
      try transaction.put([UInt8](repeating: 1, count: 3 << 20), for: [2], in: table)
    }
    try await reading.value
    #expect(try environment.read { try $0.count(in: table) } == 2)
  }

  @Test("a write that has to grow the map is refused to a thread that holds a snapshot, and harms nothing")
  func refusesSnapshotHolder() throws {
    let (environment, table) = (environment, table)
    let large = [UInt8](repeating: 1, count: 3 << 20)
    try environment.read { snapshot throws in
      #expect(throws: StoreError.snapshotBlocksGrowth(path: environment.directory)) {
        try environment.write { try $0.put(large, for: [1], in: table) }
      }
      try environment.write { try $0.put([2], for: [2], in: table) }
      #expect(try snapshot.count(in: table) == 0)
    }
    try environment.write { try $0.put(large, for: [1], in: table) }
    #expect(try environment.read { try $0.count(in: table) } == 2)
  }

  @Test("writes that wait with a snapshot open give way to the growth of another")
  func refusesWaitingSnapshotHolder() async throws {
    let (environment, table) = (environment, table)
    let gate = Gate()
    // Holds the writer thread until the other write waits behind it, and grows the map then.
    let growing = Task {
      try await environment.write { transaction in
        gate.pass()
        try transaction.put([UInt8](repeating: 1, count: 3 << 20), for: [1], in: table)
      }
    }
    await gate.someoneWaits()
    let waiting = Task.detached {
      try await OtherThread.run {
        try environment.read { _ in try environment.write { try $0.put([2], for: [2], in: table) } }
      }
    }
    await environment.someWritesWait(1)
    gate.open()
    try await growing.value
    await #expect(throws: StoreError.snapshotBlocksGrowth(path: environment.directory)) { try await waiting.value }
    #expect(try environment.read { try $0.entries(table) }.map(\.key) == [[1]])
  }
}
