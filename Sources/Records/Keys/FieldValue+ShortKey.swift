import FoundationEssentials

extension FieldValue {
  /// Runs a closure on the key of the value, made without a buffer on the heap: that of a UUID, an integer or a short text, which
  /// is what rows are looked up by one at a time.
  ///
  /// - Returns: Nil, without having run the closure, for all others.
  func withShortKey<Result>(
    as type: AttributeType, _ body: (UnsafeRawBufferPointer) throws -> Result
  ) rethrows -> Result? {
    switch (self, type) {
    case (.uuid(let value), .uuid):
      // Seventeen single bytes, so there is no padding among them.
      return try withUnsafeBytes(of: (KeyEncoder.Tag.value, value.uuid)) { try body($0) }
    case (.int(let value), .int8), (.int(let value), .int16), (.int(let value), .int32), (.int(let value), .int64):
      return try Self.withKey(KeyEncoder.word(of: value), body)
    case (.uint(let value), .uint8), (.uint(let value), .uint16), (.uint(let value), .uint32),
      (.uint(let value), .uint64):
      return try Self.withKey(value, body)
    case (.string(var value), .string):
      return try value.withUTF8 { try Self.withKey(UnsafeRawBufferPointer($0), body) }
    default: return nil
    }
  }

  private static func withKey<Result>(
    _ number: UInt64, _ body: (UnsafeRawBufferPointer) throws -> Result
  ) rethrows -> Result {
    try withUnsafeTemporaryAllocation(byteCount: 9, alignment: 1) { key in
      key[0] = KeyEncoder.Tag.value
      key.storeBytes(of: number.bigEndian, toByteOffset: 1, as: UInt64.self)
      return try body(UnsafeRawBufferPointer(key))
    }
  }

  /// Only for a text that is its own composition and needs no escape.
  private static func withKey<Result>(
    _ text: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) throws -> Result
  ) rethrows -> Result? {
    guard text.count <= shortTextBytesMax, KeyEncoder.isASCII(text), !text.contains(0) else { return nil }
    return try withUnsafeTemporaryAllocation(byteCount: text.count + 3, alignment: 1) { key in
      key[0] = KeyEncoder.Tag.value
      UnsafeMutableRawBufferPointer(rebasing: key[1...]).copyMemory(from: text)
      key[text.count + 1] = 0
      key[text.count + 2] = 0
      return try body(UnsafeRawBufferPointer(key))
    }
  }

  /// Longer than identities are.
  private static let shortTextBytesMax = 128
}
