import Foundation
import TestSupport
import Testing

@testable import SyncEngine

@Suite("6: Which texts and numbers are dates, and which are not")
struct DateTextTests {
  private func date(json: String) throws -> Date? {
    try PayloadDocument(json: Array(json.utf8)).read { Coercion.date($0) }.map(
      Date.init(timeIntervalSinceReferenceDate:))
  }

  private func instant(_ text: String) throws -> Date {
    let formatter = ISO8601DateFormatter()
    formatter.formatOptions =
      text.contains(".") ? [.withInternetDateTime, .withFractionalSeconds] : [.withInternetDateTime]
    return try #require(formatter.date(from: text))
  }

  @Test(
    "6.1, 6.2: calendar dates",
    arguments: [
      ("2016-01-09", "2016-01-09T00:00:00Z"), ("2016-01-09 12:40:08", "2016-01-09T12:40:08Z"),
      ("2016-01-09T12:40:08", "2016-01-09T12:40:08Z"), ("2016-01-09T12:40:08Z", "2016-01-09T12:40:08Z"),
      ("2016-01-09T12:40:08z", "2016-01-09T12:40:08Z"), ("2016-01-09T12:40:08.5", "2016-01-09T12:40:08.500Z"),
      ("2016-01-09T12:40:08.25Z", "2016-01-09T12:40:08.250Z"),
      ("2016-01-09T12:40:08.123999Z", "2016-01-09T12:40:08.123Z"),
      ("2016-01-09T12:40:08+0200", "2016-01-09T10:40:08Z"), ("2016-01-09T12:40:08+02:00", "2016-01-09T10:40:08Z"),
      ("2016-01-09T12:40:08+02", "2016-01-09T10:40:08Z"), ("2016-01-09T12:40:08-05:30", "2016-01-09T18:10:08Z"),
      ("2016-01-09T12:40", "2016-01-09T12:40:00Z"), ("2016-01-09 12:40Z", "2016-01-09T12:40:00Z"),
      ("2016-01-09T12:40+02", "2016-01-09T10:40:00Z"), (" \\t2016-01-09T12:40:08Z\\n", "2016-01-09T12:40:08Z"),
      ("2016-01-09T23:59:60Z", "2016-01-10T00:00:00Z"), ("2016-02-29", "2016-02-29T00:00:00Z"),
      ("2000-02-29", "2000-02-29T00:00:00Z"), ("1969-12-31T23:59:59Z", "1969-12-31T23:59:59Z"),
      ("1900-03-01T00:00:00Z", "1900-03-01T00:00:00Z"), ("9999-12-31T23:59:59Z", "9999-12-31T23:59:59Z"),
    ])
  func acceptsCalendarDates(_ text: String, _ expected: String) throws {
    #expect(try date(json: "\"\(text)\"") == instant(expected))
  }

  @Test(
    "6.1, 6.2: what is no calendar date",
    arguments: [
      "", " ", "yesterday", "2016", "2016-01-09T12:40:08,5Z", "2016-01-09T12:40:08.Z", "2009-10-09 12:40:08 +0000",
      "2016-01-09t12:40:08Z", "2016-01-09T24:00:00Z", "2016-01-09T12:60:00Z", "2016-01-09T12:00:61Z",
      "2016-01-09T12:40:08+24:00", "2016-01-09T12:40:08+02:60", "2016-01-09T12:40:08+2", "2016-01-09T12:40:08+020",
      "20160109T124008Z", "2016-1-9", "12016-01-09T00:00:00Z", "2016-13-01", "2016-00-10", "2016-01-00", "2016-01-32",
      "2016-02-30", "2015-02-29", "1900-02-29", "2023-04-31", "2016-01-09T", "2016-01-09T12", "2016-01-09T12:4",
      "2016-01-09T12:40:08Zjunk", "2016-01-09junk", "2016/01/09", "--5", "1-2",
    ])
  func rejectsWhatIsNoDate(_ text: String) throws {
    // A year alone is a Unix time, like every other short number.
    guard text != "2016" else {
      #expect(try date(json: "\"2016\"") == Date(timeIntervalSince1970: 2016))
      return
    }
    #expect(try date(json: "\"\(text)\"") == nil)
  }

  @Test(
    "6.3, B-10, B-11: Unix times",
    arguments: [
      ("0", 0), ("1", 1), ("-1", -1), ("1441888808", 1_441_888_808), ("-1441888808", -1_441_888_808),
      ("99999999999", 99_999_999_999), ("1441888808000", 1_441_888_808), ("999999999000", 999_999_999),
      ("-1441888808500", -1_441_888_808.5), ("1441888808123", 1_441_888_808.123), ("1441888808000000", 1_441_888_808),
      ("144188880800000", 144_188_880.8), ("1441888808000000000", 1_441_888_808), ("144188880800000000", 144_188_880.8),
      ("1441888808.25", 1_441_888_808.25), ("-0.5", -0.5), ("1441888808123.5", 1_441_888_808.1235), ("0.125", 0.125),
      ("00000000000001", 1),
    ])
  func acceptsUnixTimes(_ text: String, _ seconds: Double) throws {
    let expected = Date(timeIntervalSince1970: seconds)
    #expect(try date(json: "\"\(text)\"") == expected)
    if !text.hasPrefix("00") { #expect(try date(json: text) == expected, "as a number") }
  }

  @Test(
    "6.3: numbers that are no Unix times",
    arguments: [
      "14418888080000", "14418888080000000", "14418888080000000000", "1.", "1.2.3", "+", "1e9", "12abc", "0x10",
    ])
  func rejectsOtherNumbersAsText(_ text: String) throws {
    #expect(try date(json: "\"\(text)\"") == nil)
  }

  @Test(arguments: [("1.441888808e9", 1_441_888_808), ("1441888808e3", 1_441_888_808)] as [(String, Double)])
  func acceptsNumbersWithExponents(_ json: String, _ seconds: Double) throws {
    #expect(try date(json: json) == Date(timeIntervalSince1970: seconds))
  }

  @Test(arguments: ["true", "false", "null", "[]", "{}", "14418888080000", "1e30", "1e400"])
  func rejectsOtherValues(_ json: String) throws {
    #expect(try date(json: json) == nil)
  }

  @Test func nativeNumbersAreUnixTimes() throws {
    let cases: [(Any, Double?)] = [
      (1_441_888_808, 1_441_888_808), (1_441_888_808.5, 1_441_888_808.5), (Float(1.5), 1.5), (Decimal(2), 2),
      (Double.nan, nil), (true, nil),
    ]
    for (value, seconds) in cases {
      let converted = try PayloadDocument(value).read { Coercion.date($0) }
      #expect(converted == seconds.map { Date(timeIntervalSince1970: $0).timeIntervalSinceReferenceDate }, "\(value)")
    }
  }

  @Test func calendarDatesAreThoseOfFoundation() throws {
    let formatter = ISO8601DateFormatter()
    var random = SplitMix64(seed: 7)
    for _ in 0..<2000 {
      let date = Date(timeIntervalSince1970: Double.random(in: -5e9...2e10, using: &random).rounded())
      let text = formatter.string(from: date)
      #expect(try self.date(json: "\"\(text)\"") == date, "\(text)")
    }
  }
}
