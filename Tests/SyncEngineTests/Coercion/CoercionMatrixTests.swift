import FoundationEssentials
import Records
import TestSupport
import Testing

@testable import SyncEngine

/// Which payload values can be read as which types, and what they become.
@Suite struct CoercionMatrixTests {
  /// The converted value as text (`nil` when unreadable); data and composites as their bytes.
  private func convert(_ document: PayloadDocument, to type: AttributeType) -> String? {
    document.read { Coercion.convert($0, to: type)?.value.fieldValue(as: type).reportText }
  }

  private func convert(json: String, to type: AttributeType) throws -> String? {
    convert(try PayloadDocument(json: Array(json.utf8)), to: type)
  }

  @Test(
    arguments: [
      // Whole numbers, in every width that holds them.
      ("42", .int64, "42"), ("42", .int8, "42"), ("42", .uint8, "42"), ("-42", .int16, "-42"), ("-42", .uint32, nil),
      ("127", .int8, "127"), ("128", .int8, nil), ("-128", .int8, "-128"), ("-129", .int8, nil), ("255", .uint8, "255"),
      ("256", .uint8, nil), ("32768", .int16, nil), ("2147483648", .int32, nil), ("4294967295", .uint32, "4294967295"),
      ("9007199254740993", .int64, "9007199254740993"), ("9223372036854775807", .int64, "9223372036854775807"),
      ("-9223372036854775808", .int64, "-9223372036854775808"), ("9223372036854775808", .int64, nil),
      ("9223372036854775808", .uint64, "9223372036854775808"),
      ("18446744073709551615", .uint64, "18446744073709551615"),
      ("18446744073709551616", .uint64, nil), ("-0", .int64, "0"),
      // Fractions are cut off, whatever the width; what doesn't fit is unreadable.
      ("42.9", .int64, "42"), ("-42.9", .int64, "-42"), ("42.9", .uint8, "42"), ("5.0", .int32, "5"),
      ("1e3", .int64, "1000"),
      ("1e300", .int64, nil), ("1e400", .int64, nil), ("-1e-5", .uint8, "0"),
      ("9007199254740993.7", .int64, "9007199254740993"),
      ("true", .int64, "1"), ("false", .uint8, "0"),
      // Text has to be a sign and digits.
      (#""42""#, .int64, "42"), (#""+42""#, .int64, "42"), (#""-42""#, .int8, "-42"), (#""42""#, .uint16, "42"),
      (#""42.9""#, .int64, nil), (#"" 42""#, .int64, nil), (#""""#, .int64, nil), (#""-""#, .int64, nil),
      (#""0x10""#, .int64, nil), (#""99999999999999999999""#, .int64, nil),
      // Floating point.
      ("7", .double, "7.0"), ("4.25", .double, "4.25"), ("-0.1", .double, "-0.1"), ("1e-7", .double, "1e-07"),
      ("123456789012345678", .double, "1.2345678901234568e+17"),
      ("0.30000000000000004", .double, "0.30000000000000004"),
      ("1e400", .double, nil), ("true", .double, "1.0"), (#""3.14""#, .double, "3.14"), (#""1e3""#, .double, "1000.0"),
      (#""0x10""#, .double, "16.0"), (#"" 3.14""#, .double, nil), (#""nan""#, .double, nil), (#""inf""#, .double, nil),
      (#""""#, .double, nil), ("0.1", .float, "0.1"), ("1e300", .float, nil), (#""2.5""#, .float, "2.5"),
      ("7", .float, "7.0"),
      // Decimals keep their digits.
      ("12.50", .decimal, "12.5"), ("9", .decimal, "9"), ("0.1", .decimal, "0.1"),
      ("12345678901234567890.123456789", .decimal, "12345678901234567890.123456789"), ("1e3", .decimal, "1000"),
      ("true", .decimal, "1"), (#""12.50""#, .decimal, "12.5"), (#"" 42""#, .decimal, "42"),
      (#""-.5""#, .decimal, "-0.5"),
      (#""abc""#, .decimal, nil), (#""""#, .decimal, nil), (#"".""#, .decimal, nil), ("1e400", .decimal, nil),
      // Truth values.
      ("true", .bool, "true"), ("1", .bool, "true"), ("0", .bool, "false"), ("2", .bool, nil), ("-1", .bool, nil),
      ("0.5", .bool, "false"), ("1.9", .bool, "true"), (#""true""#, .bool, "true"), (#"" YES ""#, .bool, "true"),
      (#""1""#, .bool, "true"), (#""False""#, .bool, "false"), (#""no""#, .bool, "false"), (#""0""#, .bool, "false"),
      (#""on""#, .bool, nil), (#""""#, .bool, nil),
      // Text.
      (#""x""#, .string, "x"), ("42", .string, "42"), ("9007199254740993", .string, "9007199254740993"),
      ("42.9", .string, "42.9"), ("5.0", .string, "5"), ("1e3", .string, "1000"), ("true", .string, "1"),
      ("false", .string, "0"), ("[]", .string, nil), ("{}", .string, nil),
      // UUIDs, URLs, data.
      (#""6f1c2b3a-0d4e-4F5a-8b6c-7d8e9f0a1b2c""#, .uuid, "6F1C2B3A-0D4E-4F5A-8B6C-7D8E9F0A1B2C"),
      (#""6f1c2b3a0d4e4f5a8b6c7d8e9f0a1b2c""#, .uuid, nil), (#""6f1c2b3a-0d4e-4f5a-8b6c-7d8e9f0a1b2g""#, .uuid, nil),
      (#""jf1c2b3a-0d4e-4f5a-8b6c-7d8e9f0a1b2c""#, .uuid, nil),
      (#""@f1c2b3a-0d4e-4f5a-8b6c-7d8e9f0a1b2c""#, .uuid, nil),
      (#""6f1c2b3a-0d4e-4f5a-8b6c_7d8e9f0a1b2c""#, .uuid, nil), ("1", .uuid, nil),
      (#""https://a.example/b?c=d#e""#, .url, "https://a.example/b?c=d#e"), (#""/a b""#, .url, "/a%20b"),
      (#""""#, .url, nil), ("5", .url, nil),
      (#""aGk=""#, .data, "hi"), (#""""#, .data, ""), (#""aGk""#, .data, nil), (#""!!""#, .data, nil),
      ("5", .data, nil),
      // Anything is a composite, in one canonical form.
      (#"{"b": [1, 2.50], "a": "x", "b": null}"#, .composite, #"{"a":"x","b":null}"#),
      (#"["a", {"z":1,"y":true}]"#, .composite, #"["a",{"y":true,"z":1}]"#), (#""todo""#, .composite, #""todo""#),
      ("3", .composite, "3"),
      // Kinds that have nothing to do with each other.
      ("[]", .int64, nil), ("{}", .int64, nil), ("[1]", .double, nil), ("{}", .bool, nil), ("[]", .date, nil),
      ("[]", .uuid, nil), ("{}", .url, nil), ("[]", .data, nil), ("[]", .decimal, nil), ("{}", .float, nil),
    ] as [(String, AttributeType, String?)])
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
