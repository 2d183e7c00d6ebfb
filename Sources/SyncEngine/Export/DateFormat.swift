/// Dates as the text of an export: `2023-11-14T22:13:20.000Z`.
package enum DateFormat {
  /// The text of a date that is given as seconds since the reference date, in UTC, rounded to the millisecond.
  package static func text(of seconds: Double) -> String {
    var writer = JSONWriter()
    writer.appendDate(seconds)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  /// A date's parts in the Gregorian calendar, in UTC.
  struct Parts {
    var year: Int
    var month: Int
    var day: Int
    var hour: Int
    var minute: Int
    var second: Int
    var millisecond: Int

    /// The parts of a date; nil when it is too far away to have a year.
    init?(_ seconds: Double) {
      let unixMilliseconds = ((seconds + DateText.referenceDateOffset) * 1000 + 0.5).rounded(.down)
      // Days are counted in Int below; a year of this size is far beyond what anybody can mean.
      guard unixMilliseconds.magnitude < 1e17 else { return nil }
      let (days, ofDay) = Int(unixMilliseconds).dividedDown(by: 86_400_000)
      hour = ofDay / 3_600_000
      minute = ofDay / 60_000 % 60
      second = ofDay / 1000 % 60
      millisecond = ofDay % 1000

      // Years begin in March here, so that the leap day is a year's last.
      let (era, dayOfEra) = (days + 719_468).dividedDown(by: 146_097)
      let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
      let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
      let monthFromMarch = (5 * dayOfYear + 2) / 153
      day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
      month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
      year = era * 400 + yearOfEra + (month <= 2 ? 1 : 0)
    }
  }
}

extension Int {
  /// Division that rounds down, so that the remainder is never negative.
  fileprivate func dividedDown(by divisor: Int) -> (quotient: Int, remainder: Int) {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }
}
