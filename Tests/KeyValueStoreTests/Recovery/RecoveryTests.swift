import Glibc
import TestSupport
import Testing

@testable import KeyValueStore

/// What an opening finds that comes after no closing (invariants 1 to 4, 8, 9 and 11; corrections C1, C3, C4 and C5).
@Suite("Recovery")
struct RecoveryTests {
  private static let never = Durability.relaxed(flushEvery: .seconds(10_000))

  /// A copy of an open store's folder, with commits that are in the log only.
  private func abandoned(_ store: OpenStore, _ name: String = "copy") throws -> String {
    try StoreSurgery.copy(store.path, to: store.folder[name])
    return store.folder[name]
  }

  @Test("relaxed commits survive the end of the process, each as a whole, and are found in the log")
  func findsRelaxed() throws {
    let store = try OpenStore(options: .init(durability: Self.never))
    for number in 0..<40 { try store.put(number, 1000 + number) }
    let path = try abandoned(store)
    let environment = try Environment(at: path)
    let table = try environment.table("t")
    #expect(try environment.read { try $0.count(in: table) } == 80)
    // The creation of the table and the writes; LMDB was at the checkpoint of the creation of the store.
    #expect(environment.metrics.commitsRecovered == 41)
    environment.close()
  }

  @Test("recovering twice is the same as once, and so is recovering what a recovery has left half done")
  func isRepeatable() throws {
    let store = try OpenStore(options: .init(durability: Self.never))
    for number in 0..<10 { try store.put(number) }
    let path = try abandoned(store)
    for round in 0..<5 {
      let environment = try Environment(at: path)
      let table = try environment.table("t")
      #expect(try environment.read { try $0.entries(table) }.map(\.key.asNumber) == Array(0..<(10 + round)))
      #expect(environment.metrics.commitsRecovered == (round == 0 ? 11 : 1))
      try environment.write { try $0.put([1], for: [UInt8](number: 10 + round), in: table) }
      let next = store.folder["copy \(round)"]
      try StoreSurgery.copy(path, to: next)
      environment.close()
      try SystemFiles().rename(path, to: store.folder["old \(round)"])
      try SystemFiles().rename(next, to: path)
    }
  }

  @Test("every call of a recovery can be its last", arguments: [0, 1])
  func isInterruptible(remainder: Int) throws {
    let store = try OpenStore(options: .init(durability: Self.never))
    for number in 0..<10 { try store.put(number) }
    let counting = FaultyFiles { _, _, _ in }
    try Environment(at: try abandoned(store, "counting"), files: counting).close()
    for step in counting.calls.indices where step % 2 == remainder {
      let path = try abandoned(store, "\(step)")
      let files = FaultyFiles(isTearingWrites: step % 4 < 2) { (call, operation, path) throws(FileError) in
        if call >= step { throw FileError(operation, path, errno: EIO) }
      }
      // Closing may be what fails, and nobody hears of that.
      do { try Environment(at: path, files: files).close() } catch is StoreError {}
      #expect(try OpenStore.keys(at: path) == Array(0..<10), "interrupted before call \(step)")
    }
  }

  @Test("the record that was found stays as it is, and the next slots get the newer ones")
  func leavesNewestSlot() throws {
    let store = try OpenStore(options: .init(durability: Self.never))
    try store.put(1)
    let path = try abandoned(store)
    let before = try StoreSurgery.storeFiles(path).ring.records()
    let newest = try #require(before.compactMap { $0 }.max { $0.generation < $1.generation })
    let environment = try Environment(at: path)
    let after = try StoreSurgery.storeFiles(path).ring.records()
    let slot = Int(newest.generation % 4)
    #expect(after[slot] == newest)
    var repeated = newest
    repeated.generation += 1
    #expect(after[(slot + 1) % 4] == repeated)
    let checkpoint = try #require(after[(slot + 2) % 4])
    #expect(checkpoint.generation == newest.generation + 2)
    // A new timeline, in the other segment.
    #expect(checkpoint.log.timeline != newest.log.timeline)
    #expect(checkpoint.log.chain == checkpoint.log.timeline)
    #expect(checkpoint.log.position == newest.log.position.otherSegment)
    #expect(checkpoint.log.lsn == 2)
    // Twice, because the ones before may lead to pages that are used again from now on.
    var twin = checkpoint
    twin.generation += 1
    #expect(after[(slot + 3) % 4] == twin)
    environment.close()
  }

  @Test(
    "a record that is not LMDB's is refused, and only what can be repeated has been written", arguments: [1, -1, 5])
  func refusesForeignRecord(distance: Int) throws {
    let store = try OpenStore()
    try store.put(1)
    try store.put(2)
    store.environment.close()
    try StoreSurgery.changeRecord(store.path) { record in
      record.log.lsn = UInt64(Int(record.log.lsn) + distance)
      record.isClosed = false
    }
    let before = try TemporaryFolder.read(store.path + "/data.mdb")
    let log = try StorePaths.segments.map { try TemporaryFolder.read(store.path + "/" + $0) }
    for _ in 1...2 {
      #expect {
        try Environment(at: store.path)
      } throws: { error in
        if case StoreError.damaged(store.path, _) = error { true } else { false }
      }
    }
    #expect(try TemporaryFolder.read(store.path + "/data.mdb").dropFirst(8192) == before.dropFirst(8192))
    #expect(try StorePaths.segments.map { try TemporaryFolder.read(store.path + "/" + $0) } == log)
  }

  @Test("frames of an older timeline do not come back, although they stand where the log goes on")
  func forgetsOlderTimelines() throws {
    let store = try OpenStore(options: .init(durability: Self.never))
    for number in 0..<20 { try store.put(number) }
    var path = try abandoned(store)
    // The power fails before anything but the first frames is on the medium, again and again.
    var expected = Array(0..<20)
    for round in 0..<4 {
      let environment = try Environment(at: path)
      let table = try environment.table("t")
      #expect(try environment.read { try $0.entries(table) }.map(\.key.asNumber) == expected)
      for number in 100..<110 {
        try environment.write(durability: Self.never) { try $0.put([1], for: [UInt8](number: number), in: table) }
        try environment.write(durability: Self.never) { _ = try $0.delete([UInt8](number: number), in: table) }
      }
      try environment.write { _ = try $0.delete([UInt8](number: round), in: table) }
      expected.removeFirst()
      path = store.folder["copy \(round)"]
      try StoreSurgery.copy(store.folder[round == 0 ? "copy" : "copy \(round - 1)"], to: path)
      environment.close()
    }
  }

  @Test("a log whose operations make no sense is damage, and a bulk mark ends it")
  func judgesOperations() throws {
    let table = Table(name: "t", handle: 2, opening: 0)
    let unknown = Table(name: "unknown", handle: 3, opening: 0)
    let key = [UInt8](number: 7)
    let cases: [(String, (FrameCollector) -> Void, [Int]?)] = [
      ("a change of a table that is not there", { _ = $0.clear(unknown) }, nil),
      (
        "a change of a table that is there",
        { frames in _ = key.withUnsafeBytes { key in frames.put(key, key, in: table) } }, [1, 2, 7]
      ),
      (
        "a deletion of what is not there", { frames in _ = key.withUnsafeBytes { frames.delete($0, in: table) } },
        [1, 2]
      ),
      ("a removal", { _ = $0.clear(table) }, []),
      (
        "a creation and a removal",
        { frames in
          _ = frames.create(unknown)
          _ = frames.clear(unknown)
        }, [1, 2]
      ),
      ("a bulk mark", { $0.markBulk() }, [1, 2]),
      (
        "a bulk mark twice",
        { frames in
          frames.markBulk()
          frames.markBulk()
        }, [1, 2]
      ),
    ]
    for (number, (name, operations, expected)) in cases.enumerated() {
      let store = try OpenStore(options: .init(durability: Self.never))
      try store.put(1)
      try store.put(2)
      let path = try abandoned(store, "\(number)")
      try StoreSurgery.appendToLog(path, operations)
      if let expected {
        #expect(try OpenStore.keys(at: path) == expected, "\(name)")
      } else {
        #expect(throws: StoreError.damaged(path: path, reason: "its log changes a table 'unknown' that is not there")) {
          try Environment(at: path)
        }
      }
    }
  }

  @Test("a bulk mark that stands alone in its timeline does no harm to the next ones")
  func leavesBulkMark() throws {
    let store = try OpenStore()
    try store.put(1)
    store.environment.close()
    // Open again, and nothing written.
    let environment = try Environment(at: store.path)
    let path = try abandoned(store)
    environment.close()
    try StoreSurgery.appendToLog(path) { $0.markBulk() }
    for round in 0..<3 {
      let environment = try Environment(at: round == 0 ? path : store.folder["copy \(round)"])
      let table = try environment.table("t")
      #expect(try environment.read { try $0.entries(table) }.map(\.key.asNumber) == [1])
      try StoreSurgery.copy(environment.directory, to: store.folder["copy \(round + 1)"])
      environment.close()
    }
  }

  @Test("a map that is too small for what the log has grows")
  func growsMap() throws {
    let store = try OpenStore(options: .init(durability: Self.never))
    let table = store.table
    for number in 0..<10 {
      try store.environment.write { transaction in
        try transaction.put([UInt8](repeating: 1, count: 300_000), for: [UInt8](number: number), in: table)
      }
    }
    let environment = try Environment(at: try abandoned(store), options: .init(mapBytesInitial: 64 << 10))
    #expect(try environment.read { try $0.count(in: try environment.table("t")) } == 10)
    environment.close()
  }

  @Test("segments grow with the load, and a store opens with whatever sizes they have")
  func growsSegments() async throws {
    let store = try OpenStore(options: .init(durability: Self.never))
    let table = store.table
    for number in 0..<400 {
      try await store.environment.write { transaction in
        try transaction.put([UInt8](repeating: 1, count: 10_000), for: [UInt8](number: number % 50), in: table)
      }
    }
    let environment = store.environment
    #expect(environment.metrics.checkpoints > 0)
    let paths = StorePaths.segments.map { store.path + "/" + $0 }
    await OtherThread.wait {
      paths.contains { ((try? SystemFiles().status(of: $0)) ?? nil)?.byteCount ?? 0 >= 4 * LogSegment.byteCountMin }
    }
    #expect(try store.keysAfterKill() == Array(0..<50))
    environment.close()
    #expect(try OpenStore.keys(at: store.path) == Array(0..<50))
  }
}
