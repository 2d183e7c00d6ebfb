import FoundationEssentials
import KeyValueStore
import Testing

@testable import Records

/// A temporary store of photos in albums; photos have attributes of every type that can be in external storage.
final class Gallery: Sendable {
  static let insideMax = RecordLayout.insideByteCountMax

  static let attributes = [
    AttributeDescription(name: "image", type: .data, isOptional: true, options: .externalStorage),
    AttributeDescription(name: "note", type: .string, isOptional: true, options: .externalStorage),
    AttributeDescription(name: "page", type: .url, isOptional: true, options: .externalStorage),
    AttributeDescription(name: "info", type: .composite, isOptional: true, options: .externalStorage),
  ]

  static func schema(
    _ attributes: [AttributeDescription] = Gallery.attributes, indexes: [[String]] = []
  ) -> StoreSchema {
    StoreSchema(entities: [
      EntityDescription(
        name: "Album", attributes: [],
        relationships: [
          RelationshipDescription(
            name: "photos", destination: "Photo", isToMany: true, inverse: "album", deleteRule: .cascade)
        ]),
      EntityDescription(
        name: "Photo",
        attributes: [
          AttributeDescription(name: "id", type: .int64, options: .unique),
          AttributeDescription(name: "title", type: .string, isOptional: true),
        ] + attributes,
        relationships: [
          RelationshipDescription(name: "album", destination: "Album", isToMany: false, inverse: "photos")
        ], identity: "id", indexes: indexes),
    ])
  }

  let store: RecordStore

  init(_ schema: StoreSchema = Gallery.schema()) throws {
    store = try RecordStore.temporary(schema: schema)
  }

  deinit {
    store.close()
  }

  /// Bytes of a length and content of their own.
  static func bytes(_ count: Int, _ seed: UInt8 = 0) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 8) &+ seed }
  }

  /// Text of a length.
  static func text(_ count: Int, _ seed: UInt8 = 0) -> [UInt8] {
    bytes(count, seed).map { 97 + $0 % 26 }
  }

  /// A value of an attribute, of a length in bytes; nil for null.
  static func value(of attribute: String, _ count: Int?, _ seed: UInt8 = 0) -> FieldValue {
    guard let count else { return .null }
    switch attribute {
    case "image": return .data(Data(bytes(count, seed)))
    case "info": return .composite(Data(text(count, seed)))
    case "page": return .url(String(decoding: text(count, seed), as: UTF8.self))
    default: return .string(String(decoding: text(count, seed), as: UTF8.self))
    }
  }

  func insert(_ id: Int64, _ values: [String: FieldValue] = [:]) throws -> RowNumber {
    try store.write { try $0.add("Photo", values.merging(["id": .int(id)]) { $1 }) }.result
  }

  func set(_ attribute: String, of row: RowNumber, to value: FieldValue) throws -> PropertySet? {
    try store.write { try $0.setValue(value, of: attribute, row) }.result
  }

  func violations() throws -> [InvariantViolation] {
    try store.violations()
  }
}

extension RecordTransaction {
  func setValue(_ value: FieldValue, of attribute: String, _ row: RowNumber) throws -> PropertySet? {
    try edit("Photo", row) { builder, photo in
      let isSet = builder.set(try #require(photo.attribute(named: attribute)).field, value)
      #expect(isSet)
    }
  }
}

extension RecordStore {
  /// The value of an attribute of a photo, read from wherever it lies.
  func value(of attribute: String, _ row: RowNumber) throws -> FieldValue? {
    try read { snapshot in
      let photo = try snapshot.entity("Photo")
      let field = try #require(photo.attribute(named: attribute)).field
      return try snapshot.withRecord(row, of: photo) { try snapshot.value(field, of: $0, row: row, photo) }
    }
  }

  /// Whether the value of an attribute of a photo lies outside of its record.
  func isOutside(_ attribute: String, of row: RowNumber) throws -> Bool {
    try read { snapshot in
      let photo = try snapshot.entity("Photo")
      let field = try #require(photo.attribute(named: attribute)).field
      return try snapshot.withRecord(row, of: photo) { $0.reference(field) != nil } ?? false
    }
  }

  /// How many contents of photos lie outside of records.
  func contentCount() throws -> Int {
    try read { snapshot in
      let table = try snapshot.tables.contents[snapshot.entity("Photo").slot]
      return try table.map { try snapshot.snapshot.count(in: $0) } ?? 0
    }
  }
}
