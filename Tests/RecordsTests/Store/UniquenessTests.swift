import Testing

@testable import Records

/// What is unique occurs once; a second one is refused with an error that names both rows.
@Suite struct UniquenessTests {
  private let office: Office

  init() throws {
    office = try Office()
  }

  private func row(_ number: UInt64) -> RowNumber { RowNumber(rawValue: number) }

  private func conflict(_ attributes: [String], _ value: String, _ first: UInt64, _ second: UInt64) -> RecordError {
    .uniqueConflict(
      entity: "Person", attributes: attributes, value: value, row: row(first), otherRow: row(second))
  }

  @Test func secondRowWithAValueIsRefused() throws {
    let first = try office.write { try $0.insertPerson("a") }
    #expect(throws: conflict(["id"], "\"a\"", first.rawValue, 2)) { try office.write { try $0.insertPerson("a") } }
    #expect(try office.read { try $0.count(of: $0.entity("Person")) } == 1)
  }

  @Test func conflictInsideOfOneTransaction() throws {
    #expect(throws: conflict(["id"], "\"a\"", 1, 2)) {
      try office.write { transaction in
        _ = try transaction.insertPerson("a")
        _ = try transaction.insertPerson("a")
      }
    }
  }

  @Test func spellingsOfOneTextConflict() throws {
    #expect(throws: RecordError.self) {
      try office.write { transaction in
        _ = try transaction.insertPerson("caf\u{E9}")
        _ = try transaction.insertPerson("cafe\u{301}")
      }
    }
  }

  @Test func longTextsConflictToo() throws {
    let long = String(repeating: "x", count: 2000)
    try office.write { transaction in
      _ = try transaction.insertPerson(long + "1")
      _ = try transaction.insertPerson(long + "2")
    }
    #expect(throws: conflict(["id"], "\"\(long)1\"", 1, 3)) { try office.write { try $0.insertPerson(long + "1") } }
  }

  @Test func nullsNeverConflict() throws {
    try office.write { transaction in
      _ = try transaction.insertPerson("a")
      _ = try transaction.insertPerson("b")
    }
    let rows = try office.read { snapshot in
      try snapshot.rows(where: snapshot.index("Person", ["nick"]), equals: [.null])
    }
    #expect(rows == [row(1), row(2)])
  }

  @Test(arguments: [
    (Int64?.some(2020), "x", true), (2020, "y", false), (2021, "x", false), (nil, "x", false),
  ])
  func compoundConstraintComparesAllValuesTogether(year: Int64?, name: String, isConflict: Bool) throws {
    @Sendable func insertTeam(_ transaction: RecordTransaction, _ year: Int64?, _ name: String) throws {
      _ = try transaction.insert("Team") { builder, team in
        builder.setString(try #require(team.attribute(named: "name")).field, name)
        if let year { builder.setInt64(try #require(team.attribute(named: "year")).field, year) }
      }
    }
    try office.write { try insertTeam($0, 2020, "x") }
    try office.write { try insertTeam($0, nil, "x") }
    if isConflict {
      #expect(
        throws: RecordError.uniqueConflict(
          entity: "Team", attributes: ["year", "name"], value: "2020, \"x\"", row: row(1), otherRow: row(3))
      ) { try office.write { try insertTeam($0, year, name) } }
    } else {
      try office.write { try insertTeam($0, year, name) }
    }
  }

  @Test func rowsMaySwapTheirValuesInOneTransaction() throws {
    let rows = try office.write { [try $0.insertPerson("a"), try $0.insertPerson("b")] }
    try office.write { transaction in
      for (row, id) in zip(rows, ["b", "a"]) {
        _ = try transaction.edit("Person", row) { builder, _ in builder.setString(0, id) }
      }
    }
    let found = try office.read { snapshot in
      try snapshot.firstRow(where: snapshot.index("Person", ["id"]), equals: [.string("a")])
    }
    #expect(found == rows[1])
    #expect(try office.read { try $0.checkInvariants() } == [])
  }

  @Test func valueOfADeletedRowIsFree() throws {
    let rows = try office.write { transaction in
      let first = try transaction.insertPerson("a")
      _ = try transaction.delete(first, of: transaction.entity("Person"))
      return [first, try transaction.insertPerson("a")]
    }
    #expect(try office.read { try $0.contains(rows[1], of: $0.entity("Person")) })
    #expect(try office.read { try $0.checkInvariants() } == [])
  }

  @Test func caughtConflictDoesNotLetTheTransactionCommit() throws {
    #expect(throws: conflict(["id"], "\"a\"", 1, 2)) {
      try office.write { transaction in
        _ = try transaction.insertPerson("a")
        _ = try transaction.insertPerson("a")
        _ = try? transaction.rows(where: transaction.index("Person", ["id"]), equals: [.string("a")])
      }
    }
    #expect(try office.read { try $0.count(of: $0.entity("Person")) } == 0)
  }

  @Test func missingRequiredValueIsRefusedAndChangesNothing() throws {
    let error = RecordError.missingRequiredValue(entity: "Person", attribute: "id")
    try office.write { transaction in
      #expect(throws: error) { try transaction.insert("Person") { _, _ in } }
      let row = try transaction.insertPerson("a")
      #expect(throws: error) { try transaction.edit("Person", row) { builder, _ in builder.setNull(0) } }
    }
    #expect(try office.read { try $0.count(of: $0.entity("Person")) } == 1)
  }
}
