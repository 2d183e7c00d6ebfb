/// Points in time of the tracker: seconds since 2024 began, in UTC.
enum TrackerTime {
  /// Rows were made within two years.
  static let span = 2 * 365 * 86_400
  /// Later than every row of the first payload.
  static let afterwards = span + 2 * 86_400

  /// Seconds from 1970 to 2024.
  private static let epoch = 1_704_067_200

  /// ISO 8601 in UTC: `2024-03-01T12:00:00Z`, or with `.000` before the zone.
  static func text(_ seconds: Int, milliseconds: Bool = false) -> String {
    let (days, rest) = (epoch + seconds).quotientAndRemainder(dividingBy: 86_400)
    let (year, month, day) = date(days: days)
    let time = [rest / 3600, rest / 60 % 60, rest % 60].map(twoDigits).joined(separator: ":")
    return "\(year)-\(twoDigits(month))-\(twoDigits(day))T\(time)\(milliseconds ? ".000" : "")Z"
  }

  /// The Gregorian date so many days after 1970 began. Years are counted from March, so that the leap day is the last.
  private static func date(days: Int) -> (year: Int, month: Int, day: Int) {
    let fromMarch0000 = days + 719_468
    let (era, day400) = fromMarch0000.quotientAndRemainder(dividingBy: 146_097)
    let year400 = (day400 - day400 / 1460 + day400 / 36_524 - day400 / 146_096) / 365
    let dayOfYear = day400 - (365 * year400 + year400 / 4 - year400 / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    return (era * 400 + year400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * monthFromMarch + 2) / 5 + 1)
  }

  private static func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
