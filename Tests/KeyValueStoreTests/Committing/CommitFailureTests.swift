import Glibc
import TestSupport
import Testing

@testable import KeyValueStore

/// Section by section what a failing medium does to a commit: nothing acknowledged is lost, nothing refused comes back, and
/// what nobody can know is said to be so (invariants 5, 6 and 10).
@Suite("Commits that fail")
struct CommitFailureTests {
  private let faults = Faults()

  @Test(
    "when the log can't be written the commit is not made, the next one works, and the refused one never comes back",
    arguments: [EIO, ENOSPC], [false, true])
  func refusesWithoutLog(errno: Int32, isTearing: Bool) throws {
    let store = try OpenStore(faults.files(tearingWrites: isTearing))
    try store.put(1)
    for round in 1...3 {
      faults.fail(.write, "wal.", count: 1, with: errno)
      #expect {
        try store.put(100 + round, 101, 102)
      } throws: { error in
        switch error {
        case StoreError.diskFull(store.path + "/wal.0"): errno == ENOSPC
        case StoreError.system("Writing", store.path + "/wal.0", EIO): errno == EIO
        default: false
        }
      }
      #expect(try store.keys() == Array(1...round))
      #expect(try store.keysAfterKill() == Array(1...round))
      try store.put(round + 1)
    }
    store.environment.close()
    #expect(try OpenStore.keys(at: store.path) == [1, 2, 3, 4])
  }

  @Test("when a full disk refuses every write of the log, nothing was written, and there is nothing to take back")
  func refusesOnAFullDisk() throws {
    let store = try OpenStore(faults.files())
    try store.put(1)
    for round in 1...2 {
      faults.fail(.write, "wal.", with: ENOSPC)
      for _ in 1...2 {
        #expect(throws: StoreError.diskFull(path: store.path + "/wal.0")) { try store.put(100 + round, 101) }
        #expect(try store.keys() == Array(1...round))
        #expect(try store.keysAfterKill() == Array(1...round))
      }
      faults.heal()
      try store.put(round + 1)
    }
    store.environment.close()
    #expect(try OpenStore.keys(at: store.path) == [1, 2, 3])
  }

  @Test("when taking the frames back fails too, the outcome is unknown")
  func admitsUnknownWrite() throws {
    let store = try OpenStore(faults.files(tearingWrites: true))
    try store.put(1)
    faults.fail(.write, "wal.")
    try checkUnknown(store, acknowledged: [1], unknown: 2, hasFailedSync: false)
  }

  @Test("when the sync of the log fails the outcome is unknown", arguments: [false, true])
  func admitsUnknownSync(isPersistent: Bool) throws {
    let store = try OpenStore(faults.files())
    try store.put(1)
    faults.fail(.sync, "wal.", count: isPersistent ? .max : 1)
    try checkUnknown(store, acknowledged: [1], unknown: 2, hasFailedSync: true)
  }

  /// Writes key `unknown`, which fails so that nobody knows, and checks what follows from that.
  private func checkUnknown(
    _ store: OpenStore, acknowledged: [Int], unknown: Int, hasFailedSync: Bool
  ) throws {
    let events = Monitor<[StoreEvent]>([])
    let observation = store.environment.observeEvents { event in events.withLock { $0.append(event) } }
    // A snapshot has it published what was acknowledged.
    #expect(try store.keys() == acknowledged)
    #expect(throws: StoreError.outcomeUnknown(path: store.path, errno: EIO)) { try store.put(unknown) }
    // A sync that succeeds now would mean nothing.
    faults.heal()
    let cause = ReopenCause.failedCall(
      operation: hasFailedSync ? "Syncing" : "Writing", path: store.path + "/wal.0", errno: EIO)
    let refusal = StoreError.mustReopen(path: store.path, cause: cause)
    #expect(throws: refusal) { try store.put(unknown + 1) }
    #expect(throws: refusal) { try store.environment.flush() }
    #expect(throws: refusal) { try store.environment.table("new") }
    // All that was acknowledged is visible, so snapshots go on.
    #expect(try store.keys() == acknowledged)
    #expect(events.withLock { $0 }.contains(.mustReopen(path: store.path, cause: cause)))
    withExtendedLifetime(observation) {}
    let mark = store.path + "/sync.failed"
    #expect(try (SystemFiles().status(of: mark) != nil) == hasFailedSync)
    store.environment.close()
    #expect(try (SystemFiles().status(of: mark) != nil) == hasFailedSync)
    let keys = try OpenStore.keys(at: store.path)
    #expect(keys == acknowledged || keys == acknowledged + [unknown])
    #expect(try SystemFiles().status(of: mark) == nil)
  }

  /// What a store throws whose log could not be synced.
  private func refusal(_ store: OpenStore) -> StoreError {
    .mustReopen(
      path: store.path, cause: .failedCall(operation: "Syncing", path: store.path + "/wal.0", errno: EIO))
  }

  @Test("snapshots refuse when they could not show what was acknowledged, and only then")
  func refusesStaleSnapshots() throws {
    var seen: Set<Bool> = []
    // Whether the relaxed commit was published before the failure is a matter of milliseconds.
    for _ in 0..<200 where !seen.contains(false) {
      let store = try OpenStore(faults.files())
      try store.environment.write(durability: .relaxed) { try $0.put([1], for: [UInt8](number: 1), in: store.table) }
      faults.fail(.sync, "wal.", count: 1)
      // The sync that fails may also be that of the relaxed commit.
      #expect {
        try store.put(2)
      } throws: { error in
        [StoreError.outcomeUnknown(path: store.path, errno: EIO), refusal(store)].contains(error as? StoreError)
      }
      let isCurrent = store.environment.core.progress.isCurrent
      seen.insert(isCurrent)
      for _ in 1...3 {
        if isCurrent {
          #expect(try store.keys() == [1])
        } else {
          #expect(throws: refusal(store)) { try store.keys() }
        }
      }
      store.environment.close()
      let keys = try OpenStore.keys(at: store.path)
      #expect(keys == [1] || keys == [1, 2])
    }
    #expect(seen.contains(false))
  }

  @Test("a failing flush of relaxed commits is seen by the next write, and what it was for survives the process")
  func seesFailedFlush() async throws {
    let store = try OpenStore(faults.files())
    faults.fail(.sync, "wal.", count: 1)
    try store.put(1, durability: .relaxed(flushEvery: .zero))
    await OtherThread.wait { [faults] in faults.hits > 0 }
    await OtherThread.wait { (try? store.put(2, durability: .relaxed(flushEvery: .seconds(1000)))) == nil }
    #expect(throws: refusal(store)) { try store.environment.flush() }
    #expect(try SystemFiles().status(of: store.path + "/sync.failed") != nil)
    store.environment.close()
    #expect(try OpenStore.keys(at: store.path).first == 1)
  }

  @Test("the mark of a failed sync is left whatever has failed before it")
  func marksEveryFailedSync() throws {
    let folder = try TemporaryFolder()
    let poison = Poison(StorePaths(directory: folder.path), SystemFiles())
    poison.set(FileError(.write, "x", errno: EIO))
    #expect(try SystemFiles().names(in: folder.path) == [])
    poison.set(FileError(.sync, "x", errno: EIO))
    #expect(try SystemFiles().names(in: folder.path) == ["sync.failed"])
    #expect(poison.error?.operation == .write)
  }

  /// A step of a checkpoint.
  struct Step: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var operation: FileOperation
    var file: String
    var offset: Int?

    static let all = [
      Step(testDescription: "the header of the next segment", operation: .write, file: "wal.", offset: 0),
      Step(testDescription: "the sync of the next segment", operation: .sync, file: "wal.1"),
      Step(testDescription: "the sync of the data", operation: .sync, file: "data.mdb"),
      Step(testDescription: "the record", operation: .write, file: "checkpoint"),
      Step(testDescription: "the sync of the record", operation: .sync, file: "checkpoint"),
    ]
  }

  @Test("a checkpoint that fails stops all writes and loses nothing", arguments: Step.all, [false, true])
  func survivesFailedCheckpoint(step: Step, isTearing: Bool) async throws {
    let store = try OpenStore(faults.files(tearingWrites: isTearing))
    try store.put(1)
    faults.fail(step.operation, step.file, at: step.offset)
    // More than a segment holds, which is what makes a checkpoint due.
    var count = 1
    while count < 100_000 {
      let (table, number) = (store.table, count + 1)
      do {
        try await store.environment.write(durability: .relaxed) { transaction in
          try transaction.put([UInt8](repeating: 1, count: 20_000), for: [UInt8](number: number), in: table)
        }
        count = number
      } catch StoreError.mustReopen(store.path, _) {
        break
      }
    }
    #expect(faults.hits > 0)
    #expect(count > 20)
    #expect(try (SystemFiles().status(of: store.path + "/sync.failed") != nil) == (step.operation == .sync))
    if store.environment.core.progress.isCurrent { #expect(try store.keys() == Array(1...count)) }
    #expect(try store.keysAfterKill() == Array(1...count))
    store.environment.close()
    #expect(try OpenStore.keys(at: store.path) == Array(1...count))
  }

  @Test("a last checkpoint that fails loses nothing", arguments: Step.all)
  func survivesFailedClose(step: Step) throws {
    let store = try OpenStore(faults.files())
    for number in 1...5 { try store.put(number) }
    faults.fail(step.operation, step.file, at: step.offset)
    store.environment.close()
    #expect(faults.hits > 0)
    #expect(try OpenStore.keys(at: store.path) == [1, 2, 3, 4, 5])
  }
}
