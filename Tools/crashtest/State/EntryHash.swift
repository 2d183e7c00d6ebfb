import CXXHash

/// Numbers for entries. The state of a table is the sum of them, so that one change costs as much as what it changes.
enum EntryHash {
  static func hash(of text: String) -> UInt64 {
    var text = text
    return text.withUTF8 { XXH3_64bits($0.baseAddress, $0.count) }
  }

  static func hash(
    _ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer, tableSeed: UInt64
  ) -> UInt64 {
    let keyHash = XXH3_64bits_withSeed(key.baseAddress, key.count, tableSeed)
    return XXH3_64bits_withSeed(value.baseAddress, value.count, keyHash)
  }
}
