/// What schema a store is opened with, and how it may come to it.
package enum SchemaGoal: Sendable {
  /// Whatever the store has follows the schema, as far as that is possible by itself. The version is that of the schema, if it
  /// has one. The work is done before a store that has another one follows.
  case schema(StoreSchema, version: SchemaVersion?, willMigrate: MigrationPlan.Stage.Work? = nil)
  /// The store goes from the version that it has to the plan's target.
  case plan(MigrationPlan)

  /// The steps that lead from a stored catalog to the goal. The last one ends at it; none means that it is there.
  ///
  /// - Throws: `RecordError.newerSchema` for a store of a later version, `.unknownSchema` for one of no version of the plan,
  ///   `.noMigrationStage` when no stage leads on; and what `CatalogEvolution` throws.
  func steps(from stored: CatalogDocument?) throws -> [MigrationStep] {
    var path = MigrationPath(from: stored)
    switch self {
    case .schema(let schema, let version, let work):
      if let version, let known = stored?.schemaVersion, known > version {
        throw RecordError.newerSchema(stored: known, known: [version])
      }
      try path.follow(schema, version: version, willMigrate: stored == nil ? nil : work)
    case .plan(let plan):
      guard let target = plan.version(plan.target) else {
        throw RecordError.noMigrationStage(from: plan.target, to: plan.target)
      }
      if stored == nil {
        try path.follow(target.schema, version: target.number)
      } else {
        try path.follow(plan)
      }
    }
    return path.steps
  }

  func validate() throws {
    switch self {
    case .schema(let schema, _, _): try schema.validate()
    case .plan(let plan): for version in plan.versions { try version.schema.validate() }
    }
  }
}

/// One evolution, and what is done before and after it.
struct MigrationStep {
  var evolution: CatalogEvolution
  var willMigrate: MigrationPlan.Stage.Work?
  var didMigrate: MigrationPlan.Stage.Work?
}

/// Steps one behind the other.
private struct MigrationPath {
  private(set) var steps: [MigrationStep] = []
  /// The catalog after the last step; nil for a store that has none yet.
  private var catalog: CatalogDocument?

  init(from catalog: CatalogDocument?) {
    self.catalog = catalog
  }

  /// Follows a schema as far as that is possible by itself. No step is needed when it is the one that is there; a new store needs
  /// one even for an empty schema, because it has no catalog.
  mutating func follow(
    _ schema: StoreSchema, version: SchemaVersion?, willMigrate: MigrationPlan.Stage.Work? = nil
  ) throws {
    if let catalog, catalog.isMade(for: schema, version: version) { return }
    let evolution = try CatalogEvolution(of: catalog ?? CatalogDocument(), to: schema, version: version)
    if evolution.result != catalog { append(MigrationStep(evolution: evolution, willMigrate: willMigrate)) }
  }

  mutating func follow(_ plan: MigrationPlan) throws {
    var version = try start(of: plan)
    // Changes that were made to a version's classes without giving it another number.
    try follow(version.schema, version: version.number)
    var passed: Set<SchemaVersion> = []
    while version.number != plan.target {
      let stage = plan.stages.first { $0.from == version.number }
      guard let stage, let next = plan.version(stage.to), passed.insert(version.number).inserted else {
        throw RecordError.noMigrationStage(from: version.number, to: plan.target)
      }
      let names = Set(version.schema.entities.map(\.name))
      let rules = CatalogEvolution.Rules(
        mayReplaceProperties: stage.mayReplaceProperties, deletableEntities: names)
      append(
        MigrationStep(
          evolution: try CatalogEvolution(
            of: catalog ?? CatalogDocument(), to: next.schema, version: next.number, rules: rules),
          willMigrate: stage.willMigrate, didMigrate: stage.didMigrate))
      version = next
    }
  }

  private mutating func append(_ step: MigrationStep) {
    steps.append(step)
    catalog = step.evolution.result
  }

  /// The version that the store has: by its number, or, where it has none, by its structure.
  ///
  /// Versions may have one structure, when a stage between them changes only values. A store without a number was made before the
  /// program had versions, so it is taken for the oldest, and no stage is left out. Entities that a version does not name
  /// stay in a store, and do not make its structure another one; so a version that names more of the store's goes before.
  private func start(of plan: MigrationPlan) throws -> MigrationPlan.Version {
    let known = plan.versions.map(\.number)
    if let stored = catalog?.schemaVersion {
      if let version = plan.version(stored) { return version }
      if let last = known.max(), stored > last { throw RecordError.newerSchema(stored: stored, known: known) }
      throw RecordError.unknownSchema(stored: stored, known: known)
    }
    let fitting = plan.versions.filter { hasStructure(of: $0.schema) }
    guard let version = fitting.min(by: { rank(of: $0) < rank(of: $1) }) else {
      throw RecordError.unknownSchema(stored: nil, known: known)
    }
    return version
  }

  /// Orders versions that have the store's structure: the first is the one that the store is taken for.
  private func rank(of version: MigrationPlan.Version) -> (Int, SchemaVersion) {
    (catalog.map { unnamedEntities(of: $0, in: version.schema) } ?? 0, version.number)
  }

  /// How many entities a catalog has that a schema does not name.
  private func unnamedEntities(of catalog: CatalogDocument, in schema: StoreSchema) -> Int {
    let match = SchemaMatch(catalog, schema)
    return catalog.entities.count { match.name(of: $0.description.name) == nil }
  }

  /// Whether records, keys and tables are those of a schema, so that following it changes at most descriptions.
  private func hasStructure(of schema: StoreSchema) -> Bool {
    guard let catalog, let evolution = try? CatalogEvolution(of: catalog, to: schema) else { return false }
    return evolution.result.structure == catalog.structure
  }
}
