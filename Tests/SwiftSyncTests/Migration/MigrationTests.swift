import Foundation
import Synchronization
import TestSupport
import Testing

@testable import SwiftSync

@Suite("Migrations: stores of earlier declarations, by themselves and by plans")
struct MigrationTests {
  private let folder: TemporaryFolder
  private let configuration: ModelConfiguration

  init() throws {
    folder = try TemporaryFolder()
    configuration = ModelConfiguration(url: URL(fileURLWithPath: folder["store"]))
  }

  private func makeFirstVersion(_ schema: Schema = Schema(versionedSchema: TripsV1.self)) throws {
    let container = try ModelContainer(for: schema, configurations: configuration)
    defer { container.close() }
    let context = ModelContext(container)
    for (id, name, price) in [(1, "Rome", "120"), (2, "Oslo", "80 or so")] {
      let stops = (0..<id).map { TripsV1.Stop(place: "\(name) \($0)") }
      context.insert(TripsV1.Trip(id: id, name: name, price: price, stops: stops))
    }
    try context.save()
  }

  /// Two stages; the second reads before what it writes after.
  enum Plan: SchemaMigrationPlan {
    static let schemas: [any VersionedSchema.Type] = [TripsV1.self, TripsV2.self, TripsV3.self]
    static let stages: [MigrationStage] = [
      .lightweight(fromVersion: TripsV1.self, toVersion: TripsV2.self),
      .custom(
        fromVersion: TripsV2.self, toVersion: TripsV3.self,
        willMigrate: { context in
          let trips = try context.fetch(FetchDescriptor<TripsV2.Trip>())
          read.withLock { read in
            read = [:]
            for trip in trips { read[trip.id] = (trip.price.flatMap { Int($0) }, trip.halts.map(\.place)) }
          }
        },
        didMigrate: { context in
          for trip in try context.fetch(FetchDescriptor<TripsV3.Trip>()) {
            guard let values = read.withLock({ $0[trip.id] }) else { continue }
            trip.price = values.price
            trip.places = values.places
          }
        }),
    ]
    private static let read = Mutex<[Double: (price: Int?, places: [String])]>([:])
  }

  @Test func additionsRenamesAndWiderNumbersNeedNoPlan() throws {
    try makeFirstVersion(Schema([TripsV1.Trip.self]))
    let container = try ModelContainer(for: TripsV2.Trip.self, configurations: configuration)
    defer { container.close() }
    let context = ModelContext(container)
    let trips = try context.fetch(FetchDescriptor<TripsV2.Trip>(sortBy: [SortDescriptor(\.id)]))
    #expect(trips.map(\.id) == [1, 2])
    #expect(trips.map(\.title) == ["Rome", "Oslo"])
    #expect(trips.map(\.price) == ["120", "80 or so"])
    #expect(trips.allSatisfy { $0.kind == .leisure && $0.optionalKind == .work && $0.rating == TripsV2.Rating() })
    #expect(trips.allSatisfy { $0.tags == ["new"] && $0.budget == 12.5 && $0.limit == .max && $0.note == nil })
    #expect(trips.map { $0.halts.map(\.place) } == [["Rome 0"], ["Oslo 0", "Oslo 1"]])
    #expect(trips.allSatisfy { $0.guides.isEmpty })

    // Objects of both forms are edited and saved as any.
    trips[0].tags.append("seen")
    trips[1].guides = trips[1].halts
    context.insert(TripsV2.Trip(id: 2.5, title: "Bonn"))
    try context.save()
    #expect(try context.fetchCount(FetchDescriptor<TripsV2.Trip>(predicate: #Predicate { $0.limit == 5 })) == 0)
    #expect(try container.core.store.read { try $0.checkInvariants() }.isEmpty)
  }

  @Test(arguments: [true, false])
  func planLeadsThroughAllVersions(isNumbered: Bool) throws {
    try makeFirstVersion(isNumbered ? Schema(versionedSchema: TripsV1.self) : Schema([TripsV1.Trip.self]))
    for _ in 0..<2 {
      let container = try ModelContainer(
        for: TripsV3.Trip.self, migrationPlan: Plan.self, configurations: configuration)
      defer { container.close() }
      let trips = try ModelContext(container).fetch(FetchDescriptor<TripsV3.Trip>(sortBy: [SortDescriptor(\.id)]))
      #expect(trips.map(\.title) == ["Rome", "Oslo"])
      #expect(trips.map(\.price) == [120, nil])
      #expect(trips.map(\.places) == [["Rome 0"], ["Oslo 0", "Oslo 1"]])
      #expect(container.core.store.catalog.entities.map(\.name) == ["Trip"])
      #expect(try container.core.store.read { try $0.checkInvariants() }.isEmpty)
    }
    // The classes of the first version do not open it any more.
    #expect(throws: RecordError.newerSchema(stored: Schema.Version(3, 0, 0), known: [Schema.Version(1, 0, 0)])) {
      try ModelContainer(for: Schema(versionedSchema: TripsV1.self), configurations: configuration)
    }
  }

  @Test func withoutAPlanEverythingInTheWayIsListed() throws {
    try makeFirstVersion(Schema([TripsV1.Trip.self]))
    let error = RecordError.schemaMismatch([
      .attributeTypeChanged(entity: "Trip", attribute: "price", stored: .string, given: .int64)
    ])
    #expect(throws: error) { try ModelContainer(for: TripsV3.Trip.self, configurations: configuration) }
    let container = try ModelContainer(for: TripsV1.Trip.self, configurations: configuration)
    defer { container.close() }
    #expect(try ModelContext(container).fetchCount(FetchDescriptor<TripsV1.Trip>()) == 2)
  }

  // MARK: Failures

  private struct Refusal: Error, Equatable {}

  private enum FailingPlan: SchemaMigrationPlan {
    static let schemas = Plan.schemas
    static let stages: [MigrationStage] = [
      Plan.stages[0],
      .custom(
        fromVersion: TripsV2.self, toVersion: TripsV3.self,
        willMigrate: { context in
          for trip in try context.fetch(FetchDescriptor<TripsV2.Trip>()) { context.delete(trip) }
          try context.save()
        },
        didMigrate: { context in
          #expect(try context.fetchCount(FetchDescriptor<TripsV3.Trip>()) == 0)
          context.insert(TripsV3.Trip(id: 7, title: "Lima"))
          try context.save()
          throw Refusal()
        }),
    ]
  }

  @Test func failingStageLeavesTheStoreAsItWas() throws {
    try makeFirstVersion()
    for _ in 0..<2 {
      #expect(throws: Refusal()) {
        try ModelContainer(for: TripsV3.Trip.self, migrationPlan: FailingPlan.self, configurations: configuration)
      }
    }
    let container = try ModelContainer(for: TripsV1.Trip.self, configurations: configuration)
    defer { container.close() }
    let trips = try ModelContext(container).fetch(FetchDescriptor<TripsV1.Trip>(sortBy: [SortDescriptor(\.id)]))
    #expect(trips.map(\.name) == ["Rome", "Oslo"])
    #expect(trips.map(\.stops.count) == [1, 2])
  }

  private enum KeepingPlan: SchemaMigrationPlan {
    // Written by the migration and read when that is over, by one test.
    nonisolated(unsafe) static var kept: ModelContext?
    static let schemas = Plan.schemas
    static let stages: [MigrationStage] = [
      Plan.stages[0],
      .custom(
        fromVersion: TripsV2.self, toVersion: TripsV3.self, willMigrate: nil, didMigrate: { kept = $0 }),
    ]
  }

  @Test func contextOfAMigrationEndsWithIt() throws {
    try makeFirstVersion()
    let container = try ModelContainer(
      for: TripsV3.Trip.self, migrationPlan: KeepingPlan.self, configurations: configuration)
    defer { container.close() }
    let kept = try #require(KeepingPlan.kept)
    KeepingPlan.kept = nil
    #expect(throws: RecordError.migrationOver) { try kept.fetch(FetchDescriptor<TripsV3.Trip>()) }
  }

  private enum TwicePlan: SchemaMigrationPlan {
    static let schemas: [any VersionedSchema.Type] = [TripsV1.self, TripsV2.self, TripsV1.self]
    static let stages: [MigrationStage] = []
  }

  private enum StrayPlan: SchemaMigrationPlan {
    static let schemas: [any VersionedSchema.Type] = [TripsV1.self, TripsV2.self]
    static let stages: [MigrationStage] = [.lightweight(fromVersion: TripsV2.self, toVersion: TripsV3.self)]
  }

  @Test func plansThatDoNotFitAreRefused() throws {
    let cases: [(any SchemaMigrationPlan.Type, any PersistentModel.Type, MigrationPlanError)] = [
      (TwicePlan.self, TripsV2.Trip.self, .duplicateVersion(Schema.Version(1, 0, 0))),
      (StrayPlan.self, TripsV2.Trip.self, .stageOfUnknownVersion(Schema.Version(3, 0, 0))),
      (StrayPlan.self, TripsV3.Trip.self, .schemaInNoVersion(models: ["Trip"])),
    ]
    for (plan, type, error) in cases {
      #expect(throws: error) { try ModelContainer(for: type, migrationPlan: plan, configurations: configuration) }
      #expect(error.description.hasSuffix("."))
    }
    #expect(!FileManager.default.fileExists(atPath: folder["store"]))
  }

  @Test func progressIsReported() throws {
    try makeFirstVersion()
    let reports = Mutex<[MigrationProgress]>([])
    let container = try ModelContainer(for: TripsV2.Trip.self, configurations: configuration) { report in
      reports.withLock { $0.append(report) }
    }
    container.close()
    let steps = reports.withLock { $0 }
    #expect(
      steps.contains { $0.step == .indexing(attributes: ["kind", "title"]) && $0.rowsDone == 2 && $0.rowCount == 2 })
  }

  @Test func schemasHaveVersions() {
    #expect(Schema(versionedSchema: TripsV2.self).version == Schema.Version(2, 0, 0))
    #expect(Schema([TripsV2.Trip.self]).version == Schema.Version(1, 0, 0))
    #expect(Schema([TripsV2.Trip.self], version: Schema.Version(4, 1, 2)).version.description == "4.1.2")
    #expect(Schema.Version(1, 10, 0) > Schema.Version(1, 9, 9))
  }
}
