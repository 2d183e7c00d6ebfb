import KeyValueStore
import Testing

@testable import Records

/// Damage in the tables is found: by whoever reads a record, and by the check of the whole store.
@Suite struct DamageTests {
  private let office: Office
  private let row = RowNumber(rawValue: 1)

  init() throws {
    office = try Office()
    _ = try office.write { transaction in
      let first = try transaction.insertPerson("a", nick: "x")
      let second = try transaction.insertPerson("b")
      _ = try transaction.setMembers(of: transaction.relationship("Person", "friends"), owner: first, to: [second])
      _ = try transaction.setMembers(of: transaction.relationship("Person", "reports"), owner: first, to: [second])
    }
  }

  /// Changes a table behind the record layer's back.
  private func tamper(_ table: String, _ body: @Sendable (WriteTransaction, Table) throws -> Void) throws {
    let table = try office.store.environment.table(table)
    try office.store.environment.write { try body($0, table) }
  }

  private func violations() throws -> [InvariantViolation] {
    try office.read { try $0.checkInvariants() }
  }

  private func table(_ entity: String, _ relationship: String) throws -> String {
    "l.\(try office.read { try $0.relationship(entity, relationship).id.rawValue })"
  }

  private func table(index attributes: [String]) throws -> String {
    "x.\(try office.read { try $0.index("Person", attributes).id.rawValue })"
  }

  private static func key(_ numbers: UInt64...) -> [UInt8] {
    numbers.flatMap { $0.withBytes { [UInt8]($0) } }
  }

  private func flipBit(ofRow row: RowNumber) throws {
    try flipBit(in: "r.1", key: Self.key(row.rawValue))
  }

  private func flipBit(in table: String, key: [UInt8]) throws {
    try tamper(table) { transaction, table in
      var bytes = try #require(try transaction.value(for: key, in: table))
      bytes[bytes.count / 2] ^= 4
      try transaction.put(bytes, for: key, in: table)
    }
  }

  /// Adds an entry to the table of a person's relationship, as the record layer would have written it.
  private func addLink(of relationship: String, owner: RowNumber, member: RowNumber, rank: UInt64) throws {
    let direction = try office.read { try $0.relationship("Person", relationship).id }
    let link = LinkKey(owner: owner, member: member)
    try tamper("l.\(direction.rawValue)") { transaction, table in
      try link.withBytes { key in
        try LinkValue(rank: rank).withBytes(under: link, of: direction) { try transaction.put($0, for: key, in: table) }
      }
    }
  }

  /// Adds an entry to an index of people, as the record layer would have written it.
  private func addEntry(_ key: [UInt8], row: RowNumber, to attributes: [String]) throws {
    let index = try office.read { try $0.index("Person", attributes) }
    try tamper(table(index: attributes)) { transaction, table in
      try key.withUnsafeBytes { key in
        try IndexEntry.withValue(of: row, under: key, in: index) { try transaction.put($0, for: key, in: table) }
      }
    }
  }

  @Test func flippedBitIsADamagedRecordForEveryReader() throws {
    try flipBit(ofRow: row)
    let damage = RecordError.damagedRecord(entity: "Person", row: row)
    let store = office.store
    #expect(throws: damage) { try store.read { try $0.record(row, of: $0.entity("Person")) } }
    #expect(throws: damage) { try store.read { try $0.forEachRecord(of: $0.entity("Person")) { _, _ in .continue } } }
    #expect(throws: damage) { try store.write { _ = try $0.edit("Person", row) { _, _ in } } }
    #expect(throws: damage) { try store.write { _ = try $0.delete(row, of: $0.entity("Person")) } }
    #expect(throws: damage) {
      try store.read { try $0.destination(of: $0.relationship("Person", "manager"), row: row) }
    }
    #expect(try store.read { try $0.record(RowNumber(rawValue: 2), of: $0.entity("Person")) } != nil)
    #expect(try violations() == [.damagedRecord(entity: "Person", row: row)])
  }

  @Test func recordUnderAnotherRowsKeyIsDamaged() throws {
    try tamper("r.1") { transaction, table in
      let bytes = try #require(try transaction.value(for: Self.key(1), in: table))
      try transaction.put(bytes, for: Self.key(2), in: table)
    }
    #expect(throws: RecordError.damagedRecord(entity: "Person", row: RowNumber(rawValue: 2))) {
      try office.read { try $0.record(RowNumber(rawValue: 2), of: $0.entity("Person")) }
    }
  }

  @Test func missingAndStrayIndexEntriesAreFound() throws {
    let name = try table(index: ["nick"])
    let key = KeyEncoder.key { $0.append("x") }
    try tamper(name) { _ = try $0.delete(key, in: $1) }
    #expect(try violations() == [.missingIndexEntry(entity: "Person", attributes: ["nick"], row: row)])
    try addEntry(key, row: row, to: ["nick"])
    #expect(try violations() == [])
    try addEntry(KeyEncoder.key { $0.append("y") }, row: row, to: ["nick"])
    #expect(try violations() == [.strayIndexEntry(entity: "Person", attributes: ["nick"], row: row)])
  }

  @Test func oneWayLinksAreFound() throws {
    let name = try table("Person", "friendOf")
    try tamper(name) { _ = try $0.delete(Self.key(2, 1), in: $1) }
    #expect(
      try violations()
        == [.oneWayLink(relationship: "Person.friends", owner: row, member: RowNumber(rawValue: 2))])
  }

  @Test func linkWithoutItsFieldIsFound() throws {
    try addLink(of: "reports", owner: RowNumber(rawValue: 2), member: row, rank: 4)
    #expect(
      try violations().contains(
        .oneWayLink(relationship: "Person.reports", owner: RowNumber(rawValue: 2), member: row)))
  }

  @Test func danglingLinksAndWrongRanksAreFound() throws {
    try addLink(of: "friends", owner: row, member: RowNumber(rawValue: 7), rank: 1)
    let link = (relationship: "Person.friends", owner: row, member: RowNumber(rawValue: 7))
    let found = try violations()
    #expect(found.contains(.danglingLink(relationship: link.relationship, owner: link.owner, member: link.member)))
    #expect(found.contains(.wrongRank(relationship: link.relationship, owner: link.owner, member: link.member)))
  }

  @Test func rowsBeyondTheCounterAreFound() throws {
    let counter = MetaKey.rows(EntityID(rawValue: 1))
    try tamper("meta") { try $0.put(SealedValue.seal(Self.key(2), under: counter), for: counter, in: $1) }
    #expect(
      try violations() == [
        .rowBeyondCounter(entity: "Person", row: RowNumber(rawValue: 2)), .wrongTransaction(token: 1),
      ])
  }

  @Test func damagedEntriesAreTypedErrors() throws {
    let links = try table("Person", "friends")
    // A wrong rank by itself would only be another order.
    try flipBit(in: links, key: Self.key(1, 2))
    #expect(throws: RecordError.damagedEntry(table: links)) {
      try office.read { try $0.members(of: $0.relationship("Person", "friends"), owner: row) }
    }
    let index = try table(index: ["id"])
    try tamper(index) { try $0.put([1], for: KeyEncoder.key { $0.append("a") }, in: $1) }
    #expect(throws: RecordError.damagedIndexEntry(entity: "Person", attributes: ["id"])) {
      try office.read { try $0.rows(where: $0.index("Person", ["id"]), equals: [.string("a")]) }
    }
    try flipBit(in: "meta", key: MetaKey.rank)
    #expect(throws: RecordError.damagedEntry(table: "meta")) {
      try office.write { transaction in
        _ = try transaction.insertMembers(
          [row], of: transaction.relationship("Person", "teams"), owner: RowNumber(rawValue: 2))
      }
    }
    #expect(try violations().contains(.damagedEntry(table: links)))
    #expect(try violations().contains(.damagedEntry(table: "meta")))
  }

  /// A check of a large store can be long, and of a thoroughly damaged one even longer.
  @Test func checkEndsWhenThereIsEnough() throws {
    for row in 1...2 { try flipBit(ofRow: RowNumber(rawValue: UInt64(row))) }
    #expect(try office.read { try $0.checkInvariants(limit: 1) } == [.damagedRecord(entity: "Person", row: row)])
    struct Interruption: Error {}
    var entries = 0
    #expect(throws: Interruption.self) {
      try office.read { snapshot in
        try snapshot.checkInvariants {
          entries += 1
          if entries == 2 { throw Interruption() }
        }
      }
    }
    #expect(entries == 2)
  }
}
