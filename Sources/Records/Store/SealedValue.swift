import CXXHash

/// Values of the `meta` table that are trusted when they are read: the catalog and the counters.
///
/// A sealed value ends with eight bytes of XXH3-64 over the content, seeded with the same hash of its key, so that neither a
/// flipped bit nor another key's value is taken for it. The format version is not sealed: it has to be readable whatever a
/// later version makes of the rest.
enum SealedValue {
  private static let checksumByteCount = 8

  static func seal(_ content: [UInt8], under key: [UInt8]) -> [UInt8] {
    content + checksum(of: content[...], under: key).withBytes { [UInt8]($0) }
  }

  /// The content, or nil when the checksum is wrong.
  static func open(_ value: [UInt8], under key: [UInt8]) -> [UInt8]? {
    let content = value.dropLast(checksumByteCount)
    let stored = value.suffix(checksumByteCount).withUnsafeBytes { UInt64($0) }
    return stored == checksum(of: content, under: key) ? [UInt8](content) : nil
  }

  private static func checksum(of content: ArraySlice<UInt8>, under key: [UInt8]) -> UInt64 {
    let seed = key.withUnsafeBytes { XXH3_64bits($0.baseAddress, $0.count) }
    return content.withUnsafeBytes { XXH3_64bits_withSeed($0.baseAddress, $0.count, seed) }
  }
}
