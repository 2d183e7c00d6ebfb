import KeyValueStore
import TestSupport
import Testing

@testable import Records

/// When a row keeps the digest that it was given, and when it loses it.
@Suite struct DigestTests {
  private let office: Office
  private let row: RowNumber
  private let manager: RowNumber

  init() throws {
    office = try Office()
    (row, manager) = try office.write { (try $0.insertPerson("a"), try $0.insertPerson("b")) }
  }

  private static func digest(_ text: String, showing members: UInt8 = 0) -> RowDigest {
    var text = text
    return text.withUTF8 { RowDigest(of: UnsafeRawBufferPointer($0), shownMembers: members) }
  }

  private func digests() throws -> [RowNumber: RowDigest] {
    try office.read { snapshot in
      #expect(try snapshot.checkInvariants().isEmpty)
      var found: [RowNumber: RowDigest] = [:]
      try snapshot.forEachDigest(of: snapshot.entity("Person")) { found[$0] = $1 }
      #expect(try snapshot.digestCount(of: snapshot.entity("Person")) == found.count)
      return found
    }
  }

  private func set(_ digest: RowDigest, of row: RowNumber) throws {
    try office.write { try $0.setDigest(digest, of: row, $0.entity("Person")) }
  }

  @Test func whatWasSetIsThere() throws {
    let (first, second) = (Self.digest("one"), Self.digest("two", showing: 5))
    try office.write { [row, manager] transaction in
      let person = try transaction.entity("Person")
      // In any order, and more than once.
      transaction.setDigest(second, of: manager, person)
      transaction.setDigest(second, of: row, person)
      transaction.setDigest(first, of: row, person)
    }
    #expect(try digests() == [row: first, manager: second])
  }

  @Test func contextAndTextTellDigestsApart() {
    let context = Self.digest("context")
    let texts = ["", "a", "b", String(repeating: "a", count: 1000)]
    let all = texts.flatMap { text in
      [nil, context].map { context in
        var text = text
        return text.withUTF8 { RowDigest(of: UnsafeRawBufferPointer($0), in: context) }
      }
    }
    #expect(Set(all).count == all.count)
  }

  /// A change of the row with a digest, and the to-many relationship that a text has to show to know of it.
  struct Change: CustomTestStringConvertible, Sendable {
    let testDescription: String
    var relationship: String?
    let make: @Sendable (RecordTransaction, _ row: RowNumber, _ other: RowNumber) throws -> Void
  }

  static let changes = [
    Change(testDescription: "an attribute") { transaction, row, _ in
      _ = try transaction.edit("Person", row) { $0.setInt64(try #require($1.attribute(named: "age")).field, 5) }
    },
    Change(testDescription: "a to-one link") { transaction, row, other in
      _ = try transaction.edit("Person", row) {
        $0.setRow(try #require($1.relationship(named: "manager")?.field), other)
      }
    },
    Change(testDescription: "a to-one link, from the other end") { transaction, row, other in
      _ = try transaction.setMembers(of: transaction.relationship("Person", "reports"), owner: other, to: [row])
    },
    Change(testDescription: "members", relationship: "friends") { transaction, row, other in
      _ = try transaction.setMembers(of: transaction.relationship("Person", "friends"), owner: row, to: [other])
    },
    Change(testDescription: "members, from the other end", relationship: "friends") { transaction, row, other in
      _ = try transaction.setMembers(of: transaction.relationship("Person", "friendOf"), owner: other, to: [row])
    },
    Change(testDescription: "members, by a to-one link of theirs", relationship: "reports") { transaction, row, other in
      _ = try transaction.edit("Person", other) {
        $0.setRow(try #require($1.relationship(named: "manager")?.field), row)
      }
    },
    Change(testDescription: "a deletion") { transaction, row, _ in
      _ = try transaction.delete(row, of: transaction.entity("Person"))
    },
  ]

  @Test(arguments: changes)
  func aChangeRemovesIt(_ change: Change) throws {
    for shown in [nil, "teams", "friends", "reports"] {
      let members = try office.read { snapshot in
        let person = try snapshot.entity("Person")
        return shown.flatMap { person.relationship(named: $0) }.map { person.bit(ofMembers: $0.propertyIndex) } ?? 0
      }
      #expect((members == 0) == (shown == nil))
      let digest = Self.digest("text", showing: members)
      try set(digest, of: row)
      try office.write { [row, manager] in try change.make($0, row, manager) }
      let stays = change.relationship != nil && change.relationship != shown
      #expect(try digests()[row] == (stays ? digest : nil))
      if change.testDescription == "a deletion" { return }
      // Undone, so that it is a change once more.
      try office.write { [row, manager] transaction in
        for name in ["friends", "reports"] {
          for owner in [row, manager] {
            _ = try transaction.setMembers(of: transaction.relationship("Person", name), owner: owner, to: [])
          }
        }
        _ = try transaction.edit("Person", row) { $0.setNull(try #require($1.attribute(named: "age")).field) }
      }
    }
  }

  @Test(arguments: changes)
  func withinATransactionTheOrderDecides(_ change: Change) throws {
    let digest = Self.digest("text", showing: .max)
    try office.write { [row, manager] transaction in
      transaction.setDigest(digest, of: row, try transaction.entity("Person"))
      try change.make(transaction, row, manager)
    }
    #expect(try digests()[row] == nil)
    if change.testDescription == "a deletion" { return }
    try office.write { [row, manager] transaction in
      _ = try transaction.edit("Person", row) { $0.setNull(try #require($1.attribute(named: "age")).field) }
      for owner in [row, manager] {
        _ = try transaction.setMembers(of: transaction.relationship("Person", "friends"), owner: owner, to: [])
        _ = try transaction.setMembers(of: transaction.relationship("Person", "reports"), owner: owner, to: [])
      }
      try change.make(transaction, row, manager)
      transaction.setDigest(digest, of: row, try transaction.entity("Person"))
    }
    #expect(try digests()[row] == digest)
  }

  @Test func aNewRowKeepsItUnlessItIsChanged() throws {
    let digest = Self.digest("text")
    let (kept, changed) = try office.write { transaction in
      let rows = (try transaction.insertPerson("c"), try transaction.insertPerson("d"))
      transaction.setDigest(digest, of: rows.0, try transaction.entity("Person"))
      transaction.setDigest(digest, of: rows.1, try transaction.entity("Person"))
      _ = try transaction.edit("Person", rows.1) { $0.setInt64(try #require($1.attribute(named: "age")).field, 5) }
      return rows
    }
    #expect(try digests() == [kept: digest])
    #expect(kept < changed)
  }

  @Test func anIdentityThatChangesRemovesAllOfTheStore() throws {
    let team = try office.write { transaction in
      try transaction.insert("Team") { $0.setString(try #require($1.attribute(named: "name")).field, "x") }
    }
    try office.write { [row] transaction in
      transaction.setDigest(Self.digest("team"), of: team, try transaction.entity("Team"))
      transaction.setDigest(Self.digest("a"), of: row, try transaction.entity("Person"))
    }
    try office.write { [manager] transaction in
      _ = try transaction.edit("Person", manager) { $0.setString(try #require($1.attribute(named: "id")).field, "z") }
    }
    #expect(try digests().isEmpty)
    #expect(try office.read { try $0.digestCount(of: $0.entity("Team")) } == 0)
  }

  @Test func anUndoneTransactionLeavesThem() throws {
    struct Undo: Error {}
    let digest = Self.digest("text")
    try set(digest, of: row)
    #expect(throws: Undo.self) {
      try office.write { [row] transaction in
        #expect(try transaction.delete(row, of: transaction.entity("Person")))
        throw Undo()
      }
    }
    #expect(try digests() == [row: digest])
  }

  @Test func anotherSchemaRemovesThem() throws {
    let folder = try TemporaryFolder()
    var schema = StoreSchema.office
    let path = folder["store"]
    do {
      let store = try RecordStore(at: path, schema: schema)
      defer { store.close() }
      try store.write { transaction in
        transaction.setDigest(
          Self.digest("a"), of: try transaction.insertPerson("a"), try transaction.entity("Person"))
      }
    }
    func count() throws -> Int {
      let store = try RecordStore(at: path, schema: schema)
      defer { store.close() }
      return try store.read { try $0.digestCount(of: $0.entity("Person")) }
    }
    #expect(try count() == 1)
    schema.entities[0].attributes[2].remoteKey = "years"
    #expect(try count() == 0)
  }

  @Test func damageIsPassedOverAndFound() throws {
    let (digest, other) = (Self.digest("a"), Self.digest("b"))
    try set(digest, of: row)
    try set(other, of: manager)
    let table = try office.store.environment.table("d.1")
    let bytes = row.rawValue.withBytes { [UInt8]($0) }
    try office.store.environment.write { transaction in
      var value = try #require(try transaction.value(for: bytes, in: table))
      value[3] ^= 1
      try transaction.put(value, for: bytes, in: table)
      // Another row's digest, and one of no row.
      let stray = RowNumber(rawValue: 77)
      try transaction.put(
        [UInt8](unsafeUninitializedCapacity: DigestValue.byteCount) { buffer, count in
          DigestValue(digest).write(
            to: UnsafeMutableRawBufferPointer(buffer), row: stray, of: EntityID(rawValue: 1))
          count = DigestValue.byteCount
        }, for: stray.rawValue.withBytes { [UInt8]($0) }, in: table)
    }
    try office.read { snapshot in
      var found: [RowNumber] = []
      try snapshot.forEachDigest(of: snapshot.entity("Person")) { row, _ in found.append(row) }
      #expect(found == [manager, RowNumber(rawValue: 77)])
      #expect(
        try snapshot.checkInvariants() == [
          .damagedEntry(table: "d.1"), .strayDigest(entity: "Person", row: RowNumber(rawValue: 77)),
        ])
    }
  }
}

extension RecordTransaction {
  fileprivate func setDigest(_ digest: RowDigest, of row: RowNumber, _ entity: Entity) {
    setDigests([RowWithDigest(row: row, digest: digest)], entity)
  }
}
