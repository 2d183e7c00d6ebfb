import Testing

@testable import Records

/// A to-one relationship that is not optional leads to a row in every committed state, whatever a transaction does on its way.
@Suite struct RequiredDestinationTests {
  /// People with things that cannot be without them: items and passes know their person from both ends, notes and marks from
  /// theirs only; a file goes with its person. A node leads to another node or to itself.
  private static let schema = StoreSchema(entities: [
    EntityDescription(
      name: "Person", attributes: [],
      relationships: [
        RelationshipDescription(name: "items", destination: "Item", isToMany: true, inverse: "owner"),
        RelationshipDescription(
          name: "pass", destination: "Pass", isToMany: false, inverse: "holder", deleteRule: .noAction),
        RelationshipDescription(
          name: "files", destination: "File", isToMany: true, inverse: "person", deleteRule: .cascade),
      ]),
    dependant("Item", "owner", "Person", inverse: "items"), dependant("Pass", "holder", "Person", inverse: "pass"),
    dependant("Note", "subject", "Person"), dependant("File", "person", "Person", inverse: "files"),
    dependant("Mark", "file", "File"), dependant("Node", "next", "Node"),
  ])

  private static func dependant(
    _ name: String, _ relationship: String, _ destination: String, inverse: String? = nil
  ) -> EntityDescription {
    EntityDescription(
      name: name, attributes: [],
      relationships: [
        RelationshipDescription(
          name: relationship, destination: destination, isToMany: false, isOptional: false, inverse: inverse)
      ])
  }

  private let office: Office

  /// Persons 1 to 3; items 1 and 2 and pass 1 are person 1's, pass 2 is person 2's, file 1 is person 3's.
  init() throws {
    office = try Office(Self.schema)
    try office.write { transaction in
      for _ in 0..<3 { try transaction.make("Person") }
      for _ in 0..<2 { try transaction.make("Item", "owner", 1) }
      try transaction.make("Pass", "holder", 1)
      try transaction.make("Pass", "holder", 2)
      try transaction.make("File", "person", 3)
    }
  }

  /// Every row and where it leads.
  private func contents() throws -> [String] {
    try office.read { snapshot in
      #expect(try snapshot.checkInvariants() == [])
      return try snapshot.catalog.entities.flatMap { entity in
        var rows: [String] = []
        try snapshot.forEachRecord(of: entity) { row, record in
          let destination = entity.relationships.first { !$0.isToMany }?.field.flatMap(record.row)
          rows.append("\(entity.name) \(row.rawValue)" + (destination.map { " to \($0.rawValue)" } ?? ""))
          return .continue
        }
        return rows
      }
    }
  }

  /// A transaction, and the error that it is refused with or the rows that it leaves.
  struct Case<Outcome: Sendable>: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var outcome: Outcome
    var body: @Sendable (RecordTransaction) throws -> Void

    init(_ name: String, _ outcome: Outcome, _ body: @escaping @Sendable (RecordTransaction) throws -> Void) {
      testDescription = name
      self.outcome = outcome
      self.body = body
    }
  }

  private static func missing(_ entity: String, _ row: UInt64, _ relationship: String) -> RecordError {
    .missingDestination(entity: entity, row: RowNumber(rawValue: row), relationship: relationship)
  }

  private static func denied(
    _ entity: String, _ row: UInt64, _ relationship: String, _ blockers: [UInt64]
  ) -> RecordError {
    .deleteDenied(
      entity: entity, row: RowNumber(rawValue: row), relationship: relationship,
      blockers: blockers.map(RowNumber.init(rawValue:)))
  }

  static let refused: [Case<RecordError>] = [
    Case("one-to-many, made without", missing("Item", 3, "Item.owner")) { try $0.make("Item") },
    Case("one-to-one, made without", missing("Pass", 3, "Pass.holder")) { try $0.make("Pass") },
    Case("no inverse, made without", missing("Note", 1, "Note.subject")) { try $0.make("Note") },
    Case("one-to-many, set to none", missing("Item", 2, "Item.owner")) { try $0.set("Item", 2, "owner", nil) },
    Case("one-to-one, set to none", missing("Pass", 1, "Pass.holder")) { try $0.set("Pass", 1, "holder", nil) },
    Case("all members taken out", missing("Item", 1, "Item.owner")) {
      try $0.setMembers("Person", 1, "items", [])
    },
    Case("a member taken out", missing("Item", 2, "Item.owner")) { transaction in
      let items = try transaction.relationship("Person", "items")
      _ = try transaction.removeMembers([RowNumber(rawValue: 2)], of: items, owner: RowNumber(rawValue: 1))
    },
    Case("partner lets go", missing("Pass", 1, "Pass.holder")) { try $0.set("Person", 1, "pass", nil) },
    Case("partner takes another", missing("Pass", 1, "Pass.holder")) { try $0.set("Person", 1, "pass", 2) },
    Case("partner is taken", missing("Pass", 1, "Pass.holder")) { try $0.set("Pass", 2, "holder", 1) },
    Case("partner is taken by a new row", missing("Pass", 1, "Pass.holder")) {
      try $0.make("Pass", "holder", 1)
    },
    Case("destination deleted, nullify", denied("Person", 1, "Item.owner", [1, 2])) { transaction in
      try transaction.delete("Pass", 1)
      try transaction.delete("Person", 1)
    },
    Case("destination deleted, no action", denied("Person", 2, "Pass.holder", [2])) {
      try $0.delete("Person", 2)
    },
    Case("destination deleted, no inverse", denied("Person", 3, "Note.subject", [1])) { transaction in
      try transaction.make("Note", "subject", 3)
      try transaction.delete("Person", 3)
    },
    Case("destination deleted by a cascade", denied("File", 1, "Mark.file", [1, 2])) { transaction in
      for _ in 0..<2 { try transaction.make("Mark", "file", 1) }
      try transaction.delete("Person", 3)
    },
    Case("one of two deleted after it", denied("Person", 1, "Item.owner", [2])) { transaction in
      try transaction.delete("Person", 1)
      try transaction.delete("Item", 1)
      try transaction.delete("Pass", 1)
    },
    Case("new destination deleted too", denied("Person", 3, "Item.owner", [2])) { transaction in
      try transaction.set("Item", 2, "owner", 3)
      try transaction.delete("Person", 3)
    },
  ]

  @Test(arguments: refused)
  func transactionThatLeavesARowWithoutItsDestinationIsRefused(transaction: Case<RecordError>) throws {
    let before = try contents()
    #expect(throws: transaction.outcome) { try office.write(transaction.body) }
    #expect(try contents() == before)
  }

  static let committed: [Case<[String]>] = [
    Case("dependants deleted first", ["Person 2 to 2", "Person 3", "Pass 2 to 2", "File 1 to 3"]) { transaction in
      for row in [1, 2] as [UInt64] { try transaction.delete("Item", row) }
      try transaction.delete("Pass", 1)
      try transaction.delete("Person", 1)
    },
    Case("dependants deleted after it", ["Person 2 to 2", "Person 3", "Pass 2 to 2", "File 1 to 3"]) { transaction in
      try transaction.delete("Person", 1)
      try transaction.delete("Pass", 1)
      for row in [1, 2] as [UInt64] { try transaction.delete("Item", row) }
    },
    Case(
      "dependants moved before it is deleted",
      ["Person 2 to 2", "Person 3 to 1", "Item 1 to 3", "Item 2 to 3", "Pass 1 to 3", "Pass 2 to 2", "File 1 to 3"]
    ) { transaction in
      try transaction.setMembers("Person", 3, "items", [2, 1])
      try transaction.set("Pass", 1, "holder", 3)
      try transaction.delete("Person", 1)
    },
    Case(
      "dependants moved after it was deleted",
      ["Person 2 to 2", "Person 3 to 1", "Item 1 to 2", "Item 2 to 3", "Pass 1 to 3", "Pass 2 to 2", "File 1 to 3"]
    ) { transaction in
      try transaction.delete("Person", 1)
      try transaction.set("Item", 1, "owner", 2)
      try transaction.setMembers("Person", 3, "items", [2])
      try transaction.set("Person", 3, "pass", 1)
    },
    Case("cascade", ["Person 1 to 1", "Person 2 to 2", "Item 1 to 1", "Item 2 to 1", "Pass 1 to 1", "Pass 2 to 2"]) {
      try $0.delete("Person", 3)
    },
    Case(
      "dependants of a cascade deleted after it",
      ["Person 1 to 1", "Person 2 to 2", "Item 1 to 1", "Item 2 to 1", "Pass 1 to 1", "Pass 2 to 2"]
    ) { transaction in
      try transaction.make("Mark", "file", 1)
      try transaction.delete("Person", 3)
      try transaction.delete("Mark", 1)
    },
    Case(
      "partners swapped, one after the other",
      [
        "Person 1 to 2", "Person 2 to 1", "Person 3", "Item 1 to 1", "Item 2 to 1", "Pass 1 to 2", "Pass 2 to 1",
        "File 1 to 3",
      ]
    ) { transaction in
      try transaction.set("Person", 1, "pass", 2)
      try transaction.set("Person", 2, "pass", 1)
    },
    Case(
      "made before the destination",
      [
        "Person 1 to 1", "Person 2 to 2", "Person 3", "Person 4", "Item 1 to 1", "Item 2 to 1", "Item 3 to 4",
        "Pass 1 to 1", "Pass 2 to 2", "Note 1 to 4", "File 1 to 3",
      ]
    ) { transaction in
      try transaction.make("Item")
      try transaction.make("Note")
      try transaction.make("Person")
      try transaction.setMembers("Person", 4, "items", [3])
      try transaction.set("Note", 1, "subject", 4)
    },
    Case(
      "made without and deleted again",
      [
        "Person 1 to 1", "Person 2 to 2", "Person 3", "Item 1 to 1", "Item 2 to 1", "Pass 1 to 1", "Pass 2 to 2",
        "File 1 to 3",
      ]
    ) { transaction in
      try transaction.make("Note")
      try transaction.delete("Note", 1)
    },
    Case(
      "leads to itself, and is deleted",
      [
        "Person 1 to 1", "Person 2 to 2", "Person 3", "Item 1 to 1", "Item 2 to 1", "Pass 1 to 1", "Pass 2 to 2",
        "File 1 to 3", "Node 2 to 2",
      ]
    ) { transaction in
      try transaction.make("Node")
      try transaction.set("Node", 1, "next", 1)
      try transaction.make("Node", "next", 1)
      try transaction.delete("Node", 1)
      try transaction.set("Node", 2, "next", 2)
    },
  ]

  @Test(arguments: committed)
  func transactionThatMakesUpForItIsCommitted(transaction: Case<[String]>) throws {
    try office.write(transaction.body)
    #expect(try contents() == transaction.outcome)
  }

  @Test func refusalsNameWhatIsInTheWay() {
    #expect(
      Self.denied("Person", 1, "Item.owner", [3, 4]).description
        == "Person row 1 cannot be deleted while Item.owner links it to rows 3, 4.")
    #expect(
      Self.missing("Item", 3, "Item.owner").description
        == "Item row 3 has no destination for Item.owner, which is required.")
  }

  @Test func rowWithoutItsDestinationIsAViolation() throws {
    // Within a transaction it may be, and the check sees it.
    let violation = InvariantViolation.missingDestination(
      entity: "Note", row: RowNumber(rawValue: 1), relationship: "Note.subject")
    try office.write { transaction in
      try transaction.make("Note")
      #expect(try transaction.checkInvariants() == [violation])
      try transaction.set("Note", 1, "subject", 1)
      #expect(try transaction.checkInvariants() == [])
    }
  }
}

extension RecordTransaction {
  fileprivate func make(_ entity: String, _ relationship: String? = nil, _ target: UInt64 = 0) throws {
    _ = try insert(entity) { builder, entity in
      guard let relationship else { return }
      let field = try #require(entity.relationship(named: relationship)?.field)
      builder.setRow(field, RowNumber(rawValue: target))
    }
  }

  fileprivate func set(_ entity: String, _ row: UInt64, _ relationship: String, _ target: UInt64?) throws {
    _ = try edit(entity, RowNumber(rawValue: row)) { builder, entity in
      let field = try #require(entity.relationship(named: relationship)?.field)
      builder.setRow(field, target.map(RowNumber.init(rawValue:)))
    }
  }

  fileprivate func setMembers(_ entity: String, _ row: UInt64, _ relationship: String, _ members: [UInt64]) throws {
    _ = try setMembers(
      of: self.relationship(entity, relationship), owner: RowNumber(rawValue: row),
      to: members.map(RowNumber.init(rawValue:)))
  }

  fileprivate func delete(_ entity: String, _ row: UInt64) throws {
    #expect(try delete(RowNumber(rawValue: row), of: self.entity(entity)))
  }
}
