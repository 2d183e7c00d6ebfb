/// Dates from text and numbers, byte by byte. docs/mapping-contract.md lists what is accepted.
///
/// All dates here are seconds since the reference date, 2001-01-01T00:00:00Z, which is how records and `Date` keep them.
enum DateText {
  /// Seconds between the Unix epoch and the reference date.
  static let referenceDateOffset = 978_307_200.0

  /// The date that a text stands for: a calendar date or a Unix time.
  static func date(_ text: UnsafeBufferPointer<UInt8>) -> Double? {
    let text = ASCII.trimmed(text)
    // A hyphen in front is the sign of a number; any other belongs to a calendar date.
    return text.dropFirst().contains(UInt8(ascii: "-")) ? calendarDate(text) : unixTime(text)
  }

  // MARK: Unix time

  /// The date of a Unix time, whose unit follows from its number of digits: up to 11 seconds, 12 and 13 milliseconds, 15
  /// and 16 microseconds, 18 and 19 nanoseconds. Other lengths have two plausible meanings and are no dates.
  static func unixTime(_ text: UnsafeBufferPointer<UInt8>) -> Double? {
    var index = 0
    let isNegative = text.first == UInt8(ascii: "-")
    if isNegative || text.first == UInt8(ascii: "+") { index = 1 }
    var whole: UInt64 = 0
    var wholeCount = 0
    var isAnyDigit = false
    while index < text.count, text[index] &- UInt8(ascii: "0") < 10 {
      isAnyDigit = true
      // Leading zeros say nothing about the unit.
      if whole > 0 || text[index] != UInt8(ascii: "0") { wholeCount += 1 }
      guard wholeCount <= 19 else { return nil }
      whole = whole * 10 + UInt64(text[index] - UInt8(ascii: "0"))
      index += 1
    }
    guard isAnyDigit else { return nil }
    var fraction = 0.0
    if index < text.count, text[index] == UInt8(ascii: ".") {
      index += 1
      let start = index
      var digits: UInt64 = 0
      var scale: UInt64 = 1
      while index < text.count, text[index] &- UInt8(ascii: "0") < 10 {
        // More digits than a double has make no difference.
        if scale < 1_000_000_000_000_000_000 {
          digits = digits * 10 + UInt64(text[index] - UInt8(ascii: "0"))
          scale *= 10
        }
        index += 1
      }
      guard index > start else { return nil }
      fraction = Double(digits) / Double(scale)
    }
    guard index == text.count, let unitsPerSecond = unitsPerSecond(digitCount: wholeCount) else { return nil }
    let seconds = Double(whole / unitsPerSecond)
    let rest = (Double(whole % unitsPerSecond) + fraction) / Double(unitsPerSecond)
    return (isNegative ? -(seconds + rest) : seconds + rest) - referenceDateOffset
  }

  /// The date of a Unix time that is a double.
  static func unixTime(_ value: Double) -> Double? {
    guard value.isFinite else { return nil }
    let digitCount = value.magnitude < 1 ? 0 : value.magnitude < 1e19 ? UInt64(value.magnitude).decimalDigitCount : 20
    guard let unitsPerSecond = unitsPerSecond(digitCount: digitCount) else { return nil }
    return value / Double(unitsPerSecond) - referenceDateOffset
  }

  private static func unitsPerSecond(digitCount: Int) -> UInt64? {
    switch digitCount {
    case ...11: 1
    case 12, 13: 1_000
    case 15, 16: 1_000_000
    case 18, 19: 1_000_000_000
    default: nil
    }
  }

  // MARK: Calendar dates

  /// The date of `YYYY-MM-DD`, alone or with `T` or a space and a time: `HH:MM`, optional seconds with an optional fraction,
  /// and an optional zone (`Z`, `z`, `+HH`, `+HHMM`, `+HH:MM`).
  private static func calendarDate(_ text: UnsafeBufferPointer<UInt8>) -> Double? {
    var reader = DigitReader(text: text)
    guard let year = reader.number(digits: 4), reader.take("-"), let month = reader.number(digits: 2), reader.take("-"),
      let day = reader.number(digits: 2), (1...12).contains(month), (1...daysIn(month, of: year)).contains(day)
    else { return nil }
    var seconds = daysSinceEpoch(year, month, day) * 86_400
    var milliseconds = 0
    if !reader.isAtEnd {
      guard reader.take("T") || reader.take(" "), let hour = reader.number(digits: 2), reader.take(":"),
        let minute = reader.number(digits: 2), hour < 24, minute < 60
      else { return nil }
      seconds += hour * 3600 + minute * 60
      if reader.take(":") {
        // Second 60 is a leap second; it becomes the first second of the next minute.
        guard let second = reader.number(digits: 2), second <= 60 else { return nil }
        seconds += second
        if reader.take(".") {
          guard let fraction = reader.milliseconds() else { return nil }
          milliseconds = fraction
        }
      }
      guard let offset = reader.zoneOffset(), reader.isAtEnd else { return nil }
      seconds -= offset
    }
    return Double(seconds) + Double(milliseconds) / 1000 - referenceDateOffset
  }

  private static func daysIn(_ month: Int, of year: Int) -> Int {
    switch month {
    case 4, 6, 9, 11: 30
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    default: 31
    }
  }

  /// Days since 1970-01-01 in the Gregorian calendar. Years begin in March here, so that the leap day is a year's last.
  private static func daysSinceEpoch(_ year: Int, _ month: Int, _ day: Int) -> Int {
    let year = month <= 2 ? year - 1 : year
    let era = (year >= 0 ? year : year - 399) / 400
    let yearOfEra = year - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }
}

/// Reads fixed numbers of digits and single characters off a text.
private struct DigitReader {
  let text: UnsafeBufferPointer<UInt8>
  var index = 0

  var isAtEnd: Bool { index == text.count }

  /// The next bytes as a number, nil if one of them isn't a digit.
  mutating func number(digits count: Int) -> Int? {
    guard index + count <= text.count else { return nil }
    var number = 0
    for place in index..<index + count {
      let digit = text[place] &- UInt8(ascii: "0")
      guard digit < 10 else { return nil }
      number = number * 10 + Int(digit)
    }
    index += count
    return number
  }

  /// Whether the next byte is a character, which is then read.
  mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard index < text.count, text[index] == UInt8(ascii: character) else { return false }
    index += 1
    return true
  }

  /// A fraction of at least one digit. What is finer than a millisecond is cut off.
  mutating func milliseconds() -> Int? {
    var milliseconds = 0
    var scale = 100
    let start = index
    while index < text.count, text[index] &- UInt8(ascii: "0") < 10 {
      milliseconds += Int(text[index] - UInt8(ascii: "0")) * scale
      scale /= 10
      index += 1
    }
    return index > start ? milliseconds : nil
  }

  /// The seconds east of UTC; 0 when no zone is given.
  mutating func zoneOffset() -> Int? {
    if isAtEnd || take("Z") || take("z") { return 0 }
    let isWest = take("-")
    guard isWest || take("+"), let hour = number(digits: 2), hour < 24 else { return nil }
    var minute = 0
    if !isAtEnd {
      _ = take(":")
      guard let number = number(digits: 2), number < 60 else { return nil }
      minute = number
    }
    let offset = hour * 3600 + minute * 60
    return isWest ? -offset : offset
  }
}

extension UInt64 {
  /// How many digits the number has in decimal; 0 has none.
  fileprivate var decimalDigitCount: Int {
    var count = 0
    var rest = self
    while rest > 0 {
      count += 1
      rest /= 10
    }
    return count
  }
}
