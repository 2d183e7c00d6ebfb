import Foundation
import SyncEngine
import Testing

@testable import Sync

@Suite("CD-3 What becomes of the values of a payload")
struct AttributeValueSyncTests {
  private func item(
    _ type: ModelAttribute.AttributeType, isOptional: Bool = true, default defaultValue: AttributeValue? = nil,
    transformer: String? = nil, unreadableValues: UnreadableValuePolicy = .keep
  ) throws -> SyncWorld {
    try SyncWorld(unreadableValues: unreadableValues) {
      ModelEntity("Item") {
        ModelAttribute("id", .integer64)
        ModelAttribute(
          "value", type, isOptional: isOptional, default: defaultValue,
          userInfo: transformer.map { ["sync.valueTransformer": $0] } ?? [:])
      }
    }
  }

  @Test("CD-3.1 Missing keeps, null clears, and equal values change nothing")
  func presence() throws {
    let world = try item(.string, default: "d")
    try world.sync(#"[{"id": 1}]"#, "Item")
    #expect(try world.objects("Item") == ["1 value=d"])
    try world.sync(#"[{"id": 1, "value": "x"}]"#, "Item")
    #expect(try world.sync(#"[{"id": 1}]"#, "Item").changedNothing)
    #expect(try world.sync(#"[{"id": 1, "value": "x"}]"#, "Item").changedNothing)
    try world.sync(#"[{"id": 1, "value": null}, {"id": 2, "value": null}]"#, "Item")
    #expect(try world.objects("Item") == ["1", "2"])
  }

  @Test(
    "CD-3.1 CD-12.4 What a type can't hold exactly is compared as it is stored",
    arguments: [(.float, "12.2"), (.integer16, "12.7"), (.binaryData, #"{"b": 1, "a": [2]}"#)]
      as [(ModelAttribute.AttributeType, String)])
  func rounding(_ type: ModelAttribute.AttributeType, _ value: String) throws {
    let world = try item(type)
    try world.sync("[{\"id\": 1, \"value\": \(value)}]", "Item")
    #expect(try world.sync("[{\"id\": 1, \"value\": \(value)}]", "Item").changedNothing)
  }

  @Test(
    "CD-3.2 CD-12.4 Values are converted to the attribute's type",
    arguments: [
      (ModelAttribute.AttributeType.string, "5", "5"), (.string, "1.5", "1.5"), (.string, "true", "1"),
      (.integer16, #""16""#, "16"), (.integer32, "12.2", "12"), (.integer64, "true", "1"),
      (.double, #""12.2""#, "12.2"),
      (.float, "1.5", "1.5"), (.decimal, "12.2", "12.2"), (.decimal, #""12.25""#, "12.25"), (.boolean, "true", "true"),
      (.boolean, #""1""#, "true"), (.boolean, #""true""#, "true"), (.boolean, #""no""#, "false"),
      (.boolean, "0", "false"),
      (.uri, #""https://a.org/b""#, "https://a.org/b"),
      (.uuid, #""0fd7b24e-0f35-4b8f-93a4-6b2a1a7b6f77""#, "0FD7B24E-0F35-4B8F-93A4-6B2A1A7B6F77"),
      (.binaryData, #"["a", 1, null]"#, #"["a",1,null]"#), (.binaryData, #"{"cake": 12.5}"#, #"{"cake":12.5}"#),
      (.binaryData, #""Data""#, #""Data""#), (.binaryData, "5", "5"),
    ] as [(ModelAttribute.AttributeType, String, String)])
  func conversions(_ type: ModelAttribute.AttributeType, _ json: String, _ stored: String) throws {
    let world = try item(type)
    let report = try world.sync("[{\"id\": 1, \"value\": \(json)}]", "Item")
    #expect(try world.objects("Item") == ["1 value=\(stored)"])
    #expect(report.replacedValues.isEmpty)
  }

  @Test(
    "CD-3.2 CD-12.1 CD-12.4 A value that can't be stored is reported, and never made up",
    arguments: [
      (ModelAttribute.AttributeType.integer16, "40000"), (.integer32, #""x""#), (.integer64, "{}"), (.double, #""x""#),
      (.decimal, #""garbage""#), (.decimal, #""1,234.50""#), (.decimal, #""12 EUR""#), (.decimal, #""5-6""#),
      (.boolean, #""maybe""#), (.boolean, "7"), (.date, #""garbage""#),
      (.date, #""2014-01-02T00:monster""#), (.date, #""09/01/2016""#), (.uuid, #""x""#), (.uuid, "5"), (.uri, "5"),
      (.string, "[]"), (.string, #"{"a": 1}"#),
    ] as [(ModelAttribute.AttributeType, String)])
  func unreadable(_ type: ModelAttribute.AttributeType, _ json: String) throws {
    let good: [ModelAttribute.AttributeType: String] = [
      .boolean: "true", .date: #""2020-01-02""#, .uuid: #""0fd7b24e-0f35-4b8f-93a4-6b2a1a7b6f77""#,
      .uri: #""a:b""#, .string: #""t""#,
    ]
    let world = try item(type)
    try world.sync("[{\"id\": 1, \"value\": \(good[type] ?? "3")}, {\"id\": 2}]", "Item")
    let before = try world.objects("Item")
    let report = try world.sync("[{\"id\": 1, \"value\": \(json)}, {\"id\": 2, \"value\": \(json)}]", "Item")
    #expect(try world.objects("Item") == before)
    #expect(report.replacedValues.map(\.pointer) == ["/0/value", "/1/value"])
    #expect(throws: SyncError.self) {
      try item(type, unreadableValues: .reject).sync("[{\"id\": 1, \"value\": \(json)}]", "Item")
    }
  }

  @Test("CD-3.1 Null for a value that is required keeps what is stored; a new object needs a value or a default")
  func required() throws {
    let world = try item(.string, isOptional: false)
    try world.sync(#"[{"id": 1, "value": "a"}]"#, "Item")
    let report = try world.sync(#"[{"id": 1, "value": null}]"#, "Item")
    #expect(report.replacedValues.map(\.outcome) == [.kept])
    #expect(try world.objects("Item") == ["1 value=a"])
    for payload in [#"{"id": 2}"#, #"{"id": 2, "value": null}"#, #"{"id": 2, "value": []}"#] {
      #expect(throws: SyncError.self) { try world.sync("[\(payload)]", "Item") }
    }
    let lenient = try item(.integer32, isOptional: false, default: 7)
    try lenient.sync(#"[{"id": 1}, {"id": 2, "value": null}, {"id": 3, "value": "x"}]"#, "Item")
    #expect(try lenient.objects("Item") == ["1 value=7", "2 value=7", "3 value=7"])
    let replacing = try item(.integer32, isOptional: false, default: 7, unreadableValues: .replace)
    try replacing.sync(#"[{"id": 1, "value": 3}]"#, "Item")
    try replacing.sync(#"[{"id": 1, "value": null}]"#, "Item")
    #expect(try replacing.objects("Item") == ["1 value=7"])
  }

  @Test("CD-3.3 Bytes that a dictionary holds are stored as they are")
  func bytes() throws {
    let world = try item(.binaryData)
    try world.sync(values: [["id": 1, "value": Data([104, 105])], ["id": 2, "value": NSNull()]], "Item")
    #expect(try world.objects("Item") == ["1 value=hi", "2"])
  }

  @Test(
    "CD-3.4 CD-12.4 Dates",
    arguments: [
      (#""2014-01-02""#, "2014-01-02T00:00:00.000Z"), (#""2016-01-09T12:40:08""#, "2016-01-09T12:40:08.000Z"),
      (#""2009-10-09 12:40:08""#, "2009-10-09T12:40:08.000Z"), (#""2014-03-30T09:13:10Z""#, "2014-03-30T09:13:10.000Z"),
      (#""2014-01-01T12:40:08+00:00""#, "2014-01-01T12:40:08.000Z"),
      (#""2017-11-02T17:27:52.2Z""#, "2017-11-02T17:27:52.200Z"),
      (#""2017-12-22T18:10:14.07Z""#, "2017-12-22T18:10:14.070Z"),
      (#""2016-01-09T12:40:08.12""#, "2016-01-09T12:40:08.120Z"),
      (#""2015-06-23T14:40:08.123+02:00""#, "2015-06-23T12:40:08.123Z"),
      (#""2015-09-10T12:40:08.123-0500""#, "2015-09-10T17:40:08.123Z"),
      (#""2015-09-10T12:40:08.1234Z""#, "2015-09-10T12:40:08.123Z"),
      (#""2015-09-10T12:40:08.123456Z""#, "2015-09-10T12:40:08.123Z"), (#""1441888808""#, "2015-09-10T12:40:08.000Z"),
      (#""1441888808000000""#, "2015-09-10T12:40:08.000Z"), ("1441888808", "2015-09-10T12:40:08.000Z"),
      ("1441888808000000.0", "2015-09-10T12:40:08.000Z"), ("-86400", "1969-12-31T00:00:00.000Z"),
      ("1441888808500", "2015-09-10T12:40:08.500Z"),
    ] as [(String, String)])
  func dates(_ json: String, _ stored: String) throws {
    let world = try item(.date)
    try world.sync("[{\"id\": 1, \"value\": \(json)}]", "Item")
    #expect(try world.objects("Item") == ["1 value=\(stored)"])
  }

  struct First: ValueTransformer {
    func transformedValue(_ value: Any?) -> Any? { (value as? [Any])?.first }
  }

  struct Doubled: ValueTransformer {
    func transformedValue(_ value: Any?) -> Any? { (value as? Int).map { $0 * 2 } }
  }

  struct SlashDate: ValueTransformer {
    func transformedValue(_ value: Any?) -> Any? {
      guard let digits = (value as? String)?.dropFirst(6).dropLast(2), let milliseconds = Double(digits) else {
        return nil
      }
      return Date(timeIntervalSince1970: milliseconds / 1000)
    }
  }

  @Test("CD-3.6 CD-12.4 What a transformer makes is stored, and no other conversion comes first")
  func transformers() throws {
    ValueTransformers.register(First(), forName: "First")
    ValueTransformers.register(Doubled(), forName: "Doubled")
    let first = try item(.string, transformer: "First")
    let report = try first.sync(#"[{"id": 1, "value": ["Bob", "Al"]}, {"id": 2, "value": "x"}]"#, "Item")
    #expect(try first.objects("Item") == ["1 value=Bob", "2"])
    #expect(report.replacedValues.map(\.pointer) == ["/1/value"])
    let doubled = try item(.string, transformer: "Doubled")
    try doubled.sync(#"[{"id": 1, "value": 21}]"#, "Item")
    #expect(try doubled.objects("Item") == ["1 value=42"])
    let unknown = try item(.string, transformer: "nobody registers this")
    try unknown.sync(#"[{"id": 1, "value": "x"}]"#, "Item")
    #expect(try unknown.objects("Item") == ["1 value=x"])
  }

  @Test("CD-3.2 CD-3.6 CD-12.4 Transformable attributes hold what their transformer makes, of dictionaries too")
  func transformables() throws {
    ValueTransformers.register(SlashDate(), forName: "SlashDate")
    struct Same: ValueTransformer {
      func transformedValue(_ value: Any?) -> Any? { value }
    }
    ValueTransformers.register(Same(), forName: "Same")
    let date = try item(.transformable, transformer: "SlashDate")
    try date.sync(#"[{"id": 1, "value": "/Date(1451606400000)/"}]"#, "Item")
    #expect(try date.transformed("Item", "value") as? Date == Date(timeIntervalSince1970: 1_451_606_400))
    let same = try item(.transformable, transformer: "Same")
    try same.sync(#"[{"id": 1, "value": {"b": [1, "x"], "a": null}}]"#, "Item")
    let value = try #require(try same.transformed("Item", "value") as? [String: Any])
    #expect(value["b"] as? [AnyHashable] == [1, "x"])
    #expect(value["a"] is NSNull)
    let ignored = try item(.transformable)
    try ignored.sync(#"[{"id": 1, "value": "x"}]"#, "Item")
    #expect(try ignored.transformed("Item", "value") == nil)
  }
}
