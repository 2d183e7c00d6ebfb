import FoundationEssentials
import TestSupport
import Testing

@testable import StoreTool

/// Dates become text from which the very same double can be made again.
@Suite struct ExactDateTests {
  static let examples: [(seconds: Double, text: String?)] = [
    (0, "2001-01-01T00:00:00Z"),
    (0.5, "2001-01-01T00:00:00.5Z"),
    (-0.25, "2000-12-31T23:59:59.75Z"),
    (-1, "2000-12-31T23:59:59Z"),
    (721_699_200.1234567, "2023-11-15T00:00:00.1234567Z"),
    (-978_307_200.001, "1969-12-31T23:59:59.999Z"),
    (-63_113_904_000, "0001-01-01T00:00:00Z"),
    (-63_113_904_000.5, nil),
    (252_423_993_599, "9999-12-31T23:59:59Z"),
    (252_423_993_600, nil),
    (1e-5, nil),
    (.infinity, nil),
    (.nan, nil),
  ]

  @Test(arguments: examples.indices) func textsOfDates(_ index: Int) {
    let (seconds, text) = Self.examples[index]
    #expect(ExactDate.text(seconds) == text)
    if let text { #expect(ExactDate.seconds(text) == seconds) }
  }

  @Test func everyDateReadsBack() throws {
    var random = SplitMix64(seed: 5)
    for number in 0..<2000 {
      let scale = [1, 1e3, 1e6, 1e9, 6e10][number % 5]
      let seconds = Double.random(in: -scale...scale, using: &random)
      let date = ExactDate.text(seconds)
      let text = try #require(date, "\(seconds)")
      #expect(try Self.date(text) == seconds, "\(text)")
      #expect(ExactDate.seconds(text) == seconds, "\(text)")
    }
  }

  /// Adds the fraction to the whole seconds in decimal, as the format says.
  private static func date(_ text: String) throws -> Double {
    let parts = text.dropLast().split(separator: ".")
    let numbers = parts[0].split { "-T:".contains($0) }.compactMap { Int($0) }
    try #require(numbers.count == 6)
    let seconds =
      days(numbers[0], numbers[1], numbers[2]) * 86_400 + numbers[3] * 3600 + numbers[4] * 60 + numbers[5]
    let fraction = parts.count == 2 ? "0.\(parts[1])" : "0"
    let sum = try Decimal(seconds) + #require(Decimal(string: fraction))
    return try #require(Double("\(sum)"))
  }

  /// Days from 2001-01-01, counted one year and one month at a time.
  private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
    func isLeap(_ year: Int) -> Bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }
    let years = (min(year, 2001)..<max(year, 2001)).reduce(0) { $0 + (isLeap($1) ? 366 : 365) }
    let lengths = [31, isLeap(year) ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    return (year < 2001 ? -years : years) + lengths[..<(month - 1)].reduce(0, +) + day - 1
  }
}
