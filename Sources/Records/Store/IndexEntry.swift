import CXXHash

/// The entries of an index table.
///
/// An index that is not unique has the row at the end of the key. A unique index has it in the value; only when one of the
/// values is null, which never conflicts, the row stands at the end of the key as well.
///
/// Each value ends with four bytes of checksum: the lower half of XXH3-64 over the key, with a seed made of the index and the
/// row. Without it a flipped bit in the row would lead to another row, and one in the key would be another row's value.
enum IndexEntry {
  /// Up to this length `KeyValueStore` keeps keys in their order whatever follows.
  static let orderedKeyBytesMax = 495

  private static let rowByteCount = 8
  private static let checksumByteCount = 4

  /// Appends the key of a record's entry and tells whether the entry may occur only once.
  static func appendKey(of record: RecordView, row: RowNumber, in index: Index, to encoder: inout KeyEncoder) -> Bool {
    var isExclusive = index.isUnique
    for attribute in index.attributes {
      if record.isNull(attribute.field) { isExclusive = false }
      encoder.append(attribute.field, of: record)
    }
    if !isExclusive { encoder.append(row) }
    return isExclusive
  }

  /// The row of an entry, or nil when key and value are not what was written together into this index.
  static func row(key: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer, of index: Index) -> RowNumber? {
    let valueByteCount = (index.isUnique ? rowByteCount : 0) + checksumByteCount
    guard value.count == valueByteCount else { return nil }
    let bytes = index.isUnique ? value.prefix(rowByteCount) : key.suffix(rowByteCount)
    guard let row = UInt64(UnsafeRawBufferPointer(rebasing: bytes)).map(RowNumber.init(rawValue:)) else { return nil }
    let stored = value.loadUnaligned(fromByteOffset: valueByteCount - checksumByteCount, as: UInt32.self)
    return UInt32(bigEndian: stored) == checksum(of: key, row: row, in: index) ? row : nil
  }

  /// Passes the bytes of an entry's value to a closure.
  static func withValue<Result>(
    of row: RowNumber, under key: UnsafeRawBufferPointer, in index: Index,
    _ body: (UnsafeRawBufferPointer) throws -> Result
  ) rethrows -> Result {
    let number = row.rawValue
    // Three words, because a tuple of a word and half of one ends in bytes that are nobody's.
    let words = (
      UInt32(truncatingIfNeeded: number >> 32).bigEndian, UInt32(truncatingIfNeeded: number).bigEndian,
      checksum(of: key, row: row, in: index).bigEndian
    )
    return try withUnsafeBytes(of: words) { bytes in
      try body(UnsafeRawBufferPointer(rebasing: index.isUnique ? bytes[...] : bytes[rowByteCount...]))
    }
  }

  private static func checksum(of key: UnsafeRawBufferPointer, row: RowNumber, in index: Index) -> UInt32 {
    let seed = RecordChecksum.seed(index.id.rawValue, row: row)
    return UInt32(truncatingIfNeeded: XXH3_64bits_withSeed(key.baseAddress, key.count, seed))
  }
}
