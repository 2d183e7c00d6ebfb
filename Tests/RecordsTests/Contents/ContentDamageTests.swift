import FoundationEssentials
import KeyValueStore
import Testing

@testable import Records

extension Gallery {
  /// Writes a content behind the record layer's back; nil removes it.
  func putContent(_ content: [UInt8]?, row: RowNumber, attribute: String) throws {
    let photo = try store.read { try $0.entity("Photo") }
    let key = ContentKey(row: row, attribute: try #require(photo.attribute(named: attribute)), of: photo)
    let bytes = key.withBytes { [UInt8]($0) }
    let table = try store.environment.table("b.\(photo.id.rawValue)")
    try store.environment.write { transaction in
      if let content {
        try transaction.put(content, for: bytes, in: table)
      } else {
        _ = try transaction.delete(bytes, in: table)
      }
    }
  }
}

/// A content that is not what was written for its row is found by whoever reads it, and by the check of the whole store.
@Suite struct ContentDamageTests {
  private static let length = Gallery.insideMax * 2
  private let gallery: Gallery
  private let row: RowNumber

  init() throws {
    gallery = try Gallery()
    row = try gallery.insert(1, ["image": Gallery.value(of: "image", Self.length), "title": .string("a")])
    _ = try gallery.insert(2, ["image": Gallery.value(of: "image", Self.length, 9)])
  }

  private static func damaged(_ change: (inout [UInt8]) -> Void) -> [UInt8] {
    var content = Gallery.bytes(length)
    change(&content)
    return content
  }

  static let damages: [(String, [UInt8]?)] = [
    ("a flipped bit", damaged { $0[length / 2] ^= 1 }),
    ("a missing byte", damaged { $0.removeLast() }),
    ("a byte too many", damaged { $0.append(0) }),
    ("nothing", []),
    ("the content of another row", Gallery.bytes(length, 9)),
    ("no content", nil),
  ]

  @Test(arguments: damages)
  func everyReaderFindsIt(name: String, content: [UInt8]?) throws {
    try gallery.putContent(content, row: row, attribute: "image")
    let damage = RecordError.damagedContent(entity: "Photo", row: row, attribute: "image")
    #expect(throws: damage) { try gallery.store.value(of: "image", row) }
    let violation: InvariantViolation =
      content == nil
      ? .missingContent(entity: "Photo", row: row, attribute: "image")
      : .damagedContent(entity: "Photo", row: row, attribute: "image")
    #expect(try gallery.violations() == [violation])
    #expect(throws: damage) {
      try gallery.store.read { snapshot in
        let photo = try snapshot.entity("Photo")
        let field = try #require(photo.attribute(named: "image")).field
        let condition = Condition.compare(.field(field), .equal, .constant(.data(Data())))
        return try snapshot.rows(snapshot.plan(RecordQuery(photo, where: condition)))
      }
    }
    // The rest of the row is as readable as ever, and it can be replaced and deleted.
    #expect(try gallery.store.value(of: "title", row) == .string("a"))
    _ = try gallery.set("image", of: row, to: Gallery.value(of: "image", Self.length, 1))
    #expect(try gallery.violations() == [])
    try gallery.putContent(content, row: row, attribute: "image")
    _ = try gallery.store.write { _ = try $0.delete(row, of: $0.entity("Photo")) }
    #expect(try gallery.violations() == [])
  }

  @Test func contentsThatNoRecordRefersToAreFound() throws {
    let photo = try gallery.store.read { try $0.entity("Photo") }
    let number = try #require(photo.attribute(named: "note")).propertyIndex
    try gallery.putContent([1], row: row, attribute: "note")
    try gallery.putContent([1], row: RowNumber(rawValue: 7), attribute: "note")
    // An attribute whose contents are never outside.
    try gallery.putContent([1], row: row, attribute: "title")
    #expect(
      try gallery.violations() == [
        .strayContent(entity: "Photo", row: row, attribute: 1),
        .strayContent(entity: "Photo", row: row, attribute: UInt32(number)),
        .strayContent(entity: "Photo", row: RowNumber(rawValue: 7), attribute: UInt32(number)),
      ])
  }

  @Test func keysOfAnotherLengthAreFound() throws {
    let table = try gallery.store.environment.table("b.2")
    try gallery.store.environment.write { try $0.put([1], for: [0, 1], in: table) }
    #expect(try gallery.violations() == [.damagedEntry(table: "b.2")])
  }

  /// A record with a right checksum and a form that there is none of, or a reference of another length.
  @Test(arguments: [[UInt8](), [2], [1], [1] + Gallery.bytes(23), [1] + Gallery.bytes(25), [255, 0]])
  func formsThatAreNoneAreDamagedRecords(storage: [UInt8]) throws {
    let photo = try gallery.store.read { try $0.entity("Photo") }
    var builder = RecordBuilder(photo.layout)
    builder.setInt64(try #require(photo.attribute(named: "id")).field, 1)
    let field = try #require(photo.attribute(named: "image")).field
    storage.withUnsafeBytes { builder.setStorage(of: field, $0, form: nil) }
    let bytes = builder.encoded(entity: photo.id, row: row)
    let table = try gallery.store.environment.table("r.2")
    try gallery.store.environment.write { transaction in
      try transaction.put(bytes, for: row.rawValue.withBytes { [UInt8]($0) }, in: table)
    }
    #expect(throws: RecordError.damagedRecord(entity: "Photo", row: row)) {
      try gallery.store.value(of: "image", row)
    }
  }

  /// A row that was made of another row's record would refer to contents that are not its own.
  @Test func aReferenceAloneIsNoContent() throws {
    #expect(throws: RecordError.damagedContent(entity: "Photo", row: RowNumber(rawValue: 3), attribute: "image")) {
      try gallery.store.write { transaction in
        let photo = try transaction.entity("Photo")
        var builder = RecordBuilder(photo.layout)
        _ = try transaction.withRecord(row, of: photo) { builder.load($0) }
        builder.setInt64(try #require(photo.attribute(named: "id")).field, 3)
        _ = try transaction.insert(&builder, into: photo)
      }
    }
    #expect(try gallery.violations() == [])
  }
}
