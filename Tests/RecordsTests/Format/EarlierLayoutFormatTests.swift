import Foundation
import Testing

@testable import Records

/// The bytes of earlier layouts in the catalog, as docs/on-disk-format.md describes them.
@Suite struct EarlierLayoutFormatTests {
  @Test func exampleOfTheDocument() throws {
    let title = AttributeDescription(name: "title", type: .string)
    let before = StoreSchema(entities: [
      EntityDescription(name: "Task", attributes: [AttributeDescription(name: "priority", type: .int8), title])
    ])
    let after = StoreSchema(entities: [
      EntityDescription(
        name: "Task",
        attributes: [AttributeDescription(name: "weight", type: .double, defaultValue: .double(1.5)), title])
    ])
    let document = try CatalogEvolution(of: CatalogEvolution(of: CatalogDocument(), to: before).result, to: after)
      .result
    let entity = try #require(document.entities.first)
    #expect(entity.fields == ["title", "weight"])
    #expect(entity.layoutVersion == 2)
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    #expect(
      String(decoding: try encoder.encode(entity.earlierLayouts), as: UTF8.self)
        == #"[{"kinds":["int8","string"],"sources":[{"field":1},{"value":{"double":"1.5"}}],"version":1}]"#)
  }

  @Test(arguments: [
    (FieldValue.null, "{}"), (.bool(true), #"{"bool":true}"#), (.int(.min), #"{"int":-9223372036854775808}"#),
    (.uint(.max), #"{"uint":18446744073709551615}"#), (.float(0.1), #"{"float":"0.1"}"#),
    (.double(-.infinity), #"{"double":"-inf"}"#), (.double(-0.0), #"{"double":"-0.0"}"#),
    (
      .decimal(Decimal(string: "123456789012345678901234567890.12345678") ?? 0),
      #"{"decimal":"123456789012345678901234567890.12345678"}"#
    ),
    (.decimal(.nan), #"{"decimal":"NaN"}"#), (.string("\"ä\n"), #"{"string":"\"ä\n"}"#),
    (.date(Date(timeIntervalSinceReferenceDate: 0.1)), #"{"date":"0.1"}"#),
    (
      .uuid(UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))),
      #"{"uuid":"01020304-0506-0708-090A-0B0C0D0E0F10"}"#
    ),
    (.url("a:b"), #"{"url":"a:b"}"#), (.data(Data([0, 255])), #"{"data":"AP8="}"#),
    (.composite(Data("[1]".utf8)), #"{"composite":"[1]"}"#),
  ])
  func values(value: FieldValue, json: String) throws {
    #expect(String(decoding: try JSONEncoder().encode(value), as: UTF8.self) == json)
    let read = try JSONDecoder().decode(FieldValue.self, from: Data(json.utf8))
    #expect("\(read)" == "\(value)")
  }

  @Test func notANumberIsRead() throws {
    let value = try JSONDecoder().decode(FieldValue.self, from: JSONEncoder().encode(FieldValue.double(.nan)))
    guard case .double(let number) = value else {
      Issue.record("\(value) is no double")
      return
    }
    #expect(number.isNaN)
  }

  /// A catalog whose layouts do not lead to the present one is damaged; no such catalog leads a read astray.
  @Test func unsoundLayoutsAreRefused() throws {
    let before = StoreSchema(entities: [
      EntityDescription(
        name: "A",
        attributes: [
          AttributeDescription(name: "n", type: .int8), AttributeDescription(name: "s", type: .string),
        ])
    ])
    var after = before
    after.entities[0].attributes[0].type = .int16
    after.entities[0].attributes.append(AttributeDescription(name: "d", type: .double, defaultValue: .double(1)))
    let sound = try CatalogEvolution(of: CatalogEvolution(of: CatalogDocument(), to: before).result, to: after).result
    _ = try Catalog(sound)
    let changes: [(inout CatalogDocument.StoredLayout) -> Void] = [
      { $0.version = 2 },
      { $0.kinds.removeLast() },
      { $0.kinds[0] = .string },
      { $0.sources.removeLast() },
      { $0.sources[0].field = 7 },
      { $0.sources[0].field = -1 },
      { $0.sources[1].field = 0 },
      { $0.sources[2].value = .int(1) },
      { $0.sources[2].value = .string("1") },
      { $0.sources[0].value = .int(40_000) },
    ]
    for change in changes {
      var document = sound
      var layout = try #require(document.entities[0].earlierLayouts?.first)
      change(&layout)
      document.entities[0].earlierLayouts = [layout]
      do {
        _ = try Catalog(document)
        Issue.record("\(layout) was accepted")
      } catch RecordError.damagedCatalog {}
    }
    var twice = sound
    twice.entities[0].earlierLayouts? += sound.entities[0].earlierLayouts ?? []
    #expect(throws: RecordError.self) { try Catalog(twice) }
  }
}
