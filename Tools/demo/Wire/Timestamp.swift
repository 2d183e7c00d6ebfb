import Foundation

/// A moment as it goes over the wire: in whole milliseconds, because whoever compares moments that were rounded differently takes
/// one edit for two.
package struct Timestamp: Comparable, Hashable, Sendable {
  /// Since 1970.
  package var milliseconds: Int

  package init(milliseconds: Int) {
    self.milliseconds = milliseconds
  }

  package init(_ date: Date) {
    milliseconds = Int((date.timeIntervalSince1970 * 1000).rounded())
  }

  package var date: Date { Date(timeIntervalSince1970: Double(milliseconds) / 1000) }

  /// The first moment that is after this one and not before another.
  package func next(notBefore other: Timestamp) -> Timestamp {
    max(other, Timestamp(milliseconds: milliseconds + 1))
  }

  package static func < (left: Timestamp, right: Timestamp) -> Bool { left.milliseconds < right.milliseconds }
}

extension Timestamp {
  /// In ISO 8601 and UTC, `2025-01-01T00:00:00.000Z`.
  package var text: String {
    let (seconds, rest) = milliseconds.quotientAndRemainder(dividingBy: 1000)
    // The remainder has the sign of the whole.
    let fraction = rest < 0 ? rest + 1000 : rest
    let digits = String(fraction + 1000).dropFirst()
    return "\(Self.wholeSeconds(rest < 0 ? seconds - 1 : seconds)).\(digits)Z"
  }

  /// Reads what `text` writes; the fraction may have any number of digits, or be missing. Nil for anything else, such as days that
  /// no month has.
  package init?(_ text: String) {
    guard text.utf8.count <= Self.lengthMax, text.hasSuffix("Z") else { return nil }
    let parts = text.dropLast().split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard let date = try? Date("\(parts[0])Z", strategy: .iso8601) else { return nil }
    let seconds = Int(date.timeIntervalSince1970)
    guard Self.wholeSeconds(seconds) == parts[0] else { return nil }
    milliseconds = seconds * 1000
    if parts.count > 1 {
      let digits = parts[1].prefix(3)
      guard !digits.isEmpty, parts[1].utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(digits) else {
        return nil
      }
      milliseconds += number * [100, 10, 1][digits.count - 1]
    }
  }

  /// No fraction is longer in earnest.
  private static let lengthMax = 40

  private static func wholeSeconds(_ seconds: Int) -> String {
    String(Date(timeIntervalSince1970: Double(seconds)).formatted(.iso8601).dropLast())
  }
}
