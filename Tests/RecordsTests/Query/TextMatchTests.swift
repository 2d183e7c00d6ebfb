import Testing

@testable import Records

/// Texts match by whole characters, and without what a folding leaves out.
@Suite struct TextMatchTests {
  struct Example {
    var text: String
    var match: TextMatch
    var pattern: String
    var matches: Bool

    init(_ text: String, _ place: TextMatch.Place, _ pattern: String, _ matches: Bool) {
      self.init(text, place, .exact, pattern, matches)
    }

    init(_ text: String, _ place: TextMatch.Place, _ folding: TextMatch.Folding, _ pattern: String, _ matches: Bool) {
      self.text = text
      self.match = TextMatch(place, folding)
      self.pattern = pattern
      self.matches = matches
    }
  }

  static let examples: [Example] = [
    Example("abc", .contains, "b", true), Example("abc", .contains, "B", false), Example("abc", .contains, "", true),
    Example("", .contains, "", true), Example("", .hasPrefix, "", true), Example("", .hasSuffix, "", true),
    Example("", .equals, "", true), Example("a", .equals, "", false), Example("a", .contains, "ab", false),
    Example("aab", .contains, "ab", true), Example("abc", .hasPrefix, "ab", true),
    Example("abc", .hasPrefix, "bc", false),
    Example("abc", .hasSuffix, "bc", true), Example("abc", .hasSuffix, "ab", false),
    Example("abc", .hasSuffix, "xabc", false),
    // Characters of several scalars are whole.
    Example("e\u{301}", .contains, "e", false), Example("e\u{301}", .contains, "\u{E9}", true),
    Example("\u{E9}", .hasPrefix, "e\u{301}", true), Example("xe\u{301}", .hasSuffix, "\u{301}", false),
    Example("👨‍👩‍👧", .contains, "👨", false), Example("a👨‍👩‍👧b", .contains, "👨‍👩‍👧", true), Example("👨👩", .hasPrefix, "👨", true),
    Example("🇩🇪🇫🇷", .contains, "🇪🇫", false), Example("🇩🇪🇫🇷", .hasSuffix, "🇫🇷", true),
    // So are a carriage return and a line feed, the only such pair in ASCII.
    Example("a\r\nb", .contains, "\n", false), Example("a\r\nb", .contains, "\r", false),
    Example("a\r\nb", .contains, "\r\n", true), Example("a\r\n\nb", .contains, "\n", true),
    Example("\r\nb", .hasPrefix, "\r", false), Example("a\r\n", .hasSuffix, "\n", false),
    Example("a\r\nB", .contains, .caseInsensitive, "A\r", false),
    // Other spellings of ASCII.
    Example("K", .contains, "\u{212A}", true), Example("\u{212A}", .contains, "K", true),
    Example(";", .equals, "\u{37E}", true), Example("a", .contains, "é", false),
    // Zeros are content.
    Example("a\0b", .contains, "\0b", true), Example("a\0b", .contains, "b\0", false),
    // Case.
    Example("Straße", .contains, .caseInsensitive, "STRASSE", true), Example("ſ", .equals, .caseInsensitive, "S", true),
    Example("ẞ", .equals, .caseInsensitive, "ß", true), Example("STRAẞE", .contains, .localizedStandard, "asse", true),
    Example("ϴ", .equals, .caseInsensitive, "θ", true), Example("ı", .equals, .caseInsensitive, "ı", true),
    Example("ΣΑΣ", .equals, .caseInsensitive, "σας", true), Example("ﬁn", .hasPrefix, .caseInsensitive, "FI", true),
    Example("É", .equals, .caseInsensitive, "e\u{301}", true), Example("É", .equals, .caseInsensitive, "e", false),
    Example("ı", .equals, .caseInsensitive, "I", false), Example("HELLO", .hasSuffix, .caseInsensitive, "llo", true),
    Example("K", .equals, .caseInsensitive, "\u{212A}", true), Example("[", .equals, .caseInsensitive, "{", false),
    Example("@", .equals, .caseInsensitive, "`", false),
    // Diacritics.
    Example("Crème Brûlée", .contains, .localizedStandard, "creme bru", true),
    Example("creme", .contains, .localizedStandard, "Crème", true),
    Example("İstanbul", .hasPrefix, .localizedStandard, "is", true),
    Example("e\u{323}\u{301}", .equals, .localizedStandard, "E", true),
    Example("が", .contains, .localizedStandard, "か", false), Example("क्ष", .contains, .localizedStandard, "क", false),
    Example("مُحَمَّد", .equals, .localizedStandard, "محمد", true), Example("o", .contains, .localizedStandard, "ø", false),
  ]

  @Test(arguments: examples)
  func textsMatch(example: Example) {
    #expect(example.match.matches(example.text, example.pattern) == example.matches)
    let pattern = TextPattern(example.match, example.pattern)
    var text = example.text
    let isFound = text.withUTF8 { pattern.matches(UnsafeRawBufferPointer($0)) }
    #expect(isFound == example.matches, "by bytes")
  }

  @Test func bytesThatAreNotTextMatchAsWhatIsRead() {
    let bytes: [UInt8] = [0x61, 0xFF, 0x62]
    #expect(bytes.withUnsafeBytes { TextPattern(TextMatch(.contains), "\u{FFFD}b").matches($0) })
    #expect(bytes.withUnsafeBytes { TextPattern(TextMatch(.hasPrefix), "a").matches($0) })
  }
}
