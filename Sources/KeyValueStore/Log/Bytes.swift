/// Reads numbers from the bytes of a structure with a fixed layout. All are little-endian, which is what this module's files
/// have on every machine.
struct ByteReader {
  let bytes: UnsafeRawBufferPointer

  /// The number at an offset, which must lie within the bytes.
  @inline(__always)
  func number<Number: FixedWidthInteger>(at offset: Int, as type: Number.Type = Number.self) -> Number {
    Number(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: Number.self))
  }

  func bytes(at offset: Int, _ count: Int) -> [UInt8] {
    Array(bytes[offset..<(offset + count)])
  }
}

/// Builds the bytes of a structure with a fixed layout.
struct ByteWriter {
  private(set) var bytes: [UInt8]

  init(byteCount: Int) {
    bytes = [UInt8](repeating: 0, count: byteCount)
  }

  mutating func put(_ number: some FixedWidthInteger, at offset: Int) {
    withUnsafeBytes(of: number.littleEndian) { put(bytes: $0, at: offset) }
  }

  mutating func put(_ new: [UInt8], at offset: Int) {
    new.withUnsafeBytes { put(bytes: $0, at: offset) }
  }

  private mutating func put(bytes new: UnsafeRawBufferPointer, at offset: Int) {
    bytes.replaceSubrange(offset..<(offset + new.count), with: new)
  }
}
