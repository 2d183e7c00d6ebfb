/// A store and the model classes that live in it.
///
/// A container may be used from anywhere; the contexts made for it belong to the actor that made them.
public final class ModelContainer: Sendable {
  /// The classes of the container.
  public var schema: Schema { core.schema }
  /// Where the store is.
  public var configurations: [ModelConfiguration] { [core.configuration] }

  let core: ContainerCore
  private let mainContextHolder = MainContextHolder()

  /// Opens the store for some classes and all that they reach through relationships, or creates it.
  ///
  /// A store that was made with other declarations takes these over, as `docs/migrations.md` says: by itself where that is
  /// possible, and else by the plan, in one transaction.
  ///
  /// - Parameters:
  ///   - types: the model classes.
  ///   - migrationPlan: the versions that the schema has had; `types` are those of one of them.
  ///   - configurations: where the store is; the application's default store if none is given. A container has one store.
  ///   - progress: hears of work on rows that a changed schema makes. It must be quick, and not use the store.
  /// - Throws: `SchemaDeclarationError` for contradicting declarations, `ModelError.severalConfigurations`,
  ///   `ModelError.classesOutsideConfiguration`, and what
  ///   opening a store throws: `StoreError` (a foreign, damaged or locked folder, a full disk), `RecordError` (a schema
  ///   that cannot take over what is stored, a newer format, a version that the plan does not know), what the plan's stages
  ///   throw. The store is then as it was.
  public convenience init(
    for types: any PersistentModel.Type..., migrationPlan: (any SchemaMigrationPlan.Type)? = nil,
    configurations: ModelConfiguration..., progress: @escaping @Sendable (MigrationProgress) -> Void = { _ in }
  ) throws {
    try self.init(
      for: Schema(types), migrationPlan: migrationPlan, configurations: configurations, progress: progress)
  }

  /// Opens the store of a schema, or creates it. See `init(for:migrationPlan:configurations:progress:)`.
  public convenience init(
    for schema: Schema, migrationPlan: (any SchemaMigrationPlan.Type)? = nil, configurations: ModelConfiguration...,
    progress: @escaping @Sendable (MigrationProgress) -> Void = { _ in }
  ) throws {
    try self.init(for: schema, migrationPlan: migrationPlan, configurations: configurations, progress: progress)
  }

  /// Opens the store of a schema, or creates it. See `init(for:migrationPlan:configurations:progress:)`.
  public init(
    for schema: Schema, migrationPlan: (any SchemaMigrationPlan.Type)? = nil, configurations: [ModelConfiguration],
    progress: @escaping @Sendable (MigrationProgress) -> Void = { _ in }
  ) throws {
    guard configurations.count <= 1 else { throw ModelError.severalConfigurations(count: configurations.count) }
    let configuration = configurations.first ?? ModelConfiguration()
    if let lacking = configuration.schema?.classesLacking(of: schema), !lacking.isEmpty {
      throw ModelError.classesOutsideConfiguration(lacking.map { $0.modelTable.name })
    }
    core = try ContainerCore(
      schema: schema, configuration: configuration, migrationPlan: migrationPlan, progress: progress)
  }

  init(_ core: ContainerCore) {
    self.core = core
  }

  /// The context of the main actor, made on first use and kept as long as the container.
  @MainActor public var mainContext: ModelContext {
    mainContextHolder.context(of: core)
  }

  /// Returns when everything that was saved or synced before is on the medium. With the durability `.full` it is already.
  public func flush() async throws {
    try await core.store.environment.flush()
  }

  /// What the store has done since it was opened: commits, syncs, checkpoints, the oldest open snapshot.
  public var metrics: StoreMetrics { core.store.environment.metrics }

  /// Calls `handler` with what happens in the store by itself, for as long as the result lives: checkpoints, growth, snapshots
  /// that have been open for too long, failures of the medium, readers of the history that have fallen behind.
  ///
  /// It is called on threads of the store's or on one that saves, should be quick, and must not use the store.
  public func observeStoreEvents(_ handler: @escaping @Sendable (StoreEvent) -> Void) -> StoreEventObservation {
    StoreEventObservation(of: core.store, handler)
  }

  /// Ends the use of the store: its files are closed when running transactions have ended, and any later use throws. Streams of
  /// its changes end.
  ///
  /// Without this call the store is closed with the last container, context and stream of changes that use it.
  public func close() {
    core.close()
  }
}

extension ModelContainer: Equatable {
  /// Two containers are equal when they share one opened store.
  public static func == (left: ModelContainer, right: ModelContainer) -> Bool { left.core === right.core }
}

/// Keeps the main context alive for a container, and no longer.
@MainActor
private final class MainContextHolder {
  private var context: ModelContext?

  nonisolated init() {}

  func context(of core: ContainerCore) -> ModelContext {
    if let context { return context }
    let shared = core.mainContextReference.context(of: core)
    context = shared
    return shared
  }
}
