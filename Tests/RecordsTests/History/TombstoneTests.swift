import FoundationEssentials
import Testing

@testable import Records

/// Of deleted rows the values remain that are marked to be preserved.
@Suite struct TombstoneTests {
  static let values: [(AttributeType, FieldValue)] = [
    (.bool, .bool(true)), (.bool, .bool(false)), (.int8, .int(-128)), (.int64, .int(.min)), (.int64, .int(.max)),
    (.uint64, .uint(.max)), (.float, .float(-0.5)), (.double, .double(.infinity)),
    (.double, .double(.leastNonzeroMagnitude)),
    (.date, .date(Date(timeIntervalSinceReferenceDate: -1.25))),
    (.decimal, .decimal(Decimal(sign: .minus, exponent: -3, significand: 12345))),
    (.string, .string("Tä\0🚀")), (.string, .string("")), (.url, .url("https://example.org/ä")),
    (.data, .data(Data([0, 255, 7]))), (.composite, .composite(Data("[1]".utf8))),
    (.uuid, .uuid(UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)))), (.string, .null),
  ]

  @Test func valuesOfAllTypesAreKept() throws {
    let attributes = Self.values.enumerated().map { number, value in
      AttributeDescription(
        name: "a\(number)", type: value.0, isOptional: true, options: number % 2 == 0 ? .preserveValueOnDeletion : [])
    }
    let history = try HistoryStore(
      schema: StoreSchema(entities: [EntityDescription(name: "Note", attributes: attributes)]))
    let note = try history.store.read { try $0.entity("Note") }
    let rows = try history.store.write { transaction in
      try (0..<2).map { row in
        try transaction.insert("Note") { builder, note in
          for (attribute, value) in zip(note.attributes, Self.values) where row == 0 {
            let isSet = builder.set(attribute.field, value.1)
            #expect(isSet)
          }
        }
      }
    }.result
    // In the other order than that of the rows.
    try history.store.write { transaction in
      for row in rows.reversed() { _ = try transaction.delete(row, of: transaction.entity("Note")) }
    }
    let changes = try #require(history.transactions(after: 1).first).changes(history.store.catalog)
    let deleted = try #require(changes.entities[note.id])
    #expect(deleted.deleted == rows)
    for (attribute, value) in zip(note.attributes, Self.values) {
      let isPreserved = attribute.propertyIndex % 2 == 0
      #expect(deleted.tombstones.value(of: attribute.propertyIndex, at: 0) == (isPreserved ? value.1 : nil))
      #expect(deleted.tombstones.value(of: attribute.propertyIndex, at: 1) == (isPreserved ? .null : nil))
      #expect(deleted.tombstones.value(of: attribute.propertyIndex, at: 2) == nil)
    }
  }

  @Test func theValueIsTheStoredOneAndNotAnEditOfTheSameTransaction() throws {
    let history = try HistoryStore()
    let row = try history.store.write { try $0.insertNote("old") }.result
    let changes = try history.store.write { transaction in
      _ = try transaction.edit("Note", row) { builder, note in
        builder.setString(try #require(note.attribute(named: "id")).field, "new")
      }
      _ = try transaction.delete(row, of: transaction.entity("Note"))
    }.changes
    let note = try history.store.read { try $0.entity("Note") }
    #expect(changes.entities[note.id]?.tombstones.value(of: 0, at: 0) == .string("new"))
  }
}
