import CLMDB
import TestSupport
import Testing

@testable import KeyValueStore

/// A recovery once wrote a record that leads to the segment in which the log had gone on, and had not synced that: its header
/// and its size were in the system's cache only. A power cut then left a store that refused to open. Now nothing in the ring
/// leads to what was not on the medium before (invariants 1 and 4).
@Suite("The order of a recovery's syncs")
struct RecoveryOrderTests {
  enum Way: CaseIterable, Sendable {
    case rollBack, takeOver
  }

  /// What a process leaves that dies while its checkpoint is being made: the record before, and frames in both segments. If
  /// others go on with it, LMDB shows all of them.
  private func makeStoreAcrossSegments(at path: String, in store: OpenStore, for way: Way) throws {
    try store.put(1)
    try StoreSurgery.copy(store.path, to: path)
    let files = try StoreSurgery.storeFiles(path)
    try StoreSurgery.appendToLog(path, inOtherSegment: true) { frames in
      let key = [UInt8](number: 2)
      _ = key.withUnsafeBytes { key in frames.put(key, key, in: Table(name: "t", handle: 2, opening: 0)) }
    }
    if way == .rollBack { return }
    let engine = try Engine(opening: path, flags: MDB_NOSYNC, mapBytes: 1 << 24, path: path, options: .init())
    defer { engine.close() }
    var replay = LogReplay(engine)
    _ = try replay.run(files.segments, from: try files.newestRecord().log) {}
  }

  @Test(
    "a record is written when the segment that it leads to, and what was read before, are on the medium",
    arguments: Way.allCases)
  func syncsBeforeRecords(way: Way) throws {
    let store = try OpenStore()
    let path = store.folder["copy"]
    try makeStoreAcrossSegments(at: path, in: store, for: way)
    let found = try StoreSurgery.storeFiles(path).newestRecord()
    let order = SyncOrder(path)
    let files = order.files()
    let storeFiles = try StoreFiles(
      StorePaths(directory: path), files, folder: try files.open(path, for: .reading), for: .writing)
    let recovery = Recovery(files: storeFiles, options: .init())
    let recovered = try way == .rollBack ? recovery.rollBack() : recovery.takeOver()
    recovered.checkpointer.releasePin()
    recovered.engine.close()

    // One leads to where the log had gone on, and one to where it begins anew.
    #expect(try segmentsOfNewRecords(order.steps, after: found) == [0, 1])
    #expect(try OpenStore.keys(at: path) == [1, 2])
  }

  @Test("so is the record that is written before the first change of a store that was closed")
  func syncsBeforeFirstChange() throws {
    let store = try OpenStore()
    try store.put(1)
    store.environment.close()
    let found = try StoreSurgery.storeFiles(store.path).newestRecord()
    #expect(found.isClosed)
    let order = SyncOrder(store.path)
    let environment = try Environment(at: store.path, files: order.files())
    let table = try environment.table("t")
    let before = order.steps
    #expect(before == [.wrote(StorePaths.writerLock, nil)])
    try environment.write { try $0.put([1], for: [UInt8](number: 2), in: table) }
    let steps = order.steps.dropFirst(before.count)
    #expect(try segmentsOfNewRecords(Array(steps), after: found) == [found.log.position.otherSegment.segment])
    // The header, and behind both records the first frame.
    let segment = StorePaths.segments[found.log.position.otherSegment.segment]
    let writes = steps.indices.filter { steps[$0] == .wrote(segment, nil) }
    let records = steps.indices.filter { if case .wrote(StorePaths.checkpoint, _) = steps[$0] { true } else { false } }
    #expect(writes.count == 2 && records.count == 2)
    #expect(try #require(writes.last) > (try #require(records.last)))
    // The names of files that were copied here may be in the cache only.
    #expect(steps.contains(.synced("store")))
    environment.close()
  }

  /// Checks that what each record leads to was on the medium when it was written, and returns the segments of those that lead
  /// elsewhere than the one that was found.
  private func segmentsOfNewRecords(_ steps: [SyncOrder.Step], after found: CheckpointRecord) throws -> Set<Int> {
    let records = steps.indices.filter { if case .wrote(StorePaths.checkpoint, _) = steps[$0] { true } else { false } }
    var segments: Set<Int> = []
    for place in records {
      // What was read of the ring may have been in the cache only.
      #expect(steps[..<place].contains(.synced(StorePaths.checkpoint)), "\(steps)")
      guard case .wrote(_, let record?) = steps[place] else {
        Issue.record("no valid record was written")
        continue
      }
      if record.log == found.log { continue }
      let segment = StorePaths.segments[record.log.position.segment]
      let written = steps[..<place].lastIndex(of: .wrote(segment, nil)) ?? 0
      #expect(steps[written..<place].contains(.synced(segment)), "record \(record.generation) after \(steps[..<place])")
      #expect(steps[..<place].contains(.synced(StorePaths.data)))
      segments.insert(record.log.position.segment)
    }
    return segments
  }
}

/// Notes in which order a store's files are written and synced.
private final class SyncOrder: Sendable {
  enum Step: Equatable {
    /// The record is the one that was written, if it is the ring.
    case wrote(String, CheckpointRecord?)
    case synced(String)
  }

  private let path: String
  private let noted = Monitor<[Step]>([])

  init(_ path: String) {
    self.path = path
  }

  var steps: [Step] { noted.withLock { $0 } }

  func files() -> FaultyFiles {
    FaultyFiles(
      beforeWrite: { [self] (path, _) throws(FileError) in note(.wrote(Self.name(path), nil)) },
      { [self] (_, operation, path) throws(FileError) in
        guard operation == .sync else { return }
        try noteRecord()
        note(.synced(Self.name(path)))
      })
  }

  private func note(_ step: Step) {
    noted.withLock { $0.append(step) }
  }

  /// Completes the last step with the record that has just been written.
  private func noteRecord() throws(FileError) {
    guard steps.last == .wrote(StorePaths.checkpoint, nil) else { return }
    let record = try CheckpointRing(StorePaths(directory: path), SystemFiles(), for: .reading).newest()
    noted.withLock { $0[$0.count - 1] = .wrote(StorePaths.checkpoint, record) }
  }

  private static func name(_ path: String) -> String {
    String(path.split(separator: "/").last ?? "")
  }
}
