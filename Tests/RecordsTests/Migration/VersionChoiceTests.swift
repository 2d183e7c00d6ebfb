import Synchronization
import Testing

@testable import Records

/// A store without a version is taken for one of the plan's by its structure: for the oldest of those that name its entities.
@Suite struct VersionChoiceTests {
  private static let text = [AttributeDescription(name: "text", type: .string)]
  private static let task = EntityDescription(name: "Task", attributes: text)
  private static let note = EntityDescription(name: "Note", attributes: text)
  private static let wideTask = EntityDescription(
    name: "Task", attributes: text + [AttributeDescription(name: "n", type: .int8, isOptional: true)])
  private static let foreign = EntityDescription(name: "Foreign", attributes: text)

  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var stored: [EntityDescription]
    /// The versions 1, 2, …; the last is the target.
    var versions: [[EntityDescription]]
    /// The versions that stages lead from.
    var passed: [Int]
  }

  static let cases = [
    Case(
      testDescription: "stages that change only values are not left out", stored: [task],
      versions: [[task], [task], [wideTask]], passed: [1, 2]),
    Case(
      testDescription: "the last version, if only that fits", stored: [wideTask],
      versions: [[task], [task], [wideTask]], passed: []),
    Case(
      testDescription: "an entity that a version does not know speaks for a later one", stored: [task, note],
      versions: [[task], [task, note]], passed: []),
    Case(
      testDescription: "an entity that a version does not know any more speaks for an earlier one",
      stored: [task, note], versions: [[task, note], [task]], passed: [1]),
    Case(
      testDescription: "an entity that no version knows says nothing", stored: [task, foreign],
      versions: [[task], [task], [task, note]], passed: [1, 2]),
  ]

  @Test(arguments: cases)
  func storeStartsAtTheVersion(choice: Case) throws {
    let folder = try EvolvingStore()
    try folder.open(StoreSchema(entities: choice.stored)).close()
    let passed = Mutex<[Int]>([])
    let numbers = choice.versions.indices.map { SchemaVersion($0 + 1, 0, 0) }
    let stages = numbers.indices.dropLast().map { place in
      MigrationPlan.Stage(
        from: numbers[place], to: numbers[place + 1],
        willMigrate: { _ in passed.withLock { $0.append(place + 1) } })
    }
    let plan = MigrationPlan(
      versions: zip(numbers, choice.versions).map { MigrationPlan.Version($0, StoreSchema(entities: $1)) },
      stages: stages, target: SchemaVersion(choice.versions.count, 0, 0))
    for _ in 0..<2 { try folder.open(.plan(plan)).close() }
    #expect(passed.withLock { $0 } == choice.passed)
  }
}
