/// What stands before the operations of one commit in the log. docs/on-disk-format.md has its layout.
///
/// The header has a check of its own beside the checksum of the whole frame, so that a reader who can't follow the chain
/// any more still recognises frames behind a damaged one.
struct FrameHeader: Equatable {
  static let byteCount = 48
  /// Frames begin at multiples of this.
  static let alignment = 8
  private static let magic: UInt32 = 0x4B53_5746
  /// What the header's check covers, and of that what the frame's checksum covers.
  private static let checkedStart = 8
  private static let checksumOffset = 40

  var payloadByteCount: Int
  /// The number of the commit.
  var lsn: UInt64
  /// All frames up to this one were on the medium when this one was written.
  var durable: UInt64
  /// Which run of the log it belongs to: see `LogEnd`.
  var timeline: UInt64
  /// Over header, payload and the checksum of the frame before. It is what the next frame's is chained to.
  var checksum: UInt64 = 0

  /// How many bytes the frame takes, up to where the next one may begin.
  var frameByteCount: Int {
    (Self.byteCount + payloadByteCount + Self.alignment - 1) / Self.alignment * Self.alignment
  }
}

extension FrameHeader {
  /// Reads a header; nil when the bytes aren't one.
  init?(_ bytes: UnsafeRawBufferPointer) {
    guard bytes.count >= Self.byteCount else { return nil }
    let reader = ByteReader(bytes: bytes)
    guard reader.number(at: 0) == Self.magic, reader.number(at: 4) == Self.check(of: bytes),
      let payloadByteCount = Int(exactly: reader.number(at: 8, as: UInt64.self))
    else { return nil }
    self.init(
      payloadByteCount: payloadByteCount, lsn: reader.number(at: 16), durable: reader.number(at: 24),
      timeline: reader.number(at: 32), checksum: reader.number(at: Self.checksumOffset))
  }

  /// What a header begins with: what a search looks for.
  static var firstByte: UInt8 { UInt8(truncatingIfNeeded: magic) }

  /// Writes the header in front of its payload, which is already there, and computes its checksum. `frame` is the whole
  /// frame.
  mutating func seal(_ frame: UnsafeMutableRawBufferPointer, chain: UInt64) {
    func store(_ number: some FixedWidthInteger, at offset: Int) {
      frame.storeBytes(of: number.littleEndian, toByteOffset: offset, as: type(of: number))
    }
    store(Self.magic, at: 0)
    store(UInt64(payloadByteCount), at: 8)
    store(lsn, at: 16)
    store(durable, at: 24)
    store(timeline, at: 32)
    let bytes = UnsafeRawBufferPointer(frame)
    checksum = Self.checksum(
      of: bytes, payload: UnsafeRawBufferPointer(rebasing: bytes[Self.byteCount...].prefix(payloadByteCount)),
      chain: chain)
    store(checksum, at: Self.checksumOffset)
    store(Self.check(of: bytes), at: 4)
  }

  /// Whether a frame with this header is the one that follows the frame whose checksum is `chain`.
  func isSound(_ header: UnsafeRawBufferPointer, payload: UnsafeRawBufferPointer, chain: UInt64) -> Bool {
    checksum == Self.checksum(of: header, payload: payload, chain: chain)
  }

  private static func checksum(
    of header: UnsafeRawBufferPointer, payload: UnsafeRawBufferPointer, chain: UInt64
  ) -> UInt64 {
    #if BROKEN_VARIANTS
    let chain = BrokenVariant.active == .unchainedFrames ? 0 : chain
    #endif
    let start = UnsafeRawBufferPointer(rebasing: header[checkedStart..<checksumOffset])
    return Checksum.of(payload, seed: Checksum.of(start, seed: chain))
  }

  private static func check(of header: UnsafeRawBufferPointer) -> UInt32 {
    UInt32(
      truncatingIfNeeded: Checksum.of(UnsafeRawBufferPointer(rebasing: header[checkedStart..<byteCount])))
  }
}
