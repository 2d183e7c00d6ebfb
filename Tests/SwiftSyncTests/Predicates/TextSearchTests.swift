import Foundation
import Records
import Testing

/// `localizedStandardContains` finds what Foundation finds without regard to case and diacritics, but for what is listed here.
struct TextSearchTests {
  static let texts = [
    "ẞ", "ß", "ss", "SS", "Straße", "STRASSE", "STRAẞE", "strasse", "İ", "i", "I", "ı", "ſ", "s", "ﬁ", "fi", "ﬀ", "ff",
    "Σ", "σ", "ς", "\u{212A}", "k", "\u{212B}", "å", "a", "é", "e\u{301}", "e", "ø", "o", "æ", "ae", "đ", "d", "ł", "l",
    "ñ", "n", "ŉ", "ǆ", "Ǆ", "ǅ", "dž", "Ａ", "ａ", "①", "1", "²", "2", "ϴ", "θ", "Θ", "ϑ", "µ", "μ", "\u{2126}", "ω",
    "ΐ", "ί", "İstanbul", "istanbul", "が", "か", "ガ", "カ", "ｶ", "한", "й", "и", "ё", "е", "ї", "і", "ا", "أ", "क", "क़",
    "👍", "👍🏽", "Ꭰ", "ꭰ", "Ა", "ა", "ⅷ", "Ⅷ", "Ⓐ", "ⓐ", "\u{1E9B}", "ṡ", "",
  ]

  /// Where the two differ, and why that is better in a search field, or by a rule of our own.
  static let differences: [(text: String, pattern: String, isFound: Bool)] = [
    // A letter that stands for two is found by either of them, as it is by both: "stras" finds "Straße" while it is being typed.
    ("ẞ", "s", true), ("ẞ", "ſ", true), ("ẞ", "ṡ", true), ("ẞ", "\u{1E9B}", true), ("ß", "s", true), ("ß", "ſ", true),
    ("ß", "ṡ", true), ("ß", "\u{1E9B}", true), ("ﬁ", "i", true), ("ﬁ", "I", true), ("ﬁ", "İ", true), ("ŉ", "n", true),
    ("ŉ", "ñ", true),
    // The hamza is a mark like others.
    ("ا", "أ", true), ("أ", "ا", true),
    // Marks of low combining classes are parts of letters, in Indian scripts as in Japanese.
    ("क", "क़", false), ("क़", "क", false),
    // Characters are whole.
    ("👍", "👍🏽", false), ("👍🏽", "👍", false),
  ]

  @Test func searchesFindWhatFoundationFinds() {
    let match = TextMatch(.contains, .localizedStandard)
    var unseen = Self.differences
    for text in Self.texts {
      for pattern in Self.texts {
        let isFound =
          pattern.isEmpty || text.range(of: pattern, options: [.caseInsensitive, .diacriticInsensitive]) != nil
        let known = unseen.firstIndex { $0.text == text && $0.pattern == pattern }
        let expected = known.map { unseen.remove(at: $0).isFound } ?? isFound
        #expect(match.matches(text, pattern) == expected, "\(text) \(pattern)")
        #expect(known == nil || expected != isFound, "\(text) \(pattern) is no difference any more.")
      }
    }
    #expect(unseen.isEmpty)
  }
}
