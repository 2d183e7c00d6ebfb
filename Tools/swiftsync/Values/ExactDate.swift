import FoundationEssentials
import SyncEngine

/// Dates as text from which the very same date can be read again.
///
/// The text has the seconds of the calendar and as many digits of a fraction as the date's double has in its shortest
/// decimal form, so that adding them to the whole seconds, in decimal, gives the text of that double.
enum ExactDate {
  /// The years 1 to 9999, which are those with four digits, in seconds since the reference date.
  private static let range = -63_113_904_000.0..<252_423_993_600.0

  /// The text; nil for a date that has none, because its year has not four digits or it is no number, or because it differs
  /// from the reference date by less than a ten-thousandth of a second, which takes hundreds of digits.
  static func text(_ secondsSinceReferenceDate: Double) -> String? {
    guard range.contains(secondsSinceReferenceDate) else { return nil }
    let magnitude = secondsSinceReferenceDate.magnitude.description
    let parts = magnitude.split(separator: ".")
    guard parts.count == 2, !magnitude.contains("e") else { return nil }
    var fraction = parts[1] == "0" ? "" : String(parts[1])
    if secondsSinceReferenceDate < 0 { fraction = complement(of: fraction) }
    let whole = DateFormat.text(of: secondsSinceReferenceDate.rounded(.down)).dropLast(".000Z".count)
    return whole + (fraction.isEmpty ? "" : ".\(fraction)") + "Z"
  }

  /// The date that a text of this form stands for; nil for another text.
  static func seconds(_ text: String) -> Double? {
    guard text.hasSuffix("Z") else { return nil }
    let parts = text.dropLast().split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard let start = parts.first, start.utf8.count == 19,
      case .date(let date)? = NativeCoercion.convert("\(start)Z", to: .date)?.field
    else { return nil }
    let whole = date.timeIntervalSinceReferenceDate
    guard parts.count == 2 else { return whole }
    let fraction = String(parts[1])
    guard !fraction.isEmpty, fraction.utf8.allSatisfy({ (48...57).contains($0) }), fraction.last != "0" else {
      return nil
    }
    // Added in decimal: the double of the sum's text is the date that was written.
    if whole >= 0 { return Double("\(Int(whole)).\(fraction)") }
    return Double("-\(-Int(whole) - 1).\(complement(of: fraction))")
  }

  /// What is missing to one, in as many digits. The last digit of a fraction is never zero, so nothing is carried.
  private static func complement(of fraction: String) -> String {
    let digits = fraction.utf8.map { Int($0) - 48 }
    return digits.enumerated()
      .map { index, digit in "\((index == digits.count - 1 ? 10 : 9) - digit)" }
      .joined()
  }
}
