import CXXHash

/// The value of an entry in a link table: the member's rank and a checksum of the whole entry, twelve bytes.
///
/// The checksum is the lower half of XXH3-64 over key and rank, seeded with the direction, so that an entry with a flipped
/// bit or one from another table is not taken for a link. Without it a wrong rank would show as a wrong order.
struct LinkValue: Equatable {
  private static let byteCount = 12

  let rank: UInt64

  init(rank: UInt64) {
    self.rank = rank
  }

  /// Reads a value; nil when it is not what was written under the key.
  init?(_ bytes: UnsafeRawBufferPointer, under key: LinkKey, of direction: RelationshipID) {
    guard bytes.count == LinkValue.byteCount else { return nil }
    rank = UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self))
    let stored = UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt32.self))
    guard stored == checksum(under: key, of: direction) else { return nil }
  }

  /// Passes the bytes of the value to a closure.
  func withBytes<Result>(
    under key: LinkKey, of direction: RelationshipID, _ body: (UnsafeRawBufferPointer) throws -> Result
  ) rethrows -> Result {
    // Three words, because a tuple of a word and half of one ends in bytes that are nobody's.
    let words = (
      UInt32(truncatingIfNeeded: rank >> 32).bigEndian, UInt32(truncatingIfNeeded: rank).bigEndian,
      checksum(under: key, of: direction).bigEndian
    )
    return try withUnsafeBytes(of: words, body)
  }

  private func checksum(under key: LinkKey, of direction: RelationshipID) -> UInt32 {
    let words = (key.owner.rawValue.bigEndian, key.member.rawValue.bigEndian, rank.bigEndian)
    let hash = withUnsafeBytes(of: words) { XXH3_64bits_withSeed($0.baseAddress, $0.count, UInt64(direction.rawValue)) }
    return UInt32(truncatingIfNeeded: hash)
  }
}
