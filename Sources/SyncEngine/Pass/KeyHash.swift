/// A hash of short keys. Keys come from outside, so it has a seed that nobody knows: whoever wants many keys to collide can't
/// tell which do.
enum KeyHash {
  static func hash(_ key: UnsafeRawBufferPointer, seed: UInt64) -> UInt64 {
    var state = seed ^ UInt64(truncatingIfNeeded: key.count)
    var offset = 0
    while offset + 8 <= key.count {
      state = mix(state ^ key.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
      offset += 8
    }
    var rest: UInt64 = 0
    while offset < key.count {
      rest = rest << 8 | UInt64(key[offset])
      offset += 1
    }
    return mix(state ^ rest)
  }

  /// Both halves of a product depend on all bits of the number.
  @inline(__always)
  private static func mix(_ word: UInt64) -> UInt64 {
    let product = (word ^ 0x9E37_79B9_7F4A_7C15).multipliedFullWidth(by: 0xD6E8_FEB8_6659_FD93)
    return product.high ^ product.low
  }
}
