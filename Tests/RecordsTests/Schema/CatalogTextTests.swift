import Foundation
import KeyValueStore
import TestSupport
import Testing

@testable import Records

/// A catalog is read from its text as it is decoded, or not at all.
@Suite struct CatalogTextTests {
  private static let schemas: [StoreSchema] = [
    StoreSchema(entities: []), .office,
    StoreSchema(entities: [
      EntityDescription(
        name: "Ältester",
        attributes: AttributeType.allCases.map { type in
          AttributeDescription(
            name: "a_\(type.rawValue)", type: type, isOptional: true,
            options: [.externalStorage, .preserveValueOnDeletion],
            remoteKey: "of.\(type.rawValue)", isExported: false, originalName: "b")
        }, identityRemoteKey: "key", uniquenessConstraints: [["a_int8", "a_uuid"]],
        indexes: [["a_int16"], ["a_date", "a_bool"]],
        originalName: "Elder")
    ]),
  ]

  private func text(_ document: CatalogDocument) throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return [UInt8](try encoder.encode(document))
  }

  private func read(_ text: [UInt8]) -> CatalogDocument? {
    text.withUnsafeBytes(CatalogText.read)
  }

  @Test(arguments: schemas) func readsWhatIsWritten(schema: StoreSchema) throws {
    for version in [nil, SchemaVersion(3, 0, 17)] {
      var document = try Catalog(schema).document
      document.schemaVersion = version
      let text = try text(document)
      #expect(try read(text) == JSONDecoder().decode(CatalogDocument.self, from: Data(text)))
      #expect(read(text) == document)
    }
  }

  @Test func leavesEarlierLayoutsToTheDecoder() throws {
    var document = try Catalog(.office).document
    document.entities[0].earlierLayouts = []
    #expect(try read(text(document)) == nil)
  }

  @Test func leavesEverythingElseToTheDecoder() throws {
    let text = try text(Catalog(.office).document)
    for end in 0..<text.count { #expect(read([UInt8](text[..<end])) == nil) }
    #expect(read(text + [UInt8(ascii: " ")]) == nil)
    let whole = String(decoding: text, as: UTF8.self)
    for (old, new) in [
      (#""isUnique":true"#, #""isUnique":1"#), (#""name":"Person""#, #""name":"P\u0065rson""#),
      (#""name":"Person""#, #""name":7"#),
      (#""options":0"#, #""options":256"#), (#""options":0"#, #""options":-1"#), (#""options":0"#, #""options":0.5"#),
      (#""type":"string""#, #""type":"strings""#), (#""nextEntityID":"#, #""nextID":"#),
    ] {
      let changed = whole.replacing(old, with: new, maxReplacements: 1)
      #expect(changed != whole && read([UInt8](changed.utf8)) == nil, "\(new)")
    }
  }
}
