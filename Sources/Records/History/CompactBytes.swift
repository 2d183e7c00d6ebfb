/// Writes numbers and texts one behind the other, small numbers in few bytes.
///
/// A number is written in groups of seven bits, the lowest first; the top bit of a byte says that another one follows.
struct CompactWriter {
  private(set) var bytes: [UInt8] = []

  init() {
    // A transaction of one row fits.
    bytes.reserveCapacity(64)
  }

  mutating func append(byte: UInt8) {
    bytes.append(byte)
  }

  mutating func append(_ number: UInt64) {
    var rest = number
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: rest))
  }

  mutating func append(count: Int) {
    append(UInt64(count))
  }

  /// The bytes of a value of fixed width, which the caller has made little-endian.
  mutating func append<Value: BitwiseCopyable>(fixed value: Value) {
    withUnsafeBytes(of: value) { bytes.append(contentsOf: $0) }
  }

  /// Bytes with their number in front.
  mutating func append(counted content: some Collection<UInt8>) {
    append(count: content.count)
    bytes.append(contentsOf: content)
  }
}

/// Reads what a `CompactWriter` wrote, and throws `MalformedBytes` where that is something else.
struct CompactReader {
  private let bytes: UnsafeRawBufferPointer
  private var offset = 0

  init(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
  }

  var isAtEnd: Bool { offset == bytes.count }

  mutating func byte() throws(MalformedBytes) -> UInt8 {
    guard offset < bytes.count else { throw MalformedBytes() }
    defer { offset += 1 }
    return bytes[offset]
  }

  mutating func number() throws(MalformedBytes) -> UInt64 {
    var result: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 64, by: 7) {
      let byte = try byte()
      let bits = UInt64(byte & 0x7F)
      guard (bits << shift) >> shift == bits else { throw MalformedBytes() }
      result |= bits << shift
      if byte < 0x80 { return result }
    }
    throw MalformedBytes()
  }

  /// How many parts follow. Each takes at least a byte, so a number that cannot be right is found before it is believed.
  mutating func count() throws(MalformedBytes) -> Int {
    let number = try number()
    guard number <= UInt64(bytes.count - offset) else { throw MalformedBytes() }
    return Int(number)
  }

  mutating func fixed<Value: BitwiseCopyable>(_ type: Value.Type) throws(MalformedBytes) -> Value {
    let byteCount = MemoryLayout<Value>.size
    guard bytes.count - offset >= byteCount else { throw MalformedBytes() }
    defer { offset += byteCount }
    return bytes.loadUnaligned(fromByteOffset: offset, as: type)
  }

  mutating func counted() throws(MalformedBytes) -> UnsafeRawBufferPointer {
    let count = try count()
    defer { offset += count }
    return UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + count])
  }
}

/// Bytes that are not what was to be read.
struct MalformedBytes: Error {}
