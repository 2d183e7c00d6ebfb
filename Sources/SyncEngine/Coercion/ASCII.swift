/// Bytes of text, seen as ASCII.
enum ASCII {
  @inline(__always)
  static func isWhiteSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || (byte >= 0x09 && byte <= 0x0D)
  }

  /// The text without the white space at both ends.
  @inline(__always)
  static func trimmed(_ text: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
    var start = 0
    var end = text.count
    while start < end, isWhiteSpace(text[start]) { start += 1 }
    while end > start, isWhiteSpace(text[end - 1]) { end -= 1 }
    return UnsafeBufferPointer(rebasing: text[start..<end])
  }

  /// Whether the text is a word, in whatever case; the word is given in lower case.
  static func isEqual(_ text: UnsafeBufferPointer<UInt8>, ignoringCaseTo word: StaticString) -> Bool {
    guard text.count == word.utf8CodeUnitCount else { return false }
    for (index, byte) in text.enumerated() where byte | 0x20 != word.utf8Start[index] { return false }
    return true
  }
}
