/// The first block of a segment: whose it is, and which frames begin behind it. docs/on-disk-format.md has its layout.
///
/// It is on the medium before the checkpoint's record that leads to it, so a segment without the header that a durable
/// record expects is not the store's own.
struct SegmentHeader: Equatable {
  static let byteCount = 64
  /// Frames begin in the next block, so that the header's own is not written again with them.
  static let firstFrame = 4096
  private static let magic = Array("SwKVSegm".utf8)
  private static let format: UInt32 = 1
  private static let checksumOffset = 56

  var segment: Int
  var store: StoreIdentifier
  var timeline: UInt64
  /// The number of the first frame behind it.
  var firstLSN: UInt64

  var bytes: [UInt8] {
    var writer = ByteWriter(byteCount: Self.byteCount)
    writer.put(Self.magic, at: 0)
    writer.put(Self.format, at: 8)
    writer.put(UInt32(segment), at: 12)
    writer.put(store.bytes, at: 16)
    writer.put(timeline, at: 32)
    writer.put(firstLSN, at: 40)
    writer.put(Checksum.of(Array(writer.bytes.prefix(Self.checksumOffset))), at: Self.checksumOffset)
    return writer.bytes
  }
}

extension SegmentHeader {
  /// Reads a header; nil when the bytes aren't one.
  init?(_ bytes: [UInt8]) {
    guard bytes.count >= Self.byteCount, bytes.starts(with: Self.magic) else { return nil }
    let parsed: SegmentHeader? = bytes.withUnsafeBytes { bytes in
      let reader = ByteReader(bytes: bytes)
      let covered = UnsafeRawBufferPointer(rebasing: bytes[..<Self.checksumOffset])
      guard reader.number(at: Self.checksumOffset) == Checksum.of(covered), reader.number(at: 8) == Self.format,
        let store = StoreIdentifier(bytes: reader.bytes(at: 16, StoreIdentifier.byteCount)[...])
      else { return nil }
      return SegmentHeader(
        segment: Int(reader.number(at: 12, as: UInt32.self)), store: store, timeline: reader.number(at: 32),
        firstLSN: reader.number(at: 40))
    }
    guard let parsed else { return nil }
    self = parsed
  }
}
