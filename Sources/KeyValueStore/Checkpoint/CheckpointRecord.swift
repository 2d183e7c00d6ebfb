/// What the store has to know to begin again at a checkpoint: the snapshot, and where the log goes on behind it.
/// docs/on-disk-format.md has its layout.
package struct CheckpointRecord: Equatable, Sendable {
  /// What a slot of the ring has room for.
  static let slotByteCount = 4096
  /// How much of the meta page is kept. Everything that LMDB writes there lies in it.
  static let metaByteCount = 512
  private static let magic = Array("SwKVChck".utf8)
  private static let format: UInt32 = 1
  private static let metaOffset = 512
  private static let checksumOffset = 1024

  /// Counts the records. The valid one with the highest generation is the newest.
  var generation: UInt64
  var store: StoreIdentifier
  var pageBytes: Int
  /// LMDB's number of the transaction that made the snapshot.
  var snapshot: UInt64
  /// The last commit that the snapshot contains, and where the log goes on.
  var log: LogEnd
  /// How far the segment of that position was filled when the record was written.
  var segmentByteCount: Int
  /// The beginning of the meta page that leads to the snapshot.
  var meta: [UInt8]
  /// Whether the store was closed with this record, so that the log has nothing behind it.
  var isClosed = false

  /// The record as its slot holds it.
  var bytes: [UInt8] {
    var writer = ByteWriter(byteCount: Self.slotByteCount)
    writer.put(Self.magic, at: 0)
    writer.put(Self.format, at: 8)
    writer.put(UInt32(pageBytes), at: 12)
    writer.put(generation, at: 16)
    writer.put(log.lsn, at: 24)
    writer.put(snapshot, at: 32)
    writer.put(store.bytes, at: 40)
    writer.put(log.timeline, at: 56)
    writer.put(log.chain, at: 64)
    writer.put(UInt32(log.position.segment), at: 72)
    writer.put(UInt32(isClosed ? 1 : 0), at: 76)
    writer.put(UInt64(log.position.offset), at: 80)
    writer.put(UInt64(segmentByteCount), at: 88)
    writer.put(meta, at: Self.metaOffset)
    writer.put(
      Checksum.of(Array(writer.bytes.prefix(Self.checksumOffset)), seed: generation), at: Self.checksumOffset)
    return writer.bytes
  }
}

extension CheckpointRecord {
  /// Reads a record; nil when the bytes aren't a valid one.
  init?(_ bytes: [UInt8]) {
    guard bytes.count == Self.slotByteCount, bytes.starts(with: Self.magic) else { return nil }
    let parsed: CheckpointRecord? = bytes.withUnsafeBytes { bytes in
      let reader = ByteReader(bytes: bytes)
      let generation: UInt64 = reader.number(at: 16)
      let checksum = Checksum.of(UnsafeRawBufferPointer(rebasing: bytes[..<Self.checksumOffset]), seed: generation)
      let segment: UInt32 = reader.number(at: 72)
      guard reader.number(at: Self.checksumOffset) == checksum, reader.number(at: 8) == Self.format, segment < 2,
        let store = StoreIdentifier(bytes: reader.bytes(at: 40, StoreIdentifier.byteCount)),
        let offset = Int(exactly: reader.number(at: 80, as: UInt64.self)),
        let segmentByteCount = Int(exactly: reader.number(at: 88, as: UInt64.self)),
        offset >= SegmentHeader.firstFrame, offset < Int.max / 2
      else { return nil }
      return CheckpointRecord(
        generation: generation, store: store, pageBytes: Int(reader.number(at: 12, as: UInt32.self)),
        snapshot: reader.number(at: 32),
        log: LogEnd(
          position: LogPosition(segment: Int(segment), offset: offset), lsn: reader.number(at: 24),
          chain: reader.number(at: 64), timeline: reader.number(at: 56)),
        segmentByteCount: segmentByteCount, meta: reader.bytes(at: Self.metaOffset, Self.metaByteCount),
        isClosed: reader.number(at: 76, as: UInt32.self) == 1)
    }
    guard let parsed else { return nil }
    self = parsed
  }
}
