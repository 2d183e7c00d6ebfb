import TestSupport
import Testing

@testable import KeyValueStore

/// The structures with a fixed place: what leads to a store's state has to be exactly as it was written.
@Suite("Checkpoint records and segment headers")
struct RecordFormatTests {
  private static func record(_ generation: UInt64, _ random: inout SplitMix64) throws -> CheckpointRecord {
    CheckpointRecord(
      generation: generation, store: StoreIdentifier(), pageBytes: 4096, snapshot: random.next(),
      log: LogEnd(
        position: LogPosition(segment: random.below(2), offset: 4096 + 8 * random.below(1 << 20)), lsn: random.next(),
        chain: random.next(), timeline: random.next()),
      segmentByteCount: random.below(1 << 24), meta: random.bytes(CheckpointRecord.metaByteCount))
  }

  @Test("a record comes back as it was, and every change of a byte in it is noticed")
  func recordNoticesChanges() throws {
    var random = SplitMix64(seed: 1)
    let record = try Self.record(7, &random)
    let bytes = record.bytes
    #expect(CheckpointRecord(bytes) == record)
    // What stands behind the checksum means nothing.
    for place in 0..<1032 {
      var changed = bytes
      changed[place] ^= random.pick([1, 0x80, 0xFF]) ?? 1
      #expect(CheckpointRecord(changed) == nil, "byte \(place)")
    }
    #expect(CheckpointRecord(Array(bytes.dropLast())) == nil)
  }

  @Test("a segment's header comes back as it was, and every change of a byte in it is noticed")
  func headerNoticesChanges() {
    let header = SegmentHeader(segment: 1, store: StoreIdentifier(), timeline: 5, firstLSN: 9)
    let bytes = header.bytes
    #expect(SegmentHeader(bytes) == header)
    for place in bytes.indices {
      for change in [0x01, 0x80, 0xFF] as [UInt8] {
        var changed = bytes
        changed[place] ^= change
        #expect(SegmentHeader(changed) == nil, "byte \(place)")
      }
      #expect(SegmentHeader(Array(bytes.prefix(place))) == nil)
    }
  }

  @Test("any bytes are either a record or header or not, and never a trap", arguments: 1...5)
  func readsAnyBytes(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let record = try Self.record(3, &random).bytes
    for round in 0..<100 {
      var bytes = round % 2 == 0 ? record : [UInt8](repeating: 0, count: CheckpointRecord.slotByteCount)
      for _ in 0..<(1 + random.below(20)) { bytes[random.below(1032)] = UInt8(random.below(256)) }
      // With the right checksum, so that what is in it is looked at.
      let generation = bytes.number(at: 16, as: UInt64.self)
      let checksum = Checksum.of(Array(bytes.prefix(1024)), seed: generation)
      withUnsafeBytes(of: checksum.littleEndian) { bytes.replaceSubrange(1024..<1032, with: $0) }
      if let read = CheckpointRecord(bytes) {
        #expect(read.log.position.offset >= SegmentHeader.firstFrame)
        #expect(0..<2 ~= read.log.position.segment)
      }
      _ = SegmentHeader(bytes)
      _ = try? MetaPage(bytes)
    }
  }

  @Test("the newest record is the valid one with the highest generation, in the slot that is its own")
  func findsNewest() throws {
    let folder = try TemporaryFolder()
    let files = SystemFiles()
    let ring = CheckpointRing(try files.open(folder["checkpoint"], for: .creating), files)
    #expect(try ring.newest() == nil)
    var random = SplitMix64(seed: 9)
    for generation in 1...9 as ClosedRange<UInt64> {
      let record = try Self.record(generation, &random)
      try ring.write(record)
      #expect(try ring.newest() == record)
      #expect(try ring.records().compactMap { $0?.generation }.count == Int(min(generation, 4)))
    }
    // Damaged, the one before it counts; copied into another slot, it counts as none.
    try StoreSurgery.change(folder["checkpoint"], at: 1 * 4096 + 100) { $0[0] ^= 1 }
    #expect(try ring.newest()?.generation == 8)
    let copy = try Self.record(100, &random)
    try files.write(copy.bytes, to: try files.open(folder["checkpoint"], for: .writing), at: 3 * 4096)
    #expect(try ring.newest()?.generation == 8)
  }

  @Test("a slot is written without touching the others")
  func writesOneSlot() throws {
    let folder = try TemporaryFolder()
    let files = SystemFiles()
    let ring = CheckpointRing(try files.open(folder["checkpoint"], for: .creating), files)
    var random = SplitMix64(seed: 2)
    for generation in 1...12 as ClosedRange<UInt64> {
      let before = try ring.records()
      try ring.write(try Self.record(generation, &random))
      let after = try ring.records()
      for slot in 0..<CheckpointRing.slotCount where slot != Int(generation % 4) {
        #expect(after[slot] == before[slot])
      }
    }
  }
}
