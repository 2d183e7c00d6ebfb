import CXXHash

/// What a payload's text of a row hashed to when the row was last made equal to it.
///
/// A later text with the same digest says nothing new, as long as nobody has changed the row since: whatever changes a row
/// removes its digest, unless it sets another one in the same transaction.
package struct RowDigest: Sendable, Hashable {
  package let high: UInt64
  package let low: UInt64
  /// The to-many relationships whose members the text says, as `Entity.bit(ofMembers:)` has them. Links that others make to
  /// the row by another relationship are no change of what it says.
  package let shownMembers: UInt8

  package init(high: UInt64, low: UInt64, shownMembers: UInt8) {
    self.high = high
    self.low = low
    self.shownMembers = shownMembers
  }

  /// The digest of a text: XXH3 with 128 bits.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - context: The digest of what else decides how a text is read; nil if there is nothing else. It is mixed in afterwards,
  ///     because a seed would cost XXH3 more than the hashing of a short text.
  ///   - shownMembers: The to-many relationships whose members the text says.
  package init(of text: UnsafeRawBufferPointer, in context: RowDigest? = nil, shownMembers: UInt8 = 0) {
    let hash = XXH3_128bits(text.baseAddress, text.count)
    high = hash.high64 ^ (context?.high ?? 0)
    low = hash.low64 ^ (context?.low ?? 0)
    self.shownMembers = shownMembers
  }
}

/// A row and its digest.
package struct RowWithDigest: Sendable {
  package let row: RowNumber
  package let digest: RowDigest

  package init(row: RowNumber, digest: RowDigest) {
    self.row = row
    self.digest = digest
  }
}

/// The value of an entry in a table of digests: 21 bytes.
///
/// The last four are the lower half of XXH3-64 over the others, with the seed of the row's record. Without them a flipped bit
/// in a key would make a text that means one row look as if it meant another.
struct DigestValue {
  static let byteCount = 21
  private static let checksumOffset = 17

  let digest: RowDigest

  init(_ digest: RowDigest) {
    self.digest = digest
  }

  /// Reads a value; nil when it is not what was written for the row.
  init?(_ bytes: UnsafeRawBufferPointer, row: RowNumber, of entity: EntityID) {
    guard bytes.count == Self.byteCount,
      UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: Self.checksumOffset, as: UInt32.self))
        == Self.checksum(of: bytes, row: row, entity)
    else { return nil }
    digest = RowDigest(
      high: UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)),
      low: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)), shownMembers: bytes[16])
  }

  /// Writes the value into a buffer of `byteCount` bytes.
  func write(to bytes: UnsafeMutableRawBufferPointer, row: RowNumber, of entity: EntityID) {
    bytes.storeBytes(of: digest.high.bigEndian, as: UInt64.self)
    bytes.storeBytes(of: digest.low.bigEndian, toByteOffset: 8, as: UInt64.self)
    bytes[16] = digest.shownMembers
    let checksum = Self.checksum(of: UnsafeRawBufferPointer(bytes), row: row, entity)
    bytes.storeBytes(of: checksum.bigEndian, toByteOffset: Self.checksumOffset, as: UInt32.self)
  }

  private static func checksum(of bytes: UnsafeRawBufferPointer, row: RowNumber, _ entity: EntityID) -> UInt32 {
    let seed = RecordChecksum.seed(entity.rawValue, row: row)
    return UInt32(truncatingIfNeeded: XXH3_64bits_withSeed(bytes.baseAddress, checksumOffset, seed))
  }
}

extension Entity {
  /// The bit that stands for a to-many relationship among those whose members a text shows; 0 for another property. The eighth
  /// and all behind it share one.
  package func bit(ofMembers property: Int) -> UInt8 {
    let position = relationships.filter(\.isToMany).firstIndex { $0.propertyIndex == property }
    return position.map { 1 << UInt8(min($0, 7)) } ?? 0
  }
}
