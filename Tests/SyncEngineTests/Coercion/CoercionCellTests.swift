import FoundationEssentials
import Records
import Testing

@testable import SyncEngine

/// Every kind of value against every type: one cell each, most of them empty.
@Suite("5: The matrix of conversions, cell by cell")
struct CoercionCellTests {
  private static let types: [AttributeType] = [
    .int64, .int8, .uint16, .double, .float, .decimal, .bool, .string, .uuid, .url, .date, .data,
  ]

  /// What a value becomes as each of the types: `-` for unreadable.
  struct Row: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let make: @Sendable () throws -> PayloadDocument
    let cells: [String]

    init(json: String, _ cells: String...) {
      testDescription = "JSON \(json)"
      make = { try PayloadDocument(json: Array(json.utf8)) }
      self.cells = cells
    }

    init<Value: Sendable>(_ value: Value, _ cells: String...) {
      testDescription = "\(Value.self) \(value)"
      make = { try PayloadDocument(value) }
      self.cells = cells
    }
  }

  private static let uuid = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))
  private static let uuidText = "01020304-0506-0708-090A-0B0C0D0E0F10"
  private static let second = "1970-01-01T00:00:01.000Z"
  private static let minute = "1970-01-01T00:01:00.000Z"

  static let rows: [Row] = [
    // int64, int8, uint16, double, float, decimal, bool, string, uuid, url, date, data
    Row(json: "1", "1", "1", "1", "1.0", "1.0", "1", "true", "1", "-", "-", second, "-"),
    Row(json: "60", "60", "60", "60", "60.0", "60.0", "60", "-", "60", "-", "-", minute, "-"),
    Row(json: "1.0", "1", "1", "1", "1.0", "1.0", "1", "true", "1", "-", "-", second, "-"),
    Row(json: "60.5", "60", "60", "60", "60.5", "60.5", "60.5", "-", "60.5", "-", "-", "1970-01-01T00:01:00.500Z", "-"),
    Row(json: "-1", "-1", "-1", "-", "-1.0", "-1.0", "-1", "-", "-1", "-", "-", "1969-12-31T23:59:59.000Z", "-"),
    Row(json: "true", "1", "1", "1", "1.0", "1.0", "1", "true", "1", "-", "-", "-", "-"),
    Row(json: "false", "0", "0", "0", "0.0", "0.0", "0", "false", "0", "-", "-", "-", "-"),
    Row(json: #""1""#, "1", "1", "1", "1.0", "1.0", "1", "true", "1", "-", "1", second, "-"),
    Row(
      json: #""60.5""#, "-", "-", "-", "60.5", "60.5", "60.5", "-", "60.5", "-", "60.5", "1970-01-01T00:01:00.500Z", "-"
    ),
    Row(json: #""yes""#, "-", "-", "-", "-", "-", "-", "true", "yes", "-", "yes", "-", "-"),
    Row(json: #""""#, "-", "-", "-", "-", "-", "-", "-", "", "-", "-", "-", ""),
    Row(json: "\"\(uuidText)\"", "-", "-", "-", "-", "-", "1020304", "-", uuidText, uuidText, uuidText, "-", "-"),
    Row(
      json: #""2016-01-09""#, "-", "-", "-", "-", "-", "2016", "-", "2016-01-09", "-", "2016-01-09",
      "2016-01-09T00:00:00.000Z", "-"),
    Row(json: #""aGk=""#, "-", "-", "-", "-", "-", "-", "-", "aGk=", "-", "aGk=", "-", "hi"),
    Row(json: "null", "-", "-", "-", "-", "-", "-", "-", "-", "-", "-", "-", "-"),
    Row(json: "[1]", "-", "-", "-", "-", "-", "-", "-", "-", "-", "-", "-", "-"),
    Row(json: #"{"id":1}"#, "-", "-", "-", "-", "-", "-", "-", "-", "-", "-", "-", "-"),
    Row(1, "1", "1", "1", "1.0", "1.0", "1", "true", "1", "-", "-", second, "-"),
    Row(Int16(60), "60", "60", "60", "60.0", "60.0", "60", "-", "60", "-", "-", minute, "-"),
    Row(UInt64(1), "1", "1", "1", "1.0", "1.0", "1", "true", "1", "-", "-", second, "-"),
    Row(1.0, "1", "1", "1", "1.0", "1.0", "1", "true", "1.0", "-", "-", second, "-"),
    Row(60.5, "60", "60", "60", "60.5", "60.5", "60.5", "-", "60.5", "-", "-", "1970-01-01T00:01:00.500Z", "-"),
    Row(Float(60), "60", "60", "60", "60.0", "60.0", "60", "-", "60.0", "-", "-", minute, "-"),
    Row(Decimal(60), "60", "60", "60", "60.0", "60.0", "60", "-", "60", "-", "-", minute, "-"),
    Row(Double.nan, "-", "-", "-", "-", "-", "-", "-", "nan", "-", "-", "-", "-"),
    Row(Double.infinity, "-", "-", "-", "-", "-", "-", "-", "inf", "-", "-", "-", "-"),
    Row(1e300, "-", "-", "-", "1e+300", "-", "-", "-", "1e+300", "-", "-", "-", "-"),
    Row(true, "1", "1", "1", "1.0", "1.0", "1", "true", "true", "-", "-", "-", "-"),
    Row("1", "1", "1", "1", "1.0", "1.0", "1", "true", "1", "-", "1", second, "-"),
    Row(uuid, "-", "-", "-", "-", "-", "-", "-", uuidText, uuidText, "-", "-", "-"),
    Row(
      URL(string: "https://a.b/c"), "-", "-", "-", "-", "-", "-", "-", "https://a.b/c", "-", "https://a.b/c", "-", "-"),
    Row(Date(timeIntervalSince1970: 60), "-", "-", "-", "-", "-", "-", "-", "-", "-", "-", minute, "-"),
    Row(Data("hi".utf8), "-", "-", "-", "-", "-", "-", "-", "-", "-", "-", "-", "hi"),
    Row(Optional<Int>.none, "-", "-", "-", "-", "-", "-", "-", "-", "-", "-", "-", "-"),
    Row([1], "-", "-", "-", "-", "-", "-", "-", "-", "-", "-", "-", "-"),
    Row(["id": 1], "-", "-", "-", "-", "-", "-", "-", "-", "-", "-", "-", "-"),
  ]

  @Test(arguments: rows)
  func cells(_ row: Row) throws {
    #expect(row.cells.count == Self.types.count)
    try row.make().read { value in
      for (type, expected) in zip(Self.types, row.cells) {
        let converted = Coercion.convert(value, to: type)?.value.fieldValue(as: type).reportText
        #expect(converted ?? "-" == expected, "as \(type)")
      }
    }
  }

  @Test("Integers of the widths without a column are converted like those with one, within their ranges")
  func otherWidths() throws {
    for row in Self.rows {
      try row.make().read { value in
        for (type, column) in [(AttributeType.int16, 0), (.int32, 0), (.uint8, 2), (.uint32, 2), (.uint64, 2)] {
          let converted = Coercion.convert(value, to: type)?.value.fieldValue(as: type).reportText
          #expect(converted ?? "-" == row.cells[column], "\(row.testDescription) as \(type)")
        }
      }
    }
  }
}
