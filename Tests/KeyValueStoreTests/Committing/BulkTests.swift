import Glibc
import TestSupport
import Testing

@testable import KeyValueStore

/// Transactions that change too much for the log go around it, and are durable when they are acknowledged all the same.
@Suite("Bulk transactions")
struct BulkTests {
  private let faults = Faults()

  /// A transaction that changes more than a frame may hold.
  enum Load: CaseIterable, Sendable {
    case manyValues, oneValue

    func write(_ transaction: WriteTransaction, _ table: Table) throws {
      switch self {
      case .manyValues:
        let value = [UInt8](repeating: 1, count: 1000)
        for number in 1000..<6000 { try transaction.put(value, for: [UInt8](number: number), in: table) }
      case .oneValue: try transaction.put([UInt8](repeating: 1, count: 9 << 20), for: [UInt8](number: 1000), in: table)
      }
    }

    var keys: [Int] { self == .manyValues ? Array(1000..<6000) : [1000] }
  }

  @Test("it is written once, and is there after a kill right after it", arguments: Load.allCases, [false, true])
  func survivesKill(load: Load, isAlone: Bool) async throws {
    let store = try OpenStore(options: .init(durability: .relaxed))
    let table = store.table
    try store.put(1)
    let runs = Monitor(0)
    let body: @Sendable (WriteTransaction) throws -> Void = { transaction in
      runs.withLock { $0 += 1 }
      try load.write(transaction, table)
    }
    if isAlone {
      try await store.environment.write(body)
    } else {
      let environment = store.environment
      let tasks = Monitor<[Task<Void, any Error>]>([])
      try await store.whileWriterWaits { isWaiting in
        for number in 1...3 {
          let task = Task.detached {
            if number == 2 { return try await environment.write(body) }
            try await environment.write { try $0.put([1], for: [UInt8](number: number), in: table) }
          }
          tasks.withLock { $0.append(task) }
          await isWaiting(number)
        }
      }
      for task in tasks.withLock({ $0 }) { try await task.value }
      #expect(runs.withLock { $0 } == 2)
    }
    let metrics = store.environment.metrics
    #expect(metrics.bulkTransactions == 1)
    #expect(metrics.logBytes < 2000)
    #expect(metrics.checkpoints == 1)
    let expected = (isAlone ? [1] : [1, 3]) + load.keys
    #expect(try store.keys() == expected)
    #expect(try store.keysAfterKill() == expected)
    try store.put(2)
    #expect(try store.keysAfterKill() == ([1, 2, 3] + load.keys).filter { !isAlone || $0 != 3 })
  }

  @Test("nobody sees it before it is on the medium, not even a snapshot that was on its way")
  func isHidden() async throws {
    let gate = Gate()
    let store = try OpenStore(faults.files())
    let (environment, table) = (store.environment, store.table)
    try store.put(1)
    faults.hold(.sync, "data.mdb", at: gate)
    // Holds snapshots up between their look at what they have to show and their beginning.
    let door = Gate()
    let holding = Task.detached {
      try await OtherThread.run { _ = try environment.core.occupancy.withoutSnapshots { door.pass() } }
    }
    await door.someoneWaits()
    let ended = Monitor(0)
    let count: @Sendable () throws -> Int = {
      defer { ended.withLock { $0 += 1 } }
      return try store.keys().count
    }
    let early = Task.detached { try await OtherThread.run(count) }
    await OtherThread.waitInVain()
    let writing = Task.detached { try await environment.write { try Load.manyValues.write($0, table) } }
    await gate.someoneWaits()
    door.open()
    try await holding.value
    let late = (0..<4).map { _ in Task.detached { try await OtherThread.run(count) } }
    await OtherThread.waitInVain()
    #expect(ended.withLock { $0 } == 0)
    gate.open()
    try await writing.value
    #expect(try await early.value == 5001)
    for task in late { #expect(try await task.value == 5001) }
  }

  @Test(
    "when its checkpoint fails the outcome is unknown, and nobody sees it until the store is opened again",
    arguments: CommitFailureTests.Step.all)
  func admitsUnknown(step: CommitFailureTests.Step) async throws {
    let store = try OpenStore(faults.files())
    let table = store.table
    try store.put(1)
    faults.fail(step.operation, step.file, at: step.offset)
    #expect {
      try store.environment.write { try Load.manyValues.write($0, table) }
    } throws: { error in
      if case StoreError.outcomeUnknown(store.path, EIO) = error { true } else { false }
    }
    faults.heal()
    // LMDB has it, and the medium may not.
    for _ in 0..<5 {
      #expect {
        try store.keys()
      } throws: { error in
        if case StoreError.mustReopen(store.path, .failedCall(_, _, EIO)) = error { true } else { false }
      }
      await OtherThread.waitInVain()
    }
    #expect {
      try store.put(2)
    } throws: { error in
      if case StoreError.mustReopen(store.path, .failedCall(_, _, EIO)) = error { true } else { false }
    }
    let copied = try store.keysAfterKill()
    #expect(copied == [1] || copied == [1] + Load.manyValues.keys)
    store.environment.close()
    let keys = try OpenStore.keys(at: store.path)
    #expect(keys == [1] || keys == [1] + Load.manyValues.keys)
  }

  @Test("one whose mark can't be written is not made, and the next one is", arguments: [EIO, ENOSPC])
  func refusesWithoutMark(errno: Int32) throws {
    let store = try OpenStore(faults.files())
    let table = store.table
    try store.put(1)
    faults.fail(.write, "wal.", count: 1, with: errno)
    #expect(throws: StoreError.self) { try store.environment.write { try Load.manyValues.write($0, table) } }
    #expect(try store.keys() == [1])
    try store.environment.write { try Load.manyValues.write($0, table) }
    #expect(try store.keys() == [1] + Load.manyValues.keys)
    #expect(try store.keysAfterKill() == [1] + Load.manyValues.keys)
  }

  @Test("one that grows the map is made once, and one whose body throws leaves nothing")
  func growsAndRefuses() throws {
    struct Refusal: Error {}
    let store = try OpenStore(options: .init(mapBytesInitial: 1 << 20))
    let table = store.table
    try store.environment.write { try Load.oneValue.write($0, table) }
    #expect(throws: Refusal.self) {
      try store.environment.write { transaction in
        try Load.manyValues.write(transaction, table)
        throw Refusal()
      }
    }
    #expect(try store.keys() == [1000])
    try store.environment.write { transaction in
      try? transaction.nested { inner in
        try Load.manyValues.write(inner, table)
        throw Refusal()
      }
      try transaction.put([1], for: [UInt8](number: 2), in: table)
    }
    #expect(try store.keys() == [2, 1000])
    #expect(try store.keysAfterKill() == [2, 1000])
  }
}
