import TestSupport
import Testing

@testable import Records

/// History is read behind a token, and a token for which that is not possible is refused.
@Suite struct HistoryReadingTests {
  @Test(
    arguments: [
      (nil, nil, 1...5), (0, nil, 1...5), (2, nil, 3...5), (nil, 3, 1...3), (1, 4, 2...4), (5, nil, nil), (3, 3, nil),
      (2, 99, 3...5),
    ] as [(UInt64?, UInt64?, ClosedRange<UInt64>?)])
  func range(after: UInt64?, through: UInt64?, expected: ClosedRange<UInt64>?) throws {
    let history = try HistoryStore()
    try history.commit(5)
    #expect(try history.tokens(after: after, through: through) == expected.map(Array.init) ?? [])
  }

  @Test func readingStopsWhenItIsToldTo() throws {
    let history = try HistoryStore()
    try history.commit(5)
    var count = 0
    try history.store.read { snapshot in
      try snapshot.forEachTransaction { _ in
        count += 1
        return count == 2 ? .stop : .continue
      }
    }
    #expect(count == 2)
  }

  @Test func aTokenThatTheStoreHasNotReachedIsUnknown() throws {
    let history = try HistoryStore()
    try history.commit(2)
    #expect(throws: RecordError.unknownHistoryToken(token: 3, last: 2)) { try history.tokens(after: 3) }
    #expect(throws: RecordError.unknownHistoryToken(token: .max, last: 2)) { try history.tokens(after: .max) }
  }

  @Test func aTokenBeforeTheBeginningHasExpired() throws {
    let history = try HistoryStore()
    try history.commit(5)
    try history.delete(through: 3)
    #expect(throws: RecordError.historyExpired(token: 2, oldest: 3)) { try history.tokens(after: 2) }
    #expect(try history.tokens(after: 3) == [4, 5])
    #expect(try history.tokens() == [4, 5])
  }

  @Test func theSnapshotAndItsLastTokenBelongTogether() throws {
    let history = try HistoryStore()
    try history.commit(3)
    try history.store.read { snapshot in
      try history.commit(2)
      #expect(try snapshot.lastHistoryToken().rawValue == 3)
      #expect(try snapshot.transactions().count == 3)
    }
    #expect(try history.last() == 5)
  }

  @Test func anotherOpeningReadsWhatTheWriterCommits() throws {
    let folder = try TemporaryFolder()
    let history = try HistoryStore(in: folder)
    try history.commit(1)
    let reader = try RecordStore(readingAt: folder["store"])
    defer { reader.close() }
    #expect(try reader.read { try $0.lastHistoryToken().rawValue } == 1)
    let changes = try history.insert("x")
    let read = try reader.read { try $0.transactions(after: 1) }
    #expect(read.map { $0.changes(reader.catalog).entities } == [changes.entities])
  }

  /// The names that the history gives the properties of a change, after the store was opened with other schemas.
  @Test(
    arguments: [
      ("moved", [{ $0.entities[0].attributes.reverse() }], ["text"], "id"),
      (
        "renamed",
        [
          { schema in
            schema.entities[0].attributes[1].name = "body"
            schema.entities[0].attributes[1].originalName = "text"
            schema.entities[0].attributes[0].name = "key"
            schema.entities[0].attributes[0].originalName = "id"
            schema.entities[0].identity = "key"
          }
        ], ["body"], "key"
      ),
      ("removed", [{ $0.entities[0].attributes.remove(at: 1) }], [], "id"),
      ("removed and made anew", [{ $0.entities[0].attributes.remove(at: 1) }, { _ in }], [], "id"),
      ("others added", [{ $0.entities[0].attributes.insert(HistoryReadingTests.added, at: 0) }], ["text"], "id"),
    ] as [(String, [@Sendable (inout StoreSchema) -> Void], Set<String>, String)])
  func changesOfTheSchema(
    name: String, changes: [@Sendable (inout StoreSchema) -> Void], updated: Set<String>, identity: String
  ) throws {
    let folder = try TemporaryFolder()
    do {
      let history = try HistoryStore(in: folder)
      let row = try history.store.write { try $0.insertNote("a") }.result
      _ = try history.store.write { transaction in
        try transaction.edit("Note", row) { builder, note in
          builder.setString(try #require(note.attribute(named: "text")).field, "new")
        }
      }
      try history.store.write { _ = try $0.delete(row, of: $0.entity("Note")) }
    }
    for (number, change) in changes.enumerated() {
      var schema = HistoryStore.schema
      change(&schema)
      let history = try HistoryStore(in: folder, schema: schema)
      #expect(try history.isSound())
      if number < changes.count - 1 { continue }
      let note = try history.store.read { try $0.entity("Note") }
      let found = try history.transactions(after: 1).compactMap { $0.changes(history.store.catalog).entities[note.id] }
      #expect(found.map { $0.updated.values.map(note.names) } == [[updated], []])
      let id = try #require(note.attribute(named: identity))
      #expect(found[1].tombstones.value(of: id.propertyIndex, at: 0) == .string("a"))
    }
  }

  private static let added = AttributeDescription(name: "added", type: .bool, isOptional: true)
}
