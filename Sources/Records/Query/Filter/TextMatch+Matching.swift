// Case and diacritics are folded on decomposed text, which Swift makes and offers no other way to get at.
@_spi(_Unicode) import Swift

extension TextMatch {
  /// Whether a pattern is in a text at the place and with the folding that this match says.
  package func matches(_ text: String, _ pattern: String) -> Bool {
    let text = folding.fold(text)
    let pattern = folding.fold(pattern)
    return switch place {
    case .contains: pattern.isEmpty || text.contains(pattern)
    case .hasPrefix: text.starts(with: pattern)
    case .hasSuffix: text.reversed().starts(with: pattern.reversed())
    case .equals: text == pattern
    }
  }
}

extension TextMatch.Folding {
  /// The text without the differences that do not count.
  func fold(_ text: String) -> String {
    if self == .exact { return text }
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.lowercased() }
    return switch self {
    case .exact: text
    case .caseInsensitive: String(String.UnicodeScalarView(text._nfd.flatMap(TextMatch.Folding.foldedCase)))
    case .localizedStandard:
      String(
        String.UnicodeScalarView(
          text._nfd.lazy.filter { !TextMatch.Folding.isDiacritic($0) }.flatMap(TextMatch.Folding.foldedCase)))
    }
  }

  /// A scalar in the one form that upper, lower and title case share: the lower case of its upper case, as "ſ" and "s" have the
  /// same upper case, and "ß" and "ss"; that of its lower case, as "ẞ" is the upper case of nothing.
  private static func foldedCase(_ scalar: Unicode.Scalar) -> [Unicode.Scalar] {
    // The upper case of the dotless i is I, whose lower case is another letter.
    if scalar == "\u{131}" { return [scalar] }
    return scalar.properties.lowercaseMapping.unicodeScalars.flatMap { lower in
      lower.properties.uppercaseMapping.unicodeScalars.flatMap { $0.properties.lowercaseMapping.unicodeScalars }
    }
  }

  /// Whether a scalar is a mark that people leave out when they search. The marks of lower classes are parts of letters: the
  /// virama and the nukta of Indian scripts, the voicing of Japanese ones.
  private static func isDiacritic(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.generalCategory == .nonspacingMark && scalar.properties.canonicalCombiningClass.rawValue >= 10
  }
}
