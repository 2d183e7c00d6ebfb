import Contexts
import Records
import SyncEngine

/// The opened store and what connects its entities with model classes: what a container and its contexts share.
///
/// Contexts hold the core and not their container, because a container holds its main context.
final class ContainerCore: Sendable {
  let schema: Schema
  let configuration: ModelConfiguration
  let store: RecordStore
  let storeIdentifier: String
  let mainContextReference = MainContextReference()
  /// Tells the contexts of commits.
  let commits = CommitFeed()
  private let commitObservation: StoreObservation
  /// Tells of what other processes commit; nil for a container that saves, because then there is no other writer.
  private let follower: ChangeFollower?
  /// How payloads are mapped to the store's entities.
  let plans: MappingPlans
  /// Who may sync beside whom.
  let syncGate = SyncGate()
  /// The models, by name, of which syncs have to go by way of objects.
  let modelsSyncedByObjects: [String: any SyncUpdatableModel.Type]
  private let bindings: BindingDirectory

  convenience init(
    schema: Schema, configuration: ModelConfiguration, migrationPlan: (any SchemaMigrationPlan.Type)? = nil,
    progress: @escaping @Sendable (MigrationProgress) -> Void = { _ in }
  ) throws {
    guard configuration.url.isFileURL else { throw ModelError.notAFileURL(configuration.url) }
    let storeSchema = try schema.storeSchema()
    let store = try configuration.openStore(storeSchema) {
      try schema.goal(storeSchema, by: migrationPlan, configuration: configuration)
    } progress: {
      progress($0)
    }
    try self.init(schema: schema, storeSchema, configuration: configuration, store: store)
  }

  /// Connects model classes with a store that is open and has their schema. In a migration, `unfilled` is what its rows may lack.
  init(
    schema: Schema, _ storeSchema: StoreSchema, configuration: ModelConfiguration, store: RecordStore,
    unfilled: UnfilledValues? = nil
  ) throws {
    let bindings = try schema.modelTypes.map {
      try ModelBinding($0.modelTable, schema: storeSchema, store.catalog, unfilled: unfilled)
    }
    self.schema = schema
    self.configuration = configuration
    self.store = store
    storeIdentifier = store.identifier.description
    commitObservation = store.observeCommits { [commits] in commits.deliver($0) }
    follower =
      configuration.allowsSave
      ? nil
      : try ChangeFollower(store) { [commits] news in
        switch news {
        case .committed(let changes): commits.deliver(changes)
        case .unknown(let stateNumber): commits.deliverUnknown(stateNumber: stateNumber)
        }
      }
    plans = MappingPlans { entity, attribute in
      let table = bindings.first { $0.table.name == entity }?.table
      return table?.properties.first { $0.name == attribute }?.attribute?.reader
    }
    modelsSyncedByObjects = schema.modelsSyncedByObjects
    self.bindings = BindingDirectory(bindings)
  }

  func binding(of type: any PersistentModel.Type) throws -> ModelBinding {
    let table = type.modelTable
    guard let binding = bindings[table] else { throw ModelError.unknownModel(table.name) }
    return binding
  }

  func binding(of entity: EntityID) -> ModelBinding? { bindings[entity] }

  /// Whether other processes may write: a container that saves is the only writer, and is told of commits anyway.
  var followsOthers: Bool { follower != nil }

  /// Hears of everything that a snapshot shows of other processes.
  func catchUp(through snapshot: RecordSnapshot) { follower?.catchUp(through: snapshot) }

  /// Closes the store, and ends the streams of its changes.
  func close() {
    store.close()
    commits.end()
  }

  /// Brings the main context, if there is one, up to date with what others have committed.
  @MainActor func refreshMainContext() {
    mainContextReference.context?.catchUp()
  }

  /// The same before a call returns that has written on the main actor. Elsewhere the main context's mailbox sees to it.
  func refreshMainContextIfCurrent() {
    guard MainQueue.isCurrent else { return }
    MainActor.assumeIsolated { refreshMainContext() }
  }
}

extension ModelConfiguration {
  /// Opens the store. A goal is needed only by a container that saves.
  fileprivate func openStore(
    _ schema: StoreSchema, goal: () throws -> SchemaGoal, progress: @escaping @Sendable (MigrationProgress) -> Void
  ) throws -> RecordStore {
    switch (allowsSave, isStoredInMemoryOnly) {
    case (true, true):
      try RecordStore.temporary(schema: schema, history: HistoryOptions(history))
    case (true, false):
      try RecordStore(
        at: url.path, reaching: goal(), durability: durability, history: HistoryOptions(history), progress: progress)
    case (false, false):
      try RecordStore(readingAt: url.path, with: schema)
    case (false, true):
      // It would be new, and stay empty.
      throw StoreError.noSuchStore(path: url.path)
    }
  }
}

/// The main context of a store, as long as some container keeps it.
@MainActor
final class MainContextReference {
  weak var context: ModelContext?

  nonisolated init() {}

  /// The context, made if there is none. Its mailbox wakes the main actor, in whose queue the job then stands before whatever
  /// the writer resumes there.
  func context(of core: ContainerCore) -> ModelContext {
    if let context { return context }
    let mailbox = ChangeMailbox { [weak self] in
      Task { @MainActor in self?.context?.processPendingChanges() }
    }
    let made = ModelContext(core: core, mailbox: mailbox)
    context = made
    return made
  }
}
