import CXXHash

/// Values that are trusted when they are read: those of the `meta` table (the catalog, the counters) and the history.
///
/// A sealed value ends with eight bytes of XXH3-64 over the content, seeded with the same hash of its key, so that neither a
/// flipped bit nor another key's value is taken for it. The format version is not sealed: it has to be readable whatever a
/// later version makes of the rest.
enum SealedValue {
  static let checksumByteCount = 8

  static func seal(_ content: [UInt8], under key: [UInt8]) -> [UInt8] {
    content + checksum(of: content[...], under: key).withBytes { [UInt8]($0) }
  }

  static func byteCount(ofContent byteCount: Int) -> Int { byteCount + checksumByteCount }

  /// Writes a sealed value to where it will lie.
  static func seal(_ content: [UInt8], under key: UnsafeRawBufferPointer, into value: UnsafeMutableRawBufferPointer) {
    content.withUnsafeBytes { content in
      value.copyMemory(from: content)
      let checksum = checksum(of: content, under: key)
      value.storeBytes(of: checksum.bigEndian, toByteOffset: content.count, as: UInt64.self)
    }
  }

  /// The content, or nil when the checksum is wrong.
  static func open(_ value: [UInt8], under key: [UInt8]) -> [UInt8]? {
    let content = value.dropLast(checksumByteCount)
    let stored = value.suffix(checksumByteCount).withUnsafeBytes { UInt64($0) }
    return stored == checksum(of: content, under: key) ? [UInt8](content) : nil
  }

  /// The content where it lies, or nil when the checksum is wrong.
  static func open(_ value: UnsafeRawBufferPointer, under key: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
    guard value.count >= checksumByteCount else { return nil }
    let content = UnsafeRawBufferPointer(rebasing: value.dropLast(checksumByteCount))
    let stored = UInt64(UnsafeRawBufferPointer(rebasing: value.suffix(checksumByteCount)))
    return stored == checksum(of: content, under: key) ? content : nil
  }

  private static func checksum(of content: ArraySlice<UInt8>, under key: [UInt8]) -> UInt64 {
    key.withUnsafeBytes { key in content.withUnsafeBytes { checksum(of: $0, under: key) } }
  }

  private static func checksum(of content: UnsafeRawBufferPointer, under key: UnsafeRawBufferPointer) -> UInt64 {
    XXH3_64bits_withSeed(content.baseAddress, content.count, XXH3_64bits(key.baseAddress, key.count))
  }
}
