/// Where the values of an index key end.
enum KeySpan {
  /// How many bytes the first values of an entry's key take; nil when the key is damaged.
  static func byteCount(of attributes: ArraySlice<Attribute>, in key: UnsafeRawBufferPointer) -> Int? {
    var end = 0
    for attribute in attributes {
      guard let next = valueEnd(FieldKind(attribute.type), from: end, in: key), next <= key.count else { return nil }
      end = next
    }
    return end
  }

  private static func valueEnd(_ kind: FieldKind, from start: Int, in key: UnsafeRawBufferPointer) -> Int? {
    guard start < key.count else { return nil }
    let content = start + 1
    if key[start] == KeyEncoder.Tag.null { return content }
    switch kind {
    case .bool: return content + 1
    case .int8, .int16, .int32, .int64, .uint8, .uint16, .uint32, .uint64, .row, .float, .double, .date:
      return content + 8
    case .uuid: return content + 16
    case .decimal: return KeyEncoder.endOfDecimal(from: content, in: key)
    case .string, .url, .data, .composite: return endOfEscaped(from: content, in: key)
    }
  }

  /// Two zeros end it; a zero that belongs to it has FF behind it.
  private static func endOfEscaped(from start: Int, in key: UnsafeRawBufferPointer) -> Int? {
    var offset = start
    while offset + 1 < key.count {
      if key[offset] == 0, key[offset + 1] == 0 { return offset + 2 }
      offset += 1
    }
    return nil
  }
}
