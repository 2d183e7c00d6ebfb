/// Sorts keys that lie in one buffer, moving small handles instead of keys.
///
/// Each handle carries the first bytes of its key as a number, which decides nearly every comparison without touching the
/// key; only keys that agree in them are compared in memory.
struct KeyOrder {
  private struct Handle {
    var prefix: UInt64
    var position: UInt32
  }

  private var handles: [Handle] = []
  private var ranges: [Range<Int>] = []

  mutating func reserveCapacity(_ count: Int) {
    handles.reserveCapacity(count)
    ranges.reserveCapacity(count)
  }

  /// Adds the key that lies in a range of the buffer.
  mutating func append(_ range: Range<Int>, in bytes: UnsafeRawBufferPointer) {
    handles.append(
      Handle(prefix: KeyOrder.prefix(of: bytes[range]), position: UInt32(truncatingIfNeeded: handles.count)))
    ranges.append(range)
  }

  /// The positions at which the keys were added, in ascending order of the keys, equal keys in the order of adding.
  func sorted(in bytes: UnsafeRawBufferPointer) -> [Int] {
    var handles = handles
    // Equal prefixes stay in the order of adding.
    handles.sort(byNumber: { $0.prefix })
    var start = 0
    while start < handles.count {
      var end = start + 1
      while end < handles.count, handles[end].prefix == handles[start].prefix { end += 1 }
      if end > start + 1 { sortByKeys(&handles[start..<end], in: bytes) }
      start = end
    }
    return handles.map { Int($0.position) }
  }

  private func sortByKeys(_ handles: inout ArraySlice<Handle>, in bytes: UnsafeRawBufferPointer) {
    handles.sort { left, right in
      let leftKey = UnsafeRawBufferPointer(rebasing: bytes[ranges[Int(left.position)]])
      let order = leftKey.compare(UnsafeRawBufferPointer(rebasing: bytes[ranges[Int(right.position)]]))
      return order == 0 ? left.position < right.position : order < 0
    }
  }

  /// The tag of the first value, which is 0 or 1, and as much of what follows as fits behind one bit.
  private static func prefix(of key: Slice<UnsafeRawBufferPointer>) -> UInt64 {
    guard let tag = key.first else { return 0 }
    let content = UnsafeRawBufferPointer(rebasing: key.dropFirst())
    var word: UInt64 = 0
    if content.count >= 8 {
      word = UInt64(bigEndian: content.loadUnaligned(as: UInt64.self))
    } else {
      for byte in content { word = word << 8 | UInt64(byte) }
      word <<= 8 * UInt64(8 - content.count)
    }
    return UInt64(tag & 1) << 63 | word >> 1
  }
}
