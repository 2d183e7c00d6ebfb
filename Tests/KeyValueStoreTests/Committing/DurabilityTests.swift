import TestSupport
import Testing

@testable import KeyValueStore

/// What a write costs in syncs, which is what the levels of durability are about.
@Suite("Durability")
struct DurabilityTests {
  private static let never = Durability.relaxed(flushEvery: .seconds(1000))

  @Test("a durable write has a sync of its own, a relaxed one none until it is flushed")
  func countsSyncs() async throws {
    let store = try OpenStore()
    var syncs = store.environment.metrics.syncs
    func expect(_ more: Int, _ what: Comment) {
      syncs += more
      #expect(store.environment.metrics.syncs == syncs, what)
    }
    for number in 0..<3 { try store.put(number) }
    expect(3, "durable writes")
    try await putTogether(3..<9, in: store) { _ in Self.never }
    expect(0, "relaxed writes")
    try await store.environment.flush()
    expect(1, "a flush")
    try await store.environment.flush()
    expect(0, "a flush of nothing")
    try await store.environment.write { _ in }
    expect(0, "a durable write of nothing")
    try await store.environment.write(durability: Self.never) { _ in }
    expect(0, "a relaxed write of nothing")
    try store.put(9, durability: Self.never)
    expect(0, "a relaxed write")
    try await store.environment.write { _ in }
    expect(1, "a durable write of nothing behind a relaxed one")
    try await putTogether(10..<14, in: store) { $0 == 12 ? .full : Self.never }
    expect(1, "a durable write among relaxed ones")
    try await store.environment.flush()
    expect(0, "a flush of nothing")
    await #expect(throws: CancellationError.self) {
      try await store.environment.write { [table = store.table] transaction in
        try transaction.put([1], for: [1], in: table)
        throw CancellationError()
      }
    }
    expect(0, "a body that throws")
    #expect(try store.keysAfterKill() == Array(0..<14))
  }

  /// Writes keys so that they are one group.
  private func putTogether(
    _ keys: Range<Int>, in store: OpenStore, _ durability: @escaping @Sendable (Int) -> Durability
  ) async throws {
    let (environment, table) = (store.environment, store.table)
    let tasks = Monitor<[Task<Void, any Error>]>([])
    try await store.whileWriterWaits { isWaiting in
      for (place, key) in keys.enumerated() {
        let task = Task.detached {
          try await environment.write(durability: durability(key)) { transaction in
            try transaction.put([1], for: [UInt8](number: key), in: table)
          }
        }
        tasks.withLock { $0.append(task) }
        await isWaiting(place + 1)
      }
    }
    for task in tasks.withLock({ $0 }) { try await task.value }
  }

  @Test("the level is that of the environment unless the write has its own")
  func usesLevelOfEnvironment() throws {
    let store = try OpenStore(options: .init(durability: Self.never))
    let syncs = store.environment.metrics.syncs
    try store.put(1)
    #expect(store.environment.metrics.syncs == syncs)
    try store.put(2, durability: .full)
    #expect(store.environment.metrics.syncs > syncs)
  }

  @Test("relaxed writes are flushed in time by themselves, once for all of them")
  func flushesByItself() async throws {
    let store = try OpenStore()
    let environment = store.environment
    let syncs = environment.metrics.syncs
    try await putTogether(0..<4, in: store) { $0 == 2 ? .relaxed(flushEvery: .milliseconds(2)) : Self.never }
    await OtherThread.wait { environment.metrics.syncs > syncs }
    #expect(environment.metrics.syncs == syncs + 1)
  }

  /// It waited for the checkpoint that was under way, which may have much to sync.
  @Test("relaxed writes are flushed while a checkpoint syncs the data", .timeLimit(.minutes(20)))
  func flushesBesideCheckpoint() async throws {
    let (folder, faults, gate) = (try TemporaryFolder(), Faults(), Gate())
    var options = Environment.Options()
    options.checkpoints.interval = 1_000_000
    let environment = try Environment(at: folder["store"], options: options, files: faults.files())
    let table = try environment.table("t")
    faults.hold(.sync, StorePaths.data, at: gate)
    try await environment.write { try $0.put([1], for: [1], in: table) }
    await gate.someoneWaits()
    let syncs = environment.metrics.syncs
    try await environment.write(durability: .relaxed(flushEvery: .milliseconds(2))) {
      try $0.put([2], for: [2], in: table)
    }
    await OtherThread.wait { environment.metrics.syncs > syncs }
    gate.open()
    environment.close()
  }

  @Test("what was relaxed is on the medium after closing, with no sync of its own")
  func closesDurably() throws {
    let store = try OpenStore()
    for number in 0..<5 { try store.put(number, durability: Self.never) }
    store.environment.close()
    let files = try StoreSurgery.storeFiles(store.path)
    #expect(try files.isClean())
    #expect(try files.newestRecord().isClosed)
    #expect(try OpenStore.keys(at: store.path) == Array(0..<5))
  }

  @Test("a store in memory has neither log nor syncs")
  func skipsLogInMemory() throws {
    let environment = try Environment.temporary()
    let table = try environment.table("t")
    try environment.write { try $0.put([1], for: [1], in: table) }
    try environment.flush()
    #expect(environment.metrics.syncs == 0)
    #expect(environment.metrics.logBytes == 0)
    #expect(environment.metrics.checkpoints == 0)
  }
}
