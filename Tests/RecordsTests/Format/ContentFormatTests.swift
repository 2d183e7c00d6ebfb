import FoundationEssentials
import KeyValueStore
import Testing

@testable import Records

/// The bytes of contents inside and outside of records, as docs/on-disk-format.md shows them.
@Suite struct ContentFormatTests {
  private func hex(_ bytes: some Sequence<UInt8>) -> String {
    bytes.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
  }

  private static let schema = StoreSchema(entities: [
    EntityDescription(
      name: "Photo",
      attributes: [
        AttributeDescription(name: "id", type: .uint8),
        AttributeDescription(name: "image", type: .data, isOptional: true, options: .externalStorage),
      ])
  ])

  @Test func exampleOfTheDocument() throws {
    let store = try RecordStore.temporary(schema: Self.schema)
    defer { store.close() }
    let images: [FieldValue] = [
      .data(Data([1, 2, 3])), .data(Data(repeating: 1, count: 16_385)), .null, .data(Data()),
    ]
    try store.write { transaction in
      for (id, image) in images.enumerated() {
        try transaction.add("Photo", ["id": .uint(UInt64(id)), "image": image])
      }
    }
    var lines: [String] = []
    for name in ["r.1", "b.1"] {
      let table = try store.environment.table(name)
      try store.environment.read { snapshot in
        try snapshot.scan(table) { key, value in
          let content = name == "b.1" ? "\(value.count) bytes" : hex(value.dropLast(8))
          lines.append("\(name) \(hex(key)) \(content)")
          return .continue
        }
      }
    }
    #expect(
      lines == [
        "r.1 0000000000000001 0100" + "03" + "00" + "04000000" + "00010203",
        "r.1 0000000000000002 0100" + "03" + "01" + "19000000" + "01" + "0140000000000000"
          + "d0003107308df4633d7d9710811e679f",
        "r.1 0000000000000003 0100" + "01" + "02" + "00000000",
        "r.1 0000000000000004 0100" + "03" + "03" + "01000000" + "00",
        "b.1 000000000000000200000001 16385 bytes",
      ])
  }

  @Test func catalogNamesTheFields() throws {
    let document = try Catalog(Self.schema).document
    #expect(document.entities[0].formedFields == ["image"])
    var removed = Self.schema
    removed.entities[0].attributes[1].options = []
    let evolution = try CatalogEvolution(of: document, to: removed).result
    #expect(evolution.entities[0].formedFields == ["image"])
    #expect(evolution.entities[0].earlierLayouts == nil)
    removed.entities[0].attributes.remove(at: 1)
    let after = try CatalogEvolution(of: document, to: removed).result
    #expect(after.entities[0].formedFields == nil)
    #expect(after.entities[0].earlierLayouts?.first?.formedFields == [1])
  }
}
