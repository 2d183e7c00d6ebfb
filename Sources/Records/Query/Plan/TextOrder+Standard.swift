// Case is told apart on decomposed text, which Swift makes and offers no other way to get at.
@_spi(_Unicode) import Swift

extension TextOrder {
  /// Bytes that sort as texts do in this order.
  package func key(of text: String) -> [UInt8] {
    KeyEncoder.bytes { $0.append(text, in: self) }
  }
}

extension KeyEncoder {
  /// A text as it sorts in an order.
  mutating func append(_ text: String, in order: TextOrder) {
    if order == .localizedStandard { appendStandardOrder(of: text) }
    append(text)
  }

  /// What decides before the text itself: its letters and numbers, then its diacritics, then its upper and lower case.
  private mutating func appendStandardOrder(of text: String) {
    bytes.append(Tag.value)
    appendEscaped(StandardOrder.letters(of: text))
    appendEscaped(Array(TextMatch.Folding.caseInsensitive.fold(text).composed.utf8))
    appendEscaped(text._nfd.map { $0.properties.isUppercase ? 2 : 1 })
  }

  private mutating func appendEscaped(_ content: [UInt8]) {
    content.withUnsafeBytes { appendEscaped($0) }
  }
}

/// The weights of letters, digits and punctuation in the order in which people sort lists.
///
/// It is the same everywhere, whatever the user's language: the root order of Unicode for ASCII and for letters with diacritics,
/// and the order of the code points for the rest.
private enum StandardOrder {
  /// Bytes that sort texts by their letters alone, numbers by their value.
  static func letters(of text: String) -> [UInt8] {
    var result: [UInt8] = []
    var digits: [UInt8] = []
    for scalar in TextMatch.Folding.localizedStandard.fold(text).unicodeScalars {
      if scalar >= "0" && scalar <= "9" {
        digits.append(UInt8(truncatingIfNeeded: scalar.value))
        continue
      }
      appendNumber(&digits, to: &result)
      if scalar.isASCII {
        result.append(weight(ofASCII: UInt8(truncatingIfNeeded: scalar.value)))
      } else if let letters = lettersOfLetter[scalar] {
        result += letters.utf8
      } else {
        result += UTF8.encode(scalar).map(Array.init) ?? []
      }
    }
    appendNumber(&digits, to: &result)
    return result
  }

  /// A number sorts where digits do, by how many digits it has and then by these.
  private static func appendNumber(_ digits: inout [UInt8], to result: inout [UInt8]) {
    if digits.isEmpty { return }
    let significant = digits.drop { $0 == UInt8(ascii: "0") }
    result.append(UInt8(ascii: "0"))
    withUnsafeBytes(of: UInt32(truncatingIfNeeded: significant.count).bigEndian) { result.append(contentsOf: $0) }
    result += significant
    digits.removeAll()
  }

  private static let punctuation = Array(##" _-,;:!?.'"()[]{}@*/\&#%`^+<=>|~$"##.utf8)

  /// Control characters sort before punctuation, punctuation before digits, and these before letters.
  private static func weight(ofASCII byte: UInt8) -> UInt8 {
    if let place = punctuation.firstIndex(of: byte) { return UInt8(ascii: "0") - UInt8(punctuation.count - place) }
    return byte < 0x20 ? min(byte, 0x0E) : byte
  }

  /// Letters that have no decomposition, but are sorted with others.
  private static let lettersOfLetter: [Unicode.Scalar: String] = [
    "æ": "ae", "œ": "oe", "ø": "o", "đ": "d", "ð": "d", "ł": "l", "ħ": "h", "ŧ": "t", "ı": "i",
  ]
}
