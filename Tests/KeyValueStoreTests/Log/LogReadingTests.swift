import Glibc
import TestSupport
import Testing

@testable import KeyValueStore

/// Where a reader goes on, and where it ends (invariants 6 and 7).
@Suite("Reading the log")
struct LogReadingTests {
  @Test("frames are read in the order of their numbers, those of a group and those of several")
  func readsInOrder() throws {
    let sample = try SampleLog()
    #expect(try sample.read() == [])
    try sample.append(3)
    try sample.append()
    try sample.append(2)
    #expect(try sample.read() == [11, 12, 13, 14, 15, 16])
    #expect(sample.log.durable == 10)
    #expect(!sample.log.isSynced)
  }

  @Test("after a sync the next frame begins a block of its own, and without one it does not")
  func alignsAfterSyncs() throws {
    let sample = try SampleLog()
    for round in 0..<6 {
      try sample.append()
      let end = sample.log.end.position.offset
      try sample.append()
      #expect(sample.log.end.position.offset - end < 200)
      try sample.log.sync()
      #expect(sample.log.isSynced)
      let blocks = (sample.log.end.position.offset + 4095) / 4096
      try sample.append()
      #expect(sample.log.end.position.offset / 4096 == blocks)
      #expect(try sample.read().count == 3 * (round + 1))
    }
  }

  @Test("at the end of a segment a reader goes on in the other one, and from there nowhere")
  func crossesOnce() throws {
    let sample = try SampleLog()
    try sample.append(3)
    try sample.log.switchSegment()
    #expect(sample.log.isSynced)
    let middle = sample.log.end
    try sample.append(4)
    #expect(try sample.read() == Array(11...17))
    #expect(try sample.read(from: middle) == Array(14...17))
    try sample.log.switchSegment()
    try sample.append(2)
    // The beginning has been overwritten, which only a newer checkpoint allows. Who has an older one is told.
    #expect(try sample.read(from: middle) == Array(14...19))
    #expect(throws: StoreError.self) { try sample.read() }
  }

  @Test("a search that passes many frames of an older timeline reads each part of the log once")
  func searchesInOnePass() throws {
    let files = FaultyFiles { _, _, _ in }
    let sample = try SampleLog(files)
    try sample.append(1000, valueByteCount: 400)
    let callsBefore = files.calls.count
    // All of the frames are behind one that the reader does not find.
    var start = SampleLog.start
    start.timeline += 1
    #expect(try sample.read(from: start) == [])
    let reads = files.calls[callsBefore...].filter { $0 == .read }.count
    #expect((1...8).contains(reads))
  }

  @Test("frames of another timeline are not read, whether they stand behind or in the other segment")
  func endsAtTimelines() throws {
    let sample = try SampleLog()
    try sample.append(3)
    let end = sample.log.end
    try sample.log.switchSegment(timeline: 99)
    try sample.append(4)
    #expect(try sample.read() == [11, 12, 13])
    #expect(
      try sample.read(from: LogEnd(position: end.position.otherSegment, lsn: 13, chain: 99, timeline: 99)).count == 4)
  }

  @Test("a frame that is torn at the end ends the log, wherever it is torn")
  func endsAtTornTail() throws {
    let sample = try SampleLog()
    try sample.append(2)
    let start = sample.log.end.position.offset
    try sample.append(valueByteCount: 100)
    let end = sample.log.end.position.offset
    let whole = try TemporaryFolder.read(sample.folder["wal.0"])
    for cut in start..<end where whole[cut..<end].contains(where: { $0 != 0 }) {
      var torn = whole
      for place in cut..<end { torn[place] = 0 }
      try TemporaryFolder.write(torn, to: sample.folder["wal.0"])
      #expect(try sample.read() == [11, 12], "cut at \(cut)")
    }
    try TemporaryFolder.write(Array(whole.prefix(end - 1)), to: sample.folder["wal.0"])
    #expect(try sample.read() == [11, 12])
  }

  @Test("a hole ends the log when a power cut explains it, and is damage when the frames behind it say otherwise")
  func tellsHolesFromDamage() throws {
    for isSynced in [false, true] {
      let sample = try SampleLog()
      var starts: [Int] = []
      for _ in 0..<6 {
        starts.append(sample.log.end.position.offset)
        try sample.append()
        if isSynced { try sample.log.sync() }
      }
      try sample.damage(0, at: isSynced ? 4096 * 3 + 60 : starts[2] + 60)
      if isSynced {
        #expect(
          throws: StoreError.damaged(
            path: sample.folder.path, reason: "commit 13 in its log can't be read, and commit 14 behind it can")
        ) {
          try sample.read()
        }
      } else {
        #expect(try sample.read() == [11, 12])
      }
    }
  }

  @Test("a hole is damage too when the frames behind it are in the other segment")
  func findsHolesBeforeCrossing() throws {
    let sample = try SampleLog()
    try sample.append(2)
    try sample.log.switchSegment()
    try sample.append(2)
    try sample.damage(0, at: 4096 + 60)
    #expect(throws: StoreError.self) { try sample.read() }
  }

  @Test("frames larger than what is read at once are read")
  func readsLargeFrames() throws {
    let sample = try SampleLog()
    for byteCount in [300 << 10, 1 << 20, 4_000_000] { try sample.append(2, valueByteCount: byteCount / 2) }
    try sample.log.sync()
    #expect(try sample.read() == Array(11...16))
    #expect(sample.log.isSegmentFull)
  }

  @Test("what is taken back is not read, and what comes in its place has not been synced by its sync")
  func takesBack() throws {
    let sample = try SampleLog()
    try sample.append()
    try sample.append(3)
    try sample.log.sync()
    try sample.log.takeBack()
    #expect(sample.log.end.lsn == 11)
    #expect(try sample.read() == [11])
    try sample.append(valueByteCount: 50)
    #expect(!sample.log.isSynced)
    #expect(sample.log.durable == 11)
    #expect(try sample.read() == [11, 12])
    try sample.append()
    // If the medium had only the last of them, that would be no damage: neither was synced.
    try sample.damage(0, at: 4096 * 2 + 20)
    #expect(try sample.read() == [11])
  }

  @Test("a write that fails leaves the log as it was, even when a part of it was written", arguments: [false, true])
  func takesFailedWritesBack(isTearing: Bool) throws {
    let faults = Faults()
    let sample = try SampleLog(faults.files(tearingWrites: isTearing))
    try sample.append(2)
    for byteCount in [20, 5000, 300 << 10] {
      faults.fail(.write, "wal.0", count: 1, with: ENOSPC)
      do {
        try sample.append(3, valueByteCount: byteCount)
        Issue.record("the write failed unseen")
      } catch let failure as LogFailure {
        #expect(failure.isTakenBack)
        #expect(failure.cause.errno == ENOSPC)
      }
      sample.drop()
      let byteCount = try sample.log.current.fileByteCount()
      #expect(byteCount == sample.log.current.byteCount)
      #expect(sample.log.end.lsn == 12)
      #expect(try sample.read() == [11, 12])
    }
    faults.heal()
    try sample.append()
    #expect(try sample.read() == [11, 12, 13])
  }

  @Test(
    "when taking back fails too, the log says so, and of a sync that it was one",
    arguments: [FileOperation.write, .sync])
  func failsToTakeBack(operation: FileOperation) throws {
    let faults = Faults()
    let sample = try SampleLog(faults.files(tearingWrites: true))
    try sample.append()
    if operation == .sync {
      faults.fail(.sync, "wal.0")
      #expect(throws: FileError(.sync, sample.folder["wal.0"], errno: EIO)) { try sample.log.takeBack() }
    } else {
      faults.fail(.write, "wal.0", count: 2)
      do {
        try sample.append()
        Issue.record("the write failed unseen")
      } catch let failure as LogFailure {
        #expect(!failure.isTakenBack)
      }
    }
  }

  /// The system reports a failure of writing back once. A sync on another thread at the same time succeeds then, and the
  /// frames that it was for are lost all the same.
  @Test("no sync of a segment succeeds beside one that fails, or after it")
  func failsAllSyncs() async throws {
    let (faults, gate) = (Faults(), Gate())
    let sample = try SampleLog(faults.files())
    try sample.append()
    faults.hold(.sync, "wal.0", at: gate, failing: EIO)
    let pending = sample.log.beginSync()
    let failing = Task.detached { try await OtherThread.run { try pending.run() } }
    await gate.someoneWaits()
    try sample.append()
    let later = sample.log.beginSync()
    let other = Task.detached { try await OtherThread.run { try later.run() } }
    await OtherThread.waitInVain()
    gate.open()
    await #expect(throws: FileError.self) { try await failing.value }
    await #expect(throws: FileError.self) { try await other.value }
    #expect(throws: FileError.self) { try sample.log.sync() }
    #expect(sample.log.durable == 10)
  }
}
