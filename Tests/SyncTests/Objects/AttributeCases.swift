import Foundation
import Testing

/// Values, and how they are read again.
enum AttributeCases {
  static let uuid = UUID()
  static let url = URL(fileURLWithPath: "/a/b")

  static let values: [AttributeCase] = [
    AttributeCase("Integer16", 12, 12), AttributeCase("Integer16", Int8(-3), -3),
    AttributeCase("Integer32", 70_000, 70_000),
    AttributeCase("Integer64", Int64.max, Int.max), AttributeCase("Integer64", 12.0, 12),
    AttributeCase("Integer64", NSNumber(value: 7), 7),
    AttributeCase("Double", 1.5, 1.5), AttributeCase("Double", 2, 2.0), AttributeCase("Float", 1.5, Float(1.5)),
    AttributeCase("Decimal", Decimal(string: "12.20"), Decimal(string: "12.2")),
    AttributeCase("Decimal", 3, Decimal(3)),
    AttributeCase("String", "text", "text"), AttributeCase("String", NSString(string: "n"), "n"),
    AttributeCase("Boolean", true, true),
    AttributeCase("Date", Date(timeIntervalSinceReferenceDate: 7.25), Date(timeIntervalSinceReferenceDate: 7.25)),
    AttributeCase("Binary", Data([1, 2]), Data([1, 2])),
    AttributeCase("UUID", uuid, uuid), AttributeCase("UUID", uuid.uuidString, uuid), AttributeCase("URI", url, url),
    AttributeCase("URI", url.absoluteString, url),
    AttributeCase("Integer16", Optional<Int>.some(4), 4),
  ]

  static let refused: [AttributeCase] = [
    AttributeCase("Integer16", 40_000, 0), AttributeCase("Integer16", 12.5, 0), AttributeCase("Integer16", "12", 0),
    AttributeCase("String", 5, ""),
    AttributeCase("Boolean", 2, false), AttributeCase("UUID", "no", UUID()),
    AttributeCase("Date", "2020-01-01", Date()),
    AttributeCase("Integer64", ["a"], 0), AttributeCase("Binary", "text", Data()),
  ]
}

/// A value that an attribute is set to, and what it is read as.
struct AttributeCase: Sendable, CustomTestStringConvertible {
  let attribute: String
  let value: @Sendable () -> Any?
  let read: @Sendable (Any?) -> Bool

  init<Value: Equatable & Sendable>(
    _ attribute: String, _ value: @escaping @autoclosure @Sendable () -> Any?, _ read: Value
  ) {
    self.attribute = attribute
    self.value = value
    self.read = { ($0 as? Value) == read }
  }

  var testDescription: String { "\(attribute) \(value() ?? "nil")" }
}
