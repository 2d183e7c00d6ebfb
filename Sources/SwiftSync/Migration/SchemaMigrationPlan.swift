/// The versions that a schema has had, and how a store gets from one to the next.
public protocol SchemaMigrationPlan: SendableMetatype {
  /// All versions, in whatever order.
  static var schemas: [any VersionedSchema.Type] { get }
  /// The stages. A store goes through those that lead from its version to the container's.
  static var stages: [MigrationStage] { get }
}

/// A step from one version of a schema to another.
///
/// All stages that a store goes through, and what their closures write, are one transaction: if any of it throws, or the process
/// ends, the store is as it was. The transaction may be run again from its beginning, for instance when the file has to grow, so
/// what a closure keeps outside of the store it must be able to make again.
public enum MigrationStage: Sendable {
  /// Works on the objects of a store during its migration. The context can be used until the closure returns, on its thread.
  /// What it leaves unsaved is saved.
  public typealias Work = @Sendable (ModelContext) throws -> Void

  /// What is stored can be carried over by itself.
  case lightweight(fromVersion: any VersionedSchema.Type, toVersion: any VersionedSchema.Type)
  /// Something has to be done before or after the schema changes.
  ///
  /// `willMigrate` sees objects of the earlier version's classes, `didMigrate` those of the later one's. Properties that cannot be
  /// carried over (another type, another destination) are removed and made anew in between, with the default values of their
  /// declarations or nil: read them in the one closure, and write them in the other.
  case custom(
    fromVersion: any VersionedSchema.Type, toVersion: any VersionedSchema.Type, willMigrate: Work?, didMigrate: Work?)
}
