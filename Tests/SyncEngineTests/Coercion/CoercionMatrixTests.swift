import FoundationEssentials
import Records
import TestSupport
import Testing

@testable import SyncEngine

@Suite("5, B-5, B-6, B-7: Which payload values can be read as which types, and what they become")
struct CoercionMatrixTests {
  /// The converted value as text (`nil` when unreadable); data and composites as their bytes.
  private func convert(_ document: PayloadDocument, to type: AttributeType) -> String? {
    document.read { Coercion.convert($0, to: type)?.value.fieldValue(as: type).reportText }
  }

  private func convert(json: String, to type: AttributeType) throws -> String? {
    convert(try PayloadDocument(json: Array(json.utf8)), to: type)
  }

  @Test(arguments: table)
  func fromJSON(_ json: String, _ type: AttributeType, _ expected: String?) throws {
    #expect(try convert(json: json, to: type) == expected)
  }

  @Test(arguments: AttributeType.allCases)
  func nullIsUnreadable(_ type: AttributeType) throws {
    #expect(try convert(json: "null", to: type) == nil)
  }

  @Test func fromNativeValues() throws {
    let uuid = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))
    let date = Date(timeIntervalSinceReferenceDate: 1.25)
    let url = try #require(URL(string: "https://a.example/b"))
    let cases: [(Any, AttributeType, String?)] = [
      // A native Int fits every width that holds it, and so do all others.
      (7, .int64, "7"), (7, .int32, "7"), (7, .uint8, "7"), (300, .uint8, nil), (UInt64.max, .uint64, "\(UInt64.max)"),
      (UInt64.max, .int64, nil), (Int16(-3), .int64, "-3"), (Int8(5), .string, "5"),
      (42.9, .int64, "42"), (42.9, .uint8, "42"), (Double.nan, .int64, nil), (Double.infinity, .int64, nil),
      (1e300, .int64, nil),
      (Double.nan, .double, nil), (-Double.infinity, .float, nil), (Double.nan, .decimal, nil), (1e300, .float, nil),
      (5.0, .string, "5.0"), (42.9, .string, "42.9"), (Float(0.1), .double, "0.1"), (Float(2.5), .int64, "2"),
      (0.5, .bool, "false"), (2.0, .bool, nil), (Float(1), .bool, "true"),
      (Decimal(string: "12.75") as Any, .int64, "12"), (Decimal(string: "12.75") as Any, .double, "12.75"),
      (Decimal(string: "12.75") as Any, .string, "12.75"), (Decimal(3), .int8, "3"), (Decimal(1), .bool, "true"),
      (true, .string, "true"), (false, .string, "false"), (true, .int64, "1"), (true, .bool, "true"),
      (true, .decimal, "1"),
      (true, .date, nil),
      (uuid, .uuid, uuid.uuidString), (uuid, .string, uuid.uuidString), (uuid, .int64, nil), (uuid, .url, nil),
      (url, .url, "https://a.example/b"), (url, .string, "https://a.example/b"), (url, .uuid, nil),
      (date, .date, "2001-01-01T00:00:01.250Z"), (date, .string, nil), (date, .int64, nil),
      (Data("hi".utf8), .data, "hi"), (Data("hi".utf8), .string, nil),
      (
        ["b": date, "a": uuid] as [String: Any], .composite,
        "{\"a\":\"\(uuid.uuidString)\",\"b\":\"2001-01-01T00:00:01.250Z\"}"
      ),
    ]
    for (value, type, expected) in cases {
      #expect(convert(try PayloadDocument(value), to: type) == expected, "\(value) to \(type)")
    }
  }

  @Test(arguments: [(#""12abc""#, "12"), (#""1,5""#, "1"), (#""0x10""#, "0"), (#""1e""#, "1"), (#""12 34""#, "12")])
  func decimalsReadTheBeginningOfTextAndSaySo(_ json: String, _ expected: String) throws {
    let document = try PayloadDocument(json: Array(json.utf8))
    try document.read { value in
      let result = try #require(Coercion.convert(value, to: .decimal))
      #expect(result.value.fieldValue(as: .decimal).reportText == expected)
      #expect(!result.isWhole)
    }
    try PayloadDocument(json: Array(#"" 12.5 ""#.utf8)).read { value in
      #expect(Coercion.convert(value, to: .decimal)?.isWhole == true)
    }
  }

  @Test func doublesAreTheNearestToTheirText() throws {
    var random = SplitMix64(seed: 5)
    for _ in 0..<20_000 {
      let text: String
      switch Int.random(in: 0..<3, using: &random) {
      case 0: text = "\(Double(bitPattern: random.next()))"
      case 1:
        text =
          "\(Int.random(in: -99_999_999...99_999_999, using: &random)).\(Int.random(in: 0...999_999_999, using: &random))"
      default: text = "\(Int64(truncatingIfNeeded: random.next()))"
      }
      guard let expected = Double(text), expected.isFinite else { continue }
      let converted = try PayloadDocument(json: Array(text.utf8)).read { Coercion.double($0) }
      #expect(converted?.bitPattern == expected.bitPattern, "\(text)")
    }
  }

  /// Foundation reads canonical texts as we do, but also some that aren't.
  @Test func uuidsReadAsFoundationReadsCanonicalText() {
    var random = SplitMix64(seed: 6)
    let digits = Array("0123456789abcdefABCDEFgGxX-@`/:{".utf8)
    for _ in 0..<20_000 {
      var bytes = Array(UUID(uuid: unsafeBitCast((random.next(), random.next()), to: uuid_t.self)).uuidString.utf8)
      if Bool.random(using: &random) { bytes = bytes.map { $0 >= 0x41 ? $0 | 0x20 : $0 } }
      if Bool.random(using: &random) {
        bytes[Int.random(in: 0..<36, using: &random)] = digits[Int.random(in: 0..<digits.count, using: &random)]
      }
      let text = String(decoding: bytes, as: UTF8.self)
      let isCanonical = text.enumerated().allSatisfy { place, character in
        [8, 13, 18, 23].contains(place) ? character == "-" : character.isHexDigit
      }
      let expected = isCanonical ? UUID(uuidString: text) : nil
      #expect(bytes.withUnsafeBufferPointer { UUIDText.uuid($0) } == expected, "\(text)")
    }
  }
}
