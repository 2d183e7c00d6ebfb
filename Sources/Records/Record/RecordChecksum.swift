import CXXHash

/// The last eight bytes of a record: XXH3-64 over everything before them.
///
/// The seed is made of the entity and the row, so a record that lies under another row's key is as damaged as one with a
/// flipped bit.
enum RecordChecksum {
  private static func compute(_ payload: UnsafeRawBufferPointer, entity: EntityID, row: RowNumber) -> UInt64 {
    XXH3_64bits_withSeed(payload.baseAddress, payload.count, seed(entity.rawValue, row: row))
  }

  /// Whether the record ends with the checksum of what stands before it.
  static func matches(_ record: UnsafeRawBufferPointer, entity: EntityID, row: RowNumber) -> Bool {
    let payloadByteCount = record.count - RecordLayout.checksumByteCount
    guard payloadByteCount >= 0 else { return false }
    let stored = UInt64(littleEndian: record.loadUnaligned(fromByteOffset: payloadByteCount, as: UInt64.self))
    return stored == compute(UnsafeRawBufferPointer(rebasing: record[..<payloadByteCount]), entity: entity, row: row)
  }

  /// Writes the checksum of a record to its end.
  static func write(to record: UnsafeMutableRawBufferPointer, entity: EntityID, row: RowNumber) {
    let payloadByteCount = record.count - RecordLayout.checksumByteCount
    let payload = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(record)[..<payloadByteCount])
    let checksum = compute(payload, entity: entity, row: row)
    record.storeBytes(of: checksum.littleEndian, toByteOffset: payloadByteCount, as: UInt64.self)
  }

  /// The seed of what belongs to a row: of a record by the entity's number, of an index entry by the index's.
  ///
  /// Multiplying by an odd number spreads the few low bits of such numbers over the word, so that neighbouring rows of
  /// neighbouring entities do not share seeds.
  static func seed(_ owner: UInt32, row: RowNumber) -> UInt64 {
    row.rawValue ^ (UInt64(owner) &* 0x9E37_79B9_7F4A_7C15)
  }
}
