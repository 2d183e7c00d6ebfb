import FoundationEssentials

/// UUIDs from their canonical text.
enum UUIDText {
  /// The UUID of 36 bytes of text (8-4-4-4-12 hexadecimal digits of either case), nil for anything else.
  static func uuid(_ text: UnsafeBufferPointer<UInt8>) -> UUID? {
    guard text.count == 36, let start = text.baseAddress,
      text[8] == UInt8(ascii: "-"), text[13] == UInt8(ascii: "-"),
      text[18] == UInt8(ascii: "-"), text[23] == UInt8(ascii: "-")
    else { return nil }
    let raw = UnsafeRawPointer(start)
    func four(at offset: Int) -> UInt64 {
      UInt64(UInt32(littleEndian: raw.loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
    }
    func eight(at offset: Int) -> UInt64 {
      UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }
    guard let a = bytes(eight(at: 0)), let b = bytes(four(at: 9) | four(at: 14) << 32),
      let c = bytes(four(at: 19) | four(at: 24) << 32), let d = bytes(eight(at: 28))
    else { return nil }
    let words = (UInt64(a) | UInt64(b) << 32, UInt64(c) | UInt64(d) << 32)
    return UUID(uuid: unsafeBitCast((words.0.littleEndian, words.1.littleEndian), to: uuid_t.self))
  }

  /// The four bytes that eight hexadecimal digits are, all digits at a time; nil if one isn't a digit. The first digit is in
  /// the lowest byte.
  @inline(__always)
  private static func bytes(_ text: UInt64) -> UInt32? {
    let each: UInt64 = 0x0101_0101_0101_0101
    // '0'...'9' are 0x30..., 'A'... are 0x41... and 'a'... are 0x61...: bit 6 tells letters, whose low half begins at 1.
    let digits = (text & (each * 0x0F)) &+ ((text >> 6) & each) &* 9
    // What the digits found would be written as has to be what was written.
    let isLetter = ((digits &+ each * 6) >> 4) & each
    let expected = digits &+ each * 0x30 &+ isLetter &* 0x27
    guard digits & (each * 0xF0) == 0, expected == text | isLetter << 5 else { return nil }
    var pairs = (digits << 4 | digits >> 8) & 0x00FF_00FF_00FF_00FF
    pairs = (pairs | pairs >> 8) & 0x0000_FFFF_0000_FFFF
    return UInt32(truncatingIfNeeded: pairs | pairs >> 16)
  }
}
