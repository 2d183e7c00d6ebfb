import FoundationEssentials
import Testing

@testable import Records

/// Large values of attributes in external storage lie outside of the record, and follow the row in all that becomes of it.
@Suite struct ContentPlaceTests {
  private static let max = Gallery.insideMax
  private static let names = ["image", "note", "page", "info"]
  private static let lengths = [nil, 0, 1, max - 1, max, max + 1, 3 * max, 1 << 20]

  @Test(arguments: names, lengths)
  func lengthDecidesWhereAValueLies(attribute: String, length: Int?) throws {
    let gallery = try Gallery()
    let value = Gallery.value(of: attribute, length)
    let row = try gallery.insert(1, [attribute: value])
    let isOutside = (length ?? 0) > Self.max
    #expect(try gallery.store.isOutside(attribute, of: row) == isOutside)
    #expect(try gallery.store.contentCount() == (isOutside ? 1 : 0))
    #expect(try gallery.store.value(of: attribute, row) == value)
    #expect(try gallery.violations() == [])
  }

  /// Null, short, long, and others of the same length.
  private static let states: [(length: Int?, seed: UInt8)] = [
    (nil, 0), (0, 0), (10, 0), (10, 1), (max, 0), (max + 1, 0), (max + 1, 1), (5 * max, 0),
  ]

  @Test(arguments: names)
  func everyChangeLeavesTheNewValueAlone(attribute: String) throws {
    let gallery = try Gallery()
    let row = try gallery.insert(1)
    let property = try gallery.store.read { try #require($0.entity("Photo").attribute(named: attribute)).propertyIndex }
    for before in Self.states {
      for after in Self.states {
        let (old, new) = (
          Gallery.value(of: attribute, before.length, before.seed),
          Gallery.value(of: attribute, after.length, after.seed)
        )
        _ = try gallery.set(attribute, of: row, to: old)
        #expect(try gallery.set(attribute, of: row, to: new) == (old == new ? nil : PropertySet([property])))
        #expect(try gallery.store.value(of: attribute, row) == new)
        #expect(try gallery.store.contentCount() == ((after.length ?? 0) > Self.max ? 1 : 0))
      }
    }
    #expect(try gallery.violations() == [])
  }

  @Test func contentsOfSeveralAttributesAndRowsAreKeptApart() throws {
    let gallery = try Gallery()
    let rows = try (1...3).map { id in
      try gallery.insert(
        Int64(id),
        Dictionary(
          uniqueKeysWithValues: Self.names.map { ($0, Gallery.value(of: $0, Self.max + 1, UInt8(id))) }))
    }
    #expect(try gallery.store.contentCount() == 12)
    _ = try gallery.set("note", of: rows[1], to: .null)
    _ = try gallery.store.write { _ = try $0.delete(rows[0], of: $0.entity("Photo")) }
    #expect(try gallery.store.contentCount() == 7)
    for attribute in Self.names {
      let expected = attribute == "note" ? .null : Gallery.value(of: attribute, Self.max + 1, 2)
      #expect(try gallery.store.value(of: attribute, rows[1]) == expected)
      #expect(try gallery.store.value(of: attribute, rows[2]) == Gallery.value(of: attribute, Self.max + 1, 3))
    }
    #expect(try gallery.violations() == [])
  }

  @Test func cascadesTakeContentsAlong() throws {
    let gallery = try Gallery()
    let album = try gallery.store.write { try $0.add("Album", [:]) }.result
    for id in 1...3 {
      _ = try gallery.insert(
        Int64(id), ["image": Gallery.value(of: "image", Self.max * 2), "album": .uint(album.rawValue)])
    }
    #expect(try gallery.store.contentCount() == 3)
    _ = try gallery.store.write { _ = try $0.delete(album, of: $0.entity("Album")) }
    #expect(try gallery.store.contentCount() == 0)
    #expect(try gallery.violations() == [])
  }

  @Test func anUndoneTransactionLeavesContentsAsTheyWere() throws {
    struct Undo: Error {}
    let gallery = try Gallery()
    let image = Gallery.value(of: "image", Self.max * 2)
    let rows = try (1...3).map { try gallery.insert(Int64($0), ["image": image]) }
    #expect(throws: Undo.self) {
      try gallery.store.write { transaction in
        _ = try transaction.setValue(Gallery.value(of: "image", Self.max * 3), of: "image", rows[0])
        _ = try transaction.setValue(.null, of: "image", rows[1])
        _ = try transaction.delete(rows[2], of: transaction.entity("Photo"))
        _ = try transaction.add("Photo", ["id": .int(4), "image": image])
        throw Undo()
      }
    }
    for row in rows { #expect(try gallery.store.value(of: "image", row) == image) }
    #expect(try gallery.store.contentCount() == 3)
    #expect(try gallery.violations() == [])
  }

  /// A content that is wrong, and stays wrong without anybody noticing, was neither read nor written.
  @Test func otherChangesOfTheRowNeitherReadNorWriteItsContents() throws {
    let gallery = try Gallery()
    let image = Gallery.value(of: "image", Self.max * 2)
    let row = try gallery.insert(1, ["image": image])
    try gallery.putContent([1, 2, 3], row: row, attribute: "image")
    _ = try gallery.set("title", of: row, to: .string("new"))
    #expect(try gallery.set("image", of: row, to: image) == nil)
    #expect(
      try gallery.violations() == [.damagedContent(entity: "Photo", row: row, attribute: "image")])
  }

  @Test func aPreservedValueOutlivesItsRow() throws {
    let attributes = Gallery.attributes.map { attribute in
      var attribute = attribute
      attribute.options.insert(.preserveValueOnDeletion)
      return attribute
    }
    let gallery = try Gallery(Gallery.schema(attributes))
    let values = Dictionary(uniqueKeysWithValues: Self.names.map { ($0, Gallery.value(of: $0, Self.max * 2)) })
    let row = try gallery.insert(1, values)
    let changes = try gallery.store.write { _ = try $0.delete(row, of: $0.entity("Photo")) }.changes
    let photo = try gallery.store.read { try $0.entity("Photo") }
    for (name, value) in values {
      let property = try #require(photo.attribute(named: name)).propertyIndex
      #expect(changes.entities[photo.id]?.tombstones.value(of: property, at: 0) == value)
    }
  }

  /// What is too large for a record is not too large for the row, since it is not in the record.
  @Test func recordsStayShort() throws {
    let gallery = try Gallery()
    let row = try gallery.insert(1, ["image": Gallery.value(of: "image", 1 << 20)])
    let byteCount = try gallery.store.read { snapshot in
      try snapshot.withRecord(row, of: snapshot.entity("Photo")) { $0.bytes.count }
    }
    #expect(try #require(byteCount) < 100)
  }

  @Test func largeContentsAreNotCopiedOnTheirWay() throws {
    let layout = RecordLayout(version: 1, kinds: [.data, .composite], formed: [0, 1], external: [0, 1])
    var builder = RecordBuilder(layout)
    let data = Data(Gallery.bytes(Self.max * 2))
    let bytes = Gallery.bytes(Self.max * 2)
    builder.setData(0, data)
    builder.setUTF8(1, bytes)
    for (field, place) in [(0, data.withUnsafeBytes { $0.baseAddress }), (1, bytes.withUnsafeBytes { $0.baseAddress })]
    {
      #expect(builder.contents[field]?.withBytes { $0.baseAddress } == place)
    }
  }
}
