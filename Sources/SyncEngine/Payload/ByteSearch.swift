import CSimdjson

extension UInt8 {
  /// Whether the byte is white space of JSON.
  @inline(__always)
  var isWhiteSpace: Bool { self == 0x20 || self == 0x0A || self == 0x0D || self == 0x09 }
}

extension UnsafeBufferPointer<UInt8> {
  /// The place of the first such byte from a place on; the end if there is none.
  func firstIndex(of byte: UInt8, from start: Int) -> Int {
    guard let baseAddress, start < count, let found = memchr(baseAddress + start, Int32(byte), count - start) else {
      return count
    }
    return UnsafeRawPointer(baseAddress).distance(to: found)
  }

  @inline(__always)
  func contains(byte: UInt8) -> Bool {
    guard let baseAddress else { return false }
    // A call costs more than a look at a few bytes, and most strings are keys and short values.
    if count < 16 {
      var index = 0
      while index < count {
        if baseAddress[index] == byte { return true }
        index += 1
      }
      return false
    }
    return memchr(baseAddress, Int32(byte), count) != nil
  }
}
