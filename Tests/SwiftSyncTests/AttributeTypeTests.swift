import Foundation
import SwiftSync
import Testing

enum Weekday: Int, Codable {
  case monday = 1, tuesday
}

enum Shape: Codable, Equatable {
  case circle(radius: Double)
  case square
}

struct Address: Codable, Equatable {
  var street: String
  var lines: [String: Int]
}

@Model final class Everything {
  var bool: Bool
  var int: Int
  var int8: Int8
  var int16: Int16
  var int32: Int32
  var int64: Int64
  var uint: UInt
  var uint8: UInt8
  var uint16: UInt16
  var uint32: UInt32
  var uint64: UInt64
  var float: Float
  var double: Double
  var decimal: Decimal
  var string: String
  var date: Date
  var uuid: UUID
  var url: URL
  var data: Data
  var strings: [String]
  var scores: [String: Double]
  var weekday: Weekday
  var shape: Shape
  var address: Address
  var optionalInt: Int?
  var optionalString: String?
  var optionalDate: Date?
  var optionalWeekday: Weekday?
  var optionalAddress: Address?
  var optionalStrings: [String]?
  var counter = 5
  @Transient var scratch = "unsaved"

  init(_ values: Values) {
    bool = values.bool
    int = values.int
    int8 = values.int8
    int16 = -2
    int32 = .min
    int64 = values.int64
    uint = .max
    uint8 = 255
    uint16 = 7
    uint32 = .max
    uint64 = values.uint64
    float = values.float
    double = values.double
    decimal = values.decimal
    string = values.string
    date = values.date
    uuid = values.uuid
    url = values.url
    data = values.data
    strings = values.strings
    scores = ["a": 1.5]
    weekday = values.weekday
    shape = values.shape
    address = values.address
  }
}

/// The values that vary between the cases.
struct Values: Sendable, CustomTestStringConvertible {
  var testDescription: String
  var bool = true
  var int = 42
  var int8: Int8 = -128
  var int64: Int64 = .min
  var uint64: UInt64 = .max
  var float: Float = 1.5
  var double = Double.pi
  var decimal = Decimal(string: "12345678901234567890.123456789") ?? 0
  var string = "naïve 日本語 🚀 e\u{301} \u{0}"
  var date = Date(timeIntervalSince1970: 1_700_000_000.125)
  var uuid = UUID(uuidString: "6BA7B810-9DAD-11D1-80B4-00C04FD430C8") ?? UUID()
  var url = URL(string: "https://example.com/a%20b?q=1#f") ?? URL(fileURLWithPath: "/")
  var data = Data([0, 1, 255])
  var strings = ["a", "", "ß"]
  var weekday = Weekday.tuesday
  var shape = Shape.circle(radius: 2)
  var address = Address(street: "Main", lines: ["x": 1])
}

@Suite("Attributes: every type reads back as it was saved")
struct AttributeTypeTests {
  static let cases = [
    Values(testDescription: "ordinary"),
    Values(
      testDescription: "zeros", bool: false, int: 0, int8: 0, int64: 0, uint64: 0, float: -0.0, double: -0.0,
      decimal: 0,
      string: "", date: Date(timeIntervalSince1970: 0), data: Data(), strings: [], weekday: .monday, shape: .square),
    Values(
      testDescription: "extremes", int: .max, int8: .max, int64: .max, float: .greatestFiniteMagnitude,
      double: .infinity, decimal: -Decimal.greatestFiniteMagnitude, string: String(repeating: "x", count: 70_000),
      date: .distantPast, data: Data(repeating: 7, count: 100_000)),
  ]

  @Test("A saved object reads back equal from another context", arguments: cases)
  func roundTrip(_ values: Values) throws {
    let container = try ModelContainer(
      for: Everything.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    let context = ModelContext(container)
    let object = Everything(values)
    context.insert(object)
    try context.save()
    for reread in [object, try #require(try ModelContext(container).fetch(FetchDescriptor<Everything>()).first)] {
      #expect(reread.bool == values.bool && reread.int == values.int && reread.int8 == values.int8)
      #expect(reread.int16 == -2 && reread.int32 == .min && reread.int64 == values.int64)
      #expect(reread.uint == .max && reread.uint8 == 255 && reread.uint16 == 7 && reread.uint32 == .max)
      #expect(reread.uint64 == values.uint64)
      #expect(reread.float == values.float && reread.double == values.double && reread.decimal == values.decimal)
      #expect(reread.string == values.string && reread.date == values.date && reread.uuid == values.uuid)
      #expect(reread.url == values.url && reread.data == values.data && reread.strings == values.strings)
      #expect(reread.scores == ["a": 1.5] && reread.weekday == values.weekday && reread.shape == values.shape)
      #expect(reread.address == values.address && reread.counter == 5)
      #expect(reread.optionalInt == nil && reread.optionalString == nil && reread.optionalDate == nil)
      #expect(reread.optionalWeekday == nil && reread.optionalAddress == nil && reread.optionalStrings == nil)
      #expect(reread.scratch == "unsaved")
    }
  }

  @Test("Optionals take values and lose them again; composites can be edited in place")
  func edits() throws {
    let container = try ModelContainer(
      for: Everything.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    let context = ModelContext(container)
    let object = Everything(Values(testDescription: ""))
    context.insert(object)
    try context.save()
    object.optionalInt = 3
    object.optionalWeekday = .monday
    object.optionalAddress = Address(street: "Side", lines: [:])
    object.optionalStrings = []
    object.address.lines["y"] = 2
    object.strings.append("new")
    object.counter += 1
    try context.save()
    let other = ModelContext(container)
    let reread = try #require(try other.fetch(FetchDescriptor<Everything>()).first)
    #expect(reread.optionalInt == 3 && reread.optionalWeekday == .monday && reread.optionalStrings == [])
    #expect(reread.optionalAddress?.street == "Side" && reread.address.lines == ["x": 1, "y": 2])
    #expect(reread.strings.last == "new" && reread.counter == 6)
    reread.optionalInt = nil
    reread.optionalAddress = nil
    try other.save()
    _ = try context.fetch(FetchDescriptor<Everything>())
    #expect(object.optionalInt == nil && object.optionalAddress == nil)
  }

  @Test("A value that the encoder refuses is named, and the edits stay")
  func unencodable() throws {
    let container = try ModelContainer(
      for: Fussy.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    let context = ModelContext(container)
    let object = Fussy(value: Picky(isBad: true))
    context.insert(object)
    #expect(throws: ModelError.self) { try context.save() }
    object.value = Picky(isBad: false)
    try context.save()
    #expect(try context.fetchCount(FetchDescriptor<Fussy>()) == 1)
  }
}

/// Refuses to be encoded when it is bad.
struct Picky: Codable {
  struct Refusal: Error {}
  var isBad: Bool

  func encode(to encoder: any Encoder) throws {
    if isBad { throw Refusal() }
    var container = encoder.singleValueContainer()
    try container.encode(isBad)
  }

  init(isBad: Bool) {
    self.isBad = isBad
  }

  init(from decoder: any Decoder) throws {
    isBad = try decoder.singleValueContainer().decode(Bool.self)
  }
}

@Model final class Fussy {
  var value: Picky

  init(value: Picky) {
    self.value = value
  }
}
