/// The versions that a schema has had, and the stages that lead from one to the next.
package struct MigrationPlan: Sendable {
  /// One state of the schema.
  package struct Version: Sendable {
    package var number: SchemaVersion
    package var schema: StoreSchema

    package init(_ number: SchemaVersion, _ schema: StoreSchema) {
      self.number = number
      self.schema = schema
    }
  }

  /// A step from one version to another.
  package struct Stage: Sendable {
    /// Works on the rows, through a store that is bound to the transaction of the migration.
    package typealias Work = @Sendable (RecordStore) throws -> Void

    package var from: SchemaVersion
    package var to: SchemaVersion
    /// Whether what cannot be carried over is made anew, without values: those are then the work's.
    package var mayReplaceProperties: Bool
    /// Before the schema changes.
    package var willMigrate: Work?
    /// After the schema has changed.
    package var didMigrate: Work?

    package init(
      from: SchemaVersion, to: SchemaVersion, mayReplaceProperties: Bool = false, willMigrate: Work? = nil,
      didMigrate: Work? = nil
    ) {
      self.from = from
      self.to = to
      self.mayReplaceProperties = mayReplaceProperties
      self.willMigrate = willMigrate
      self.didMigrate = didMigrate
    }
  }

  package var versions: [Version]
  package var stages: [Stage]
  /// The version that the store has when it is open.
  package var target: SchemaVersion

  package init(versions: [Version], stages: [Stage], target: SchemaVersion) {
    self.versions = versions
    self.stages = stages
    self.target = target
  }

  func version(_ number: SchemaVersion) -> Version? {
    versions.first { $0.number == number }
  }
}
