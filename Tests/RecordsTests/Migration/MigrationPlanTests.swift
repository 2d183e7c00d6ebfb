import Foundation
import KeyValueStore
import Synchronization
import TestSupport
import Testing

@testable import Records

/// A store goes from whatever version it has to the plan's target, in one transaction.
@Suite struct MigrationPlanTests {
  private static let v1 = SchemaVersion(1, 0, 0)
  private static let v2 = SchemaVersion(2, 0, 0)
  private static let v3 = SchemaVersion(2, 1, 0)

  private static func schema(_ attributes: [AttributeDescription], others: [String] = []) -> StoreSchema {
    StoreSchema(
      entities: [EntityDescription(name: "Task", attributes: attributes, indexes: [[attributes[0].name]])]
        + others.map { EntityDescription(name: $0, attributes: [AttributeDescription(name: "text", type: .string)]) })
  }

  /// The amount is a text, then has another name, then is a number; the entity Note goes on the way.
  private static let versions = [
    MigrationPlan.Version(v1, schema([AttributeDescription(name: "amount", type: .string)], others: ["Note"])),
    MigrationPlan.Version(
      v2,
      schema([AttributeDescription(name: "sum", type: .string, originalName: "amount")], others: ["Note", "Label"])),
    MigrationPlan.Version(
      v3, schema([AttributeDescription(name: "sum", type: .int64, isOptional: true)], others: ["Label"])),
  ]

  private static func plan(
    willMigrate: MigrationPlan.Stage.Work? = nil, didMigrate: MigrationPlan.Stage.Work? = nil
  ) -> MigrationPlan {
    MigrationPlan(
      versions: versions,
      stages: [
        MigrationPlan.Stage(from: v1, to: v2),
        MigrationPlan.Stage(
          from: v2, to: v3, mayReplaceProperties: true, willMigrate: willMigrate, didMigrate: didMigrate),
      ], target: v3)
  }

  /// Turns the texts into numbers: read before, written after.
  private static func converting() -> MigrationPlan {
    let sums = Mutex<[UInt64: Int64]>([:])
    return plan { store in
      let rows = try store.read { try $0.rows("Task") }
      sums.withLock { $0 = rows.mapValues { Int64($0["sum"]?.filter(\.isNumber) ?? "") ?? 0 } }
    } didMigrate: { store in
      try store.write { transaction in
        for (row, sum) in sums.withLock({ $0 }) {
          _ = try transaction.edit("Task", RowNumber(rawValue: row)) { builder, _ in builder.setInt64(0, sum) }
        }
      }
    }
  }

  private func makeStore(_ folder: EvolvingStore, _ goal: SchemaGoal) throws {
    let store = try folder.open(goal)
    defer { store.close() }
    try store.write { transaction in
      let name = try transaction.entity("Task").attributes[0].name
      for amount in ["12", "7", "30"] { try transaction.add("Task", [name: .string(amount)]) }
      try transaction.add("Note", ["text": .string("gone later")])
    }
  }

  @Test(arguments: [
    SchemaGoal.schema(versions[0].schema, version: v1), .schema(versions[0].schema, version: nil),
    .schema(versions[1].schema, version: v2), .schema(versions[1].schema, version: nil),
  ])
  func storeOfEachVersionReachesTheTarget(start: SchemaGoal) throws {
    let folder = try EvolvingStore()
    try makeStore(folder, start)
    for attempt in 0..<2 {
      let store = try folder.open(.plan(Self.converting()))
      defer { store.close() }
      #expect(store.catalog.document.schemaVersion == Self.v3)
      #expect(store.catalog.entities.map(\.name) == ["Task", "Label"])
      #expect(try store.rows("Task") == [1: ["sum": "12"], 2: ["sum": "7"], 3: ["sum": "30"]])
      #expect(try store.rows("Task", inOrderOf: ["sum"]) == [2, 1, 3])
      #expect(try store.violations() == [])
      if attempt == 1 { #expect(store.environment.metrics.commits == 0) }
    }
    // Nothing of the deleted entity is left.
    #expect(try folder.contents()["r.2"] == nil)
  }

  @Test func newStoreHasTheTargetAtOnce() throws {
    let folder = try EvolvingStore()
    let store = try folder.open(.plan(Self.plan { _ in Issue.record("There is nothing to migrate.") }))
    defer { store.close() }
    #expect(store.catalog.document.schemaVersion == Self.v3)
    #expect(store.catalog.document.nextEntityID == 3)
  }

  @Test func entitiesThatNoVersionNamesStay() throws {
    let folder = try EvolvingStore()
    try makeStore(folder, .schema(Self.versions[0].schema, version: Self.v1))
    let foreign = StoreSchema(entities: [
      EntityDescription(name: "Other", attributes: [AttributeDescription(name: "n", type: .int8)])
    ])
    try folder.with(foreign) { store in _ = try store.write { try $0.add("Other", ["n": .int(5)]) } }
    let store = try folder.open(.plan(Self.converting()))
    defer { store.close() }
    #expect(try store.rows("Other") == [1: ["n": "5"]])
  }

  // MARK: Failures

  private struct Refusal: Error, Equatable {}

  @Test func failureUndoesEveryStage() throws {
    let folder = try EvolvingStore()
    try makeStore(folder, .schema(Self.versions[0].schema, version: Self.v1))
    let contents = try folder.contents()
    let change: MigrationPlan.Stage.Work = { store in
      try store.write { _ = try $0.delete(RowNumber(rawValue: 2), of: $0.entity("Task")) }
      throw Refusal()
    }
    for plan in [Self.plan(willMigrate: change), Self.plan(didMigrate: change)] {
      #expect(throws: Refusal()) { try folder.open(.plan(plan)) }
      #expect(try folder.contents() == contents)
    }
    let store = try folder.open(.plan(Self.converting()))
    defer { store.close() }
    #expect(try store.rows("Task").count == 3)
  }

  @Test func writeThatFailsInsideIsUndoneByItself() throws {
    let folder = try EvolvingStore()
    try makeStore(folder, .schema(Self.versions[1].schema, version: Self.v2))
    let plan = Self.plan { store in
      try store.write { try $0.add("Task", ["sum": .string("1")]) }
      #expect(throws: Refusal()) {
        try store.write { transaction in
          try transaction.add("Task", ["sum": .string("2")])
          throw Refusal()
        }
      }
      try store.write { try $0.add("Task", ["sum": .string("3")]) }
      #expect(
        try store.rows("Task").mapValues { $0["sum"] } == [
          1: "\"12\"", 2: "\"7\"", 3: "\"30\"", 4: "\"1\"", 5: "\"3\"",
        ])
    }
    let store = try folder.open(.plan(plan))
    defer { store.close() }
    #expect(try store.rows("Task").count == 5)
    #expect(try store.violations() == [])
  }

  @Test func storeOfAMigrationIsUsedOnlyInside() throws {
    let folder = try EvolvingStore()
    try makeStore(folder, .schema(Self.versions[1].schema, version: Self.v2))
    let kept = Mutex<RecordStore?>(nil)
    let plan = Self.plan { store in
      kept.withLock { $0 = store }
      let isDone = DispatchSemaphore(value: 0)
      Thread.detachNewThread {
        #expect(throws: RecordError.migrationOver) { try store.rows("Task") }
        isDone.signal()
      }
      isDone.wait()
    }
    let store = try folder.open(.plan(plan))
    defer { store.close() }
    let escaped = try #require(kept.withLock { $0 })
    #expect(throws: RecordError.migrationOver) { try escaped.rows("Task") }
    #expect(throws: RecordError.migrationOver) { try escaped.write { _ in } }
    escaped.close()
    #expect(try store.rows("Task").count == 3)
  }

  @Test func constraintsHoldInsideToo() throws {
    let folder = try EvolvingStore()
    try makeStore(folder, .schema(Self.versions[1].schema, version: Self.v2))
    let contents = try folder.contents()
    let plan = Self.plan { store in try store.write { try $0.add("Task", [:]) } }
    #expect(throws: RecordError.missingRequiredValue(entity: "Task", attribute: "sum")) { try folder.open(.plan(plan)) }
    #expect(try folder.contents() == contents)
  }

  // MARK: Versions

  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var start: SchemaGoal
    var goal: SchemaGoal
    var error: RecordError
  }

  static let refusals: [Case] = {
    let later = SchemaVersion(3, 0, 0)
    let between = SchemaVersion(2, 0, 5)
    let all = [v1, v2, v3]
    var gap = plan()
    gap.stages.removeLast()
    var cycle = gap
    cycle.stages.append(MigrationPlan.Stage(from: v2, to: v1))
    return [
      Case(
        testDescription: "a store from the future", start: .schema(versions[0].schema, version: later),
        goal: .plan(plan()), error: .newerSchema(stored: later, known: all)),
      Case(
        testDescription: "a store from the future, without a plan", start: .schema(versions[0].schema, version: v2),
        goal: .schema(versions[0].schema, version: v1), error: .newerSchema(stored: v2, known: [v1])),
      Case(
        testDescription: "a version that the plan skips", start: .schema(versions[0].schema, version: between),
        goal: .plan(plan()), error: .unknownSchema(stored: between, known: all)),
      Case(
        testDescription: "a structure of no version",
        start: .schema(
          schema([AttributeDescription(name: "amount", type: .string, isOptional: true)], others: ["Note"]),
          version: nil),
        goal: .plan(plan()), error: .unknownSchema(stored: nil, known: all)),
      Case(
        testDescription: "no stage leads on", start: .schema(versions[0].schema, version: v1), goal: .plan(gap),
        error: .noMigrationStage(from: v2, to: v3)),
      Case(
        testDescription: "stages lead back", start: .schema(versions[0].schema, version: v1), goal: .plan(cycle),
        error: .noMigrationStage(from: v1, to: v3)),
    ]
  }()

  @Test(arguments: refusals)
  func versionIsRefused(refusal: Case) throws {
    let folder = try EvolvingStore()
    try makeStoreWithoutNotes(folder, refusal.start)
    let contents = try folder.contents()
    #expect(throws: refusal.error) { try folder.open(refusal.goal) }
    #expect(try folder.contents() == contents)
    #expect(refusal.error.description.hasSuffix("."))
  }

  private func makeStoreWithoutNotes(_ folder: EvolvingStore, _ goal: SchemaGoal) throws {
    let store = try folder.open(goal)
    defer { store.close() }
    try store.write { try $0.add("Task", ["amount": .string("1")]) }
  }

  @Test func changesWithoutANewNumberAreFollowedFirst() throws {
    let folder = try EvolvingStore()
    var early = Self.versions[0].schema
    early.entities[0].indexes = []
    try makeStore(folder, .schema(early, version: Self.v1))
    let store = try folder.open(.plan(Self.converting()))
    defer { store.close() }
    #expect(try store.rows("Task", inOrderOf: ["sum"]) == [2, 1, 3])
  }

  @Test func schemaWithoutAVersionEndsTheOneThatTheStoreHad() throws {
    let folder = try EvolvingStore()
    let schema = Self.versions[0].schema
    try folder.open(.schema(schema, version: Self.v1)).close()
    let same = try folder.open(.schema(schema, version: nil))
    #expect(same.catalog.document.schemaVersion == Self.v1)
    same.close()
    var changed = schema
    changed.entities[0].indexes = []
    let other = try folder.open(.schema(changed, version: nil))
    defer { other.close() }
    #expect(other.catalog.document.schemaVersion == nil)
  }
}
