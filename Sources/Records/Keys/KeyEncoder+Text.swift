// Swift compares strings by their canonical composition, and offers no other way to get at it than this interface, which
// Foundation uses too.
@_spi(_Unicode) import Swift

extension KeyEncoder {
  /// Text as Swift compares it: the UTF-8 of its canonical composition, so that two spellings of one string are one key.
  package mutating func append(_ value: String) {
    var value = value
    value.withUTF8 { append(utf8: UnsafeRawBufferPointer($0)) }
  }

  /// Text given as UTF-8. Bytes that are not UTF-8 are replaced, as they are when the text is read.
  package mutating func append(utf8: UnsafeRawBufferPointer) {
    bytes.append(Tag.value)
    if KeyEncoder.isComposed(utf8) {
      appendEscaped(utf8)
    } else {
      var composed = String(decoding: utf8, as: UTF8.self).composed
      composed.withUTF8 { appendEscaped(UnsafeRawBufferPointer($0)) }
    }
  }

  /// Whether the bytes are known to be valid UTF-8 in canonical composition. ASCII, the usual case, is seen at a glance.
  static func isComposed(_ utf8: UnsafeRawBufferPointer) -> Bool {
    if isASCII(utf8) { return true }
    return utf8.withMemoryRebound(to: UInt8.self) { bytes in
      guard var text = try? UTF8Span(validating: bytes.span) else { return false }
      return text.checkForNFC(quickCheck: true)
    }
  }

  static func isASCII(_ utf8: UnsafeRawBufferPointer) -> Bool {
    var offset = 0
    while offset + 8 <= utf8.count {
      if utf8.loadUnaligned(fromByteOffset: offset, as: UInt64.self) & 0x8080_8080_8080_8080 != 0 { return false }
      offset += 8
    }
    while offset < utf8.count {
      if utf8[offset] >= 0x80 { return false }
      offset += 1
    }
    return true
  }
}

extension String {
  /// The canonical composition, which all spellings of a text have in common.
  var composed: String { String(UnicodeScalarView(_nfc)) }
}
