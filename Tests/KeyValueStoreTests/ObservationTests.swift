import TestSupport
import Testing

@testable import KeyValueStore

@Suite("Metrics and events")
struct ObservationTests {
  /// Collects what a store tells.
  private final class Listener: Sendable {
    private let monitor = Monitor<[StoreEvent]>([])
    var events: [StoreEvent] { monitor.withLock { $0 } }

    func hear(_ event: StoreEvent) {
      monitor.withLock { $0.append(event) }
    }

    func has(_ isMeant: (StoreEvent) -> Bool) -> Bool { events.contains(where: isMeant) }
  }

  @Test("commits, groups, log bytes and publishes are counted")
  func counts() async throws {
    let store = try OpenStore()
    let before = store.environment.metrics
    for number in 0..<10 { try store.put(number) }
    try await store.environment.write { _ in }
    #expect(throws: CancellationError.self) {
      try store.environment.write { [table = store.table] transaction in
        try transaction.put([1], for: [1], in: table)
        throw CancellationError()
      }
    }
    _ = try store.keys()
    let after = store.environment.metrics
    #expect(after.commits - before.commits == 10)
    #expect(after.groups - before.groups == 10)
    #expect(after.syncs - before.syncs == 10)
    #expect(10 * 64..<10 * 200 ~= after.logBytes - before.logBytes)
    #expect(1...11 ~= after.publishes - before.publishes)
    #expect(after.commitsRecovered == 0)
    #expect(after.oldestSnapshotAge == nil)
    try store.environment.read { _ in #expect(store.environment.metrics.oldestSnapshotAge != nil) }
  }

  @Test("checkpoints are told and timed")
  func tellsCheckpoints() async throws {
    let store = try OpenStore(options: .init(durability: .relaxed))
    let listener = Listener()
    let observation = store.environment.observeEvents { listener.hear($0) }
    let table = store.table
    for number in 0..<100 {
      try await store.environment.write { transaction in
        try transaction.put([UInt8](repeating: 1, count: 10_000), for: [UInt8](number: number), in: table)
      }
    }
    await OtherThread.wait { listener.has { if case .checkpoint = $0 { true } else { false } } }
    let environment = store.environment
    await OtherThread.wait { environment.metrics.checkpoints > 0 }
    let metrics = environment.metrics
    #expect(metrics.checkpointTime >= metrics.checkpointTimeMax)
    #expect(metrics.checkpointTimeMax >= metrics.checkpointTimeLast)
    #expect(metrics.checkpointTimeLast > .zero)
    #expect(metrics.pagesGrown > 100)
    withExtendedLifetime(observation) {}
  }

  @Test("a checkpoint comes by itself some time after a commit, and then the store is clean")
  func checkpointsByItself() async throws {
    let folder = try TemporaryFolder()
    var options = Environment.Options()
    options.checkpoints.interval = 1_000_000
    let environment = try Environment(at: folder["store"], options: options)
    let table = try environment.table("t")
    try await environment.write { try $0.put([1], for: [1], in: table) }
    await OtherThread.wait {
      guard environment.metrics.checkpoints > 0, environment.core.progress.isCurrent else { return false }
      return (try? StoreSurgery.storeFiles(environment.directory).isClean()) == true
    }
    try StoreSurgery.copy(folder["store"], to: folder["copy"])
    let copy = try Environment(at: folder["copy"], options: .init(access: .readOnly))
    #expect(try copy.read { try $0.count(in: try copy.table("t")) } == 1)
  }

  @Test("a snapshot that is open for too long is told once")
  func tellsOldSnapshots() async throws {
    let store = try OpenStore(options: .init(durability: .relaxed, snapshotAgeMax: .zero))
    let listener = Listener()
    let observation = store.environment.observeEvents { listener.hear($0) }
    let isOld: @Sendable (StoreEvent) -> Bool = { if case .snapshotTooOld = $0 { true } else { false } }
    let (environment, table, gate) = (store.environment, store.table, Gate())
    let reading = Task.detached { try await OtherThread.run { try environment.read { _ in gate.pass() } } }
    await gate.someoneWaits()
    for number in 0..<300 {
      try await environment.write { transaction in
        try transaction.put([UInt8](repeating: 1, count: 10_000), for: [UInt8](number: number), in: table)
      }
    }
    await OtherThread.wait { listener.has(isOld) }
    #expect(listener.events.filter(isOld).count == 1)
    gate.open()
    try await reading.value
    withExtendedLifetime(observation) {}
  }

  @Test("growth of the map and bulk transactions are told, and nobody is told who has let go of the observation")
  func tellsGrowth() throws {
    let store = try OpenStore(options: .init(mapBytesInitial: 1 << 20))
    let (listener, gone) = (Listener(), Listener())
    let observation = store.environment.observeEvents { listener.hear($0) }
    _ = store.environment.observeEvents { gone.hear($0) }
    let table = store.table
    try store.environment.write { try $0.put([UInt8](repeating: 1, count: 5 << 20), for: [1], in: table) }
    #expect(listener.has { if case .mapGrown(let byteCount) = $0 { byteCount > 5 << 20 } else { false } })
    #expect(listener.has { if case .bulkTransaction(let duration) = $0 { duration > .zero } else { false } })
    #expect(listener.has { if case .checkpoint = $0 { true } else { false } })
    #expect(gone.events.isEmpty)
    withExtendedLifetime(observation) {}
  }

  @Test("snapshots that take all places do not keep a checkpoint from being made")
  func keepsPlacesForPins() throws {
    let store = try OpenStore(options: .init(readersMax: 2))
    let (environment, table) = (store.environment, store.table)
    func nest(_ body: () throws -> Void) throws {
      do { try environment.read { _ in try nest(body) } } catch StoreError.tooManyReaders { try body() }
    }
    try store.put(1)
    try nest {
      try environment.write { try $0.put([UInt8](repeating: 1, count: 5 << 20), for: [UInt8](number: 2), in: table) }
      #expect(environment.metrics.checkpoints == 1)
    }
    try store.put(3)
    #expect(try store.keys() == [1, 2, 3])
  }
}
