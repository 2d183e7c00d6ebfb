import Foundation
import Testing

@testable import Records

/// What a stage leaves is judged, and not what it begins with.
@Suite struct StageConstraintTests {
  private static let before = StoreSchema(entities: [
    EntityDescription(
      name: "Task",
      attributes: [
        AttributeDescription(name: "id", type: .int64, options: .unique),
        AttributeDescription(name: "title", type: .string, isOptional: true),
      ], identity: "id"),
    EntityDescription(name: "User", attributes: [AttributeDescription(name: "name", type: .string)]),
  ])

  private static let after: StoreSchema = {
    var schema = before
    schema.entities[0].attributes[1].isOptional = false
    schema.entities[0].attributes += [
      AttributeDescription(name: "weight", type: .double),
      AttributeDescription(name: "code", type: .string, options: .unique, defaultValue: .string("new")),
    ]
    schema.entities[0].relationships = [
      RelationshipDescription(name: "owner", destination: "User", isToMany: false, isOptional: false)
    ]
    schema.entities[0].uniquenessConstraints = [["title", "weight"]]
    return schema
  }()

  private static func plan(_ didMigrate: @escaping MigrationPlan.Stage.Work) -> SchemaGoal {
    let (v1, v2) = (SchemaVersion(1, 0, 0), SchemaVersion(2, 0, 0))
    return .plan(
      MigrationPlan(
        versions: [MigrationPlan.Version(v1, before), MigrationPlan.Version(v2, after)],
        stages: [MigrationPlan.Stage(from: v1, to: v2, mayReplaceProperties: true, didMigrate: didMigrate)], target: v2)
    )
  }

  private static func makeStore() throws -> EvolvingStore {
    let folder = try EvolvingStore()
    let store = try folder.open(.schema(before, version: SchemaVersion(1, 0, 0)))
    defer { store.close() }
    try store.write { transaction in
      try transaction.add("User", ["name": .string("ann")])
      try transaction.add("Task", ["id": .int(1), "title": .string("one")])
      try transaction.add("Task", ["id": .int(2)])
      try transaction.add("Task", ["id": .int(3), "title": .string("one")])
    }
    return folder
  }

  /// Gives rows what is in the table; the owner is the one user.
  private static func fill(_ values: [UInt64: [String: FieldValue]]) -> MigrationPlan.Stage.Work {
    { store in
      try store.write { transaction in
        for (row, values) in values.sorted(by: { $0.key < $1.key }) {
          _ = try transaction.edit("Task", RowNumber(rawValue: row)) { builder, entity in
            for (name, value) in values {
              let field = try #require(entity.attribute(named: name)?.field ?? entity.relationship(named: name)?.field)
              let isSet = builder.set(field, value)
              #expect(isSet)
            }
          }
        }
      }
    }
  }

  private static let whole: [UInt64: [String: FieldValue]] = [
    1: ["weight": .double(1), "code": .string("a"), "owner": .uint(1)],
    2: ["title": .string("two"), "weight": .double(1), "code": .string("b"), "owner": .uint(1)],
    3: ["weight": .double(2), "owner": .uint(1)],
  ]

  @Test func whatMustNotBeEmptyIsFilledByTheStage() throws {
    let folder = try Self.makeStore()
    let goal = Self.plan { store in
      // Indexes of constraints that do not hold yet lead to all rows.
      let rows = try store.rows("Task", inOrderOf: ["code"])
      #expect(rows == [1, 2, 3])
      try Self.fill(Self.whole)(store)
      #expect(try store.rows("Task", inOrderOf: ["code"]) == [1, 2, 3])
    }
    let store = try folder.open(goal)
    defer { store.close() }
    #expect(
      try store.rows("Task") == [
        1: ["id": "1", "title": "\"one\"", "weight": "1.0", "code": "\"a\"", "owner": "1"],
        2: ["id": "2", "title": "\"two\"", "weight": "1.0", "code": "\"b\"", "owner": "1"],
        3: ["id": "3", "title": "\"one\"", "weight": "2.0", "code": "\"new\"", "owner": "1"],
      ])
    #expect(try store.rows("Task", inOrderOf: ["title", "weight"]) == [1, 3, 2])
    #expect(try store.violations() == [])
    #expect(
      throws: RecordError.uniqueConflict(
        entity: "Task", attributes: ["code"], value: "\"b\"", row: RowNumber(rawValue: 2),
        otherRow: RowNumber(rawValue: 3))
    ) { try Self.fill([3: ["code": .string("b")]])(store) }
  }

  @Test func rowsThatLackSomethingMayBeDeleted() throws {
    let folder = try Self.makeStore()
    let store = try folder.open(
      Self.plan { store in
        try store.write { transaction in
          for row in 1...3 {
            _ = try transaction.delete(RowNumber(rawValue: UInt64(row)), of: transaction.entity("Task"))
          }
        }
      })
    defer { store.close() }
    #expect(try store.rows("Task") == [:])
    #expect(try store.violations() == [])
  }

  struct Omission: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var error: RecordError
    var values: [UInt64: [String: FieldValue]]
  }

  static let omissions: [Omission] = {
    let (first, second) = (RowNumber(rawValue: 1), RowNumber(rawValue: 2))
    var withoutOwner = whole
    withoutOwner[2]?["owner"] = nil
    var conflicting = whole
    conflicting[2]?["code"] = .string("a")
    var jointlyConflicting = whole
    jointlyConflicting[3]?["weight"] = .double(1)
    var untouched = whole
    untouched[2] = nil
    return [
      Omission(
        testDescription: "nothing is filled",
        error: .schemaMismatch([
          .valueMissing(entity: "Task", attribute: "weight", row: first),
          .valueMissing(entity: "Task", attribute: "title", row: second),
        ]), values: [:]),
      Omission(
        testDescription: "a row is left out",
        error: .schemaMismatch([
          .valueMissing(entity: "Task", attribute: "title", row: second),
          .valueMissing(entity: "Task", attribute: "weight", row: second),
        ]), values: untouched),
      Omission(
        testDescription: "a row has no destination",
        error: .schemaMismatch([.destinationMissing(entity: "Task", relationship: "owner", row: second)]),
        values: withoutOwner),
      Omission(
        testDescription: "two rows have one value",
        error: .uniqueConflict(
          entity: "Task", attributes: ["code"], value: "\"a\"", row: first, otherRow: second), values: conflicting),
      Omission(
        testDescription: "two rows have the same values",
        error: .uniqueConflict(
          entity: "Task", attributes: ["title", "weight"], value: "\"one\", 1.0", row: first,
          otherRow: RowNumber(rawValue: 3)), values: jointlyConflicting),
    ]
  }()

  @Test(arguments: omissions)
  func whatTheStageLeavesOutIsNamed(omission: Omission) throws {
    let folder = try Self.makeStore()
    let contents = try folder.contents()
    for _ in 0..<2 {
      #expect(throws: omission.error) { try folder.open(Self.plan(Self.fill(omission.values))) }
      #expect(try folder.contents() == contents)
    }
    try folder.open(Self.plan(Self.fill(Self.whole))).close()
  }
}
