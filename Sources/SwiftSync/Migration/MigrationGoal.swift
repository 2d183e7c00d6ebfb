import Records

extension Schema {
  /// What a store is opened with: this schema, by a plan if there is one. The contexts of the plan's closures have a container
  /// of the configuration.
  ///
  /// - Throws: `MigrationPlanError` for a plan that does not fit the schema or itself.
  func goal(
    _ storeSchema: StoreSchema, by plan: (any SchemaMigrationPlan.Type)?, configuration: ModelConfiguration
  ) throws -> SchemaGoal {
    guard let plan else { return .schema(storeSchema, version: explicitVersion) }
    let schemas = plan.schemas.map { Schema(versionedSchema: $0) }
    var versions: [MigrationPlan.Version] = []
    for schema in schemas {
      if versions.contains(where: { $0.number == schema.version }) {
        throw MigrationPlanError.duplicateVersion(schema.version)
      }
      versions.append(MigrationPlan.Version(schema.version, try schema.storeSchema()))
    }
    guard let target = schemas.last(where: { $0.classesLacking(of: self).isEmpty }) else {
      throw MigrationPlanError.schemaInNoVersion(models: entities.map(\.name))
    }
    let stages = plan.stages.map { $0.stage(configuration) }
    for number in stages.flatMap({ [$0.from, $0.to] }) where !versions.contains(where: { $0.number == number }) {
      throw MigrationPlanError.stageOfUnknownVersion(number)
    }
    return .plan(MigrationPlan(versions: versions, stages: stages, target: target.version))
  }
}

extension MigrationStage {
  fileprivate func stage(_ configuration: ModelConfiguration) -> MigrationPlan.Stage {
    switch self {
    case .lightweight(let from, let to):
      MigrationPlan.Stage(from: from.versionIdentifier, to: to.versionIdentifier)
    case .custom(let from, let to, let willMigrate, let didMigrate):
      MigrationPlan.Stage(
        from: from.versionIdentifier, to: to.versionIdentifier, mayReplaceProperties: true,
        willMigrate: willMigrate.map { MigrationStage.work($0, on: from, configuration) },
        didMigrate: didMigrate.map {
          MigrationStage.work($0, on: to, configuration, UnfilledValues(after: Schema(versionedSchema: from)))
        })
    }
  }

  /// Runs a closure on a context of a version's classes, and looks afterwards whether it has filled what it had to.
  private static func work(
    _ work: @escaping Work, on version: any VersionedSchema.Type, _ configuration: ModelConfiguration,
    _ unfilled: UnfilledValues? = nil
  ) -> MigrationPlan.Stage.Work {
    { store in
      let schema = Schema(versionedSchema: version)
      let storeSchema = try schema.storeSchema()
      let core = try ContainerCore(
        schema: schema, storeSchema, configuration: configuration, store: store, unfilled: unfilled)
      let context = ModelContext(core: core)
      try work(context)
      try context.save()
      try unfilled?.checkFilled(schema, storeSchema, in: store)
    }
  }
}
