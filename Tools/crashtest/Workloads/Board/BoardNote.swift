import TestSupport

/// What is written beside an item.
enum BoardNote {
  /// Nothing, a few words, or a text that is too long for a record. Nowhere is it like another one, nor like itself elsewhere, so
  /// that a part that is in the wrong place shows.
  static func draw(_ random: inout SplitMix64, largePercent: Int) -> String? {
    if random.chance(largePercent) { return text(digitCount: 15_000 + random.below(50_000), &random) }
    return random.chance(50) ? text(digitCount: random.below(80), &random) : nil
  }

  private static func text(digitCount: Int, _ random: inout SplitMix64) -> String {
    var text = ""
    while text.utf8.count < digitCount { text += String(random.next(), radix: 16) }
    return text
  }
}
