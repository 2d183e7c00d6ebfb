import KeyValueStore

/// A store of records: rows of entities, found by number, by index and along links.
///
/// Reading happens in a snapshot and writing in a transaction, each inside of a closure. Any number of snapshots may be open
/// on any threads; one transaction runs at a time, on the store's writer thread.
@usableFromInline
package final class RecordStore: Sendable {
  package let catalog: Catalog
  package let environment: Environment
  private let tables: StoreTables
  /// Nil in a store that is open for reading only.
  private let historyLog: HistoryLog?
  private let commitObservers = Observers<ChangeSet>()
  private let historyObservers = Observers<HistoryEvent>()
  private let watch: CatalogWatch
  /// The transaction of a migration that all reads and writes happen in; nil for a store of its own.
  private let bound: BoundTransaction?

  package var identifier: StoreIdentifier { environment.identifier }

  /// Opens a store for reading and writing, or creates it, and registers a schema in it. `durability` is what a write has
  /// survived when it returns, unless it says otherwise; `history` is what is kept of what writes did.
  ///
  /// The store takes the schema over, in one transaction, as docs/migrations.md describes: what is new is added, what is gone
  /// is removed, what is renamed or widened keeps its values. Entities that the schema does not name stay in the store,
  /// readable. `progress` hears of work on rows, which most changes need none of.
  ///
  /// - Throws: `SchemaError` for a schema that is wrong by itself; `RecordError.schemaMismatch` with everything that cannot be
  ///   carried over; `.uniqueConflict` with two rows that a new constraint forbids; `RecordError.newerFormat`,
  ///   `.notARecordStore`, `.damagedCatalog`; and the `StoreError`s of opening an environment. The store is unchanged then.
  package convenience init(
    at directory: String, schema: StoreSchema, durability: Durability = .full,
    history: HistoryOptions = HistoryOptions(),
    progress: @escaping @Sendable (EvolutionProgress) -> Void = { _ in }
  ) throws {
    try self.init(
      at: directory, reaching: .schema(schema, version: nil), durability: durability, history: history,
      progress: progress)
  }

  /// Opens a store for reading and writing, or creates it, and takes it to a schema, by a plan where there is one: in one
  /// transaction, whatever is between them.
  ///
  /// - Throws: As above; `RecordError.newerSchema`, `.unknownSchema` or `.noMigrationStage` when the store cannot come to the
  ///   goal; and what the plan's own work throws. The store is unchanged then.
  package convenience init(
    at directory: String, reaching goal: SchemaGoal, durability: Durability = .full,
    history: HistoryOptions = HistoryOptions(), files: any FileSystem = SystemFiles(),
    progress: @escaping @Sendable (EvolutionProgress) -> Void = { _ in }
  ) throws {
    try goal.validate()
    let options = Environment.Options(durability: durability)
    try self.init(
      reaching: goal, in: Environment(at: directory, options: options, files: files), history: history,
      progress: progress)
  }

  /// Opens a store for reading only, with the schema that it brings along. Works while another process writes to it. A given schema
  /// is what the store must have, unchanged: it may have more.
  ///
  /// - Throws: `RecordError.schemaNotStored` with everything that it has not; `.unfinishedStore`, `.notARecordStore`,
  ///   `.newerFormat`, `.damagedCatalog`; the `StoreError`s of opening an environment.
  package convenience init(readingAt directory: String, with schema: StoreSchema? = nil) throws {
    try schema?.validate()
    var options = Environment.Options()
    options.access = .readOnly
    try self.init(
      in: Environment(at: directory, options: options), history: nil,
      catalog: { environment in
        guard let opened = try StoreFormat.readCatalog(in: environment) else {
          throw RecordError.unfinishedStore(path: environment.directory)
        }
        let differences = schema.map { opened.catalog.document.differencesForReading($0) } ?? []
        if !differences.isEmpty { throw RecordError.schemaNotStored(path: environment.directory, differences) }
        return opened
      })
  }

  /// A store in memory, gone when it is closed.
  package static func temporary(schema: StoreSchema, history: HistoryOptions = HistoryOptions()) throws -> RecordStore {
    try schema.validate()
    let environment = try Environment.temporary(options: Environment.Options())
    return try RecordStore(
      reaching: .schema(schema, version: nil), in: environment, history: history, progress: { _ in })
  }

  private convenience init(
    reaching goal: SchemaGoal, in environment: Environment, history: HistoryOptions,
    progress: @escaping @Sendable (EvolutionProgress) -> Void
  ) throws {
    try self.init(in: environment, history: history) { environment in
      try StoreFormat.reach(goal, in: environment, history: HistoryLog(history, in: environment), progress: progress)
    }
  }

  private init(
    in environment: Environment, history: HistoryOptions?,
    catalog: (Environment) throws -> OpenedCatalog
  ) throws {
    do {
      let opened = try catalog(environment)
      self.catalog = opened.catalog
      watch = CatalogWatch(opened.checksum)
      tables = try StoreTables(self.catalog, in: environment)
      if environment.access == .readWrite { try StoreFormat.raise(tables.meta, in: environment) }
      self.environment = environment
      bound = nil
      historyLog = try history.map { try HistoryLog($0, in: environment) }
      if let historyLog {
        try open(historyLog)
        try PushRegistry.open(
          self.catalog, tables: tables, isHistoryKept: historyLog.options.policy.isKept, in: environment)
      }
    } catch {
      environment.close()
      throw error
    }
  }

  private init(
    _ bound: BoundTransaction, of environment: Environment, catalog: Catalog, tables: StoreTables,
    history: HistoryLog
  ) {
    self.bound = bound
    self.environment = environment
    watch = CatalogWatch()
    self.catalog = catalog
    self.tables = tables
    historyLog = history
  }

  /// Runs a closure on a store whose reads and writes happen inside of a transaction. Afterwards it throws
  /// `RecordError.migrationOver`.
  static func run(
    _ body: (RecordStore) throws -> Void, in transaction: WriteTransaction, of environment: Environment,
    catalog: Catalog, tables: StoreTables, history: HistoryLog
  ) throws {
    let bound = BoundTransaction(transaction)
    defer { bound.end() }
    try body(RecordStore(bound, of: environment, catalog: catalog, tables: tables, history: history))
  }

  /// Brings the store's history to what the options say of it.
  private func open(_ historyLog: HistoryLog) throws {
    let isKept = try read { try $0.historyState().isKept }
    if isKept == historyLog.options.policy.isKept { return }
    try environment.write { [catalog, tables] transaction in
      let records = RecordTransaction(transaction, catalog: catalog, tables: tables, author: nil)
      if isKept { try PushRegistry.checkNothingIsUnsent(in: records) }
      try historyLog.open(in: records)
    }
  }

  /// Runs a closure on a snapshot: the store as the last commit left it.
  @inlinable
  package func read<Result>(_ body: (RecordSnapshot) throws -> Result) throws -> Result {
    let snapshot = try beginReading()
    defer { endReading(snapshot) }
    return try body(snapshot)
  }

  /// Begins a snapshot, which `endReading` has to end, on the same thread. `read` does both, and is made of them so that a call
  /// from another module is no call of an unspecialised function.
  @usableFromInline
  package func beginReading() throws -> RecordSnapshot {
    if let bound {
      return RecordSnapshot(try bound.transaction(), catalog: catalog, tables: tables)
    }
    let snapshot = try environment.beginReading()
    do {
      try watch.check(snapshot, against: catalog, tables: tables, in: environment)
    } catch {
      environment.endReading(snapshot)
      throw error
    }
    return RecordSnapshot(snapshot, catalog: catalog, tables: tables)
  }

  /// Ends a snapshot that `beginReading` has begun.
  @usableFromInline
  package func endReading(_ snapshot: RecordSnapshot) {
    if bound == nil { environment.endReading(snapshot.snapshot) }
  }

  /// Runs a closure as a write transaction, on the writer thread, and waits for the commit.
  ///
  /// The transaction is committed when the closure returns and undone when it throws. The closure may run a second time when
  /// the store had to grow or a reader waited, so it must not change anything outside of the transaction.
  ///
  /// - Returns: What the closure returned, and what the transaction changed.
  /// - Throws: What the closure throws; `RecordError.uniqueConflict` or `.noSuchRow` for what is only found when the buffered
  ///   writes are applied at its end; `.deleteDenied` or `.missingDestination` when a row that stays is in the way of a
  ///   deletion, or is without the destination of a relationship that is not optional; the `StoreError`s of a commit. Nothing
  ///   has changed then.
  @discardableResult
  package func write<Result: Sendable>(
    author: String? = nil, durability: Durability? = nil, _ body: @Sendable (RecordTransaction) throws -> Result
  ) throws -> Committed<Result> {
    if let bound { return try bound.write { try self.run(body, in: $0, author: author) } }
    return try environment.write(durability: durability) { try self.run(body, in: $0, author: author) }
  }

  /// Runs a closure as a write transaction, on the writer thread, and suspends until the commit.
  @discardableResult
  package func write<Result: Sendable>(
    author: String? = nil, durability: Durability? = nil,
    _ body: @escaping @Sendable (RecordTransaction) throws -> Result
  ) async throws -> Committed<Result> {
    if let bound { return try bound.write { try self.run(body, in: $0, author: author) } }
    return try await environment.write(durability: durability) { try self.run(body, in: $0, author: author) }
  }

  /// Calls the closure after every commit that changed something, in the order of the commits, before the call that wrote
  /// returns: on the writer thread or on the one that wrote. It must be quick and must not use the store. It is called for as long
  /// as the returned observation lives.
  package func observeCommits(_ observer: @escaping @Sendable (ChangeSet) -> Void) -> StoreObservation {
    let observation = commitObservers.add(observer)
    if bound != nil { return observation }
    // A transaction whose body has found no observer may not be committed yet. After this one it is, so that whoever reads
    // now and is told of later commits misses none. On the writer thread, and in a store for reading only, there is none.
    try? environment.waitForWrites()
    return observation
  }

  /// Calls the closure with what happens to the history by itself, for as long as the returned observation lives: after the commit
  /// that brought it about, as above.
  package func observeHistory(_ observer: @escaping @Sendable (HistoryEvent) -> Void) -> StoreObservation {
    historyObservers.add(observer)
  }

  /// Closes the store after running transactions have ended. Using it afterwards throws `StoreError.closed`.
  package func close() {
    if bound == nil { environment.close() }
  }

  private func run<Result>(
    _ body: (RecordTransaction) throws -> Result, in transaction: WriteTransaction, author: String?
  ) throws -> Committed<Result> {
    if bound == nil {
      try watch.check(transaction, against: catalog, tables: tables, in: environment)
    }
    let isLocal = author != InboundAuthor.name && historyLog?.options.policy.isKept == true
    let records = RecordTransaction(
      transaction, catalog: catalog, tables: tables, author: author,
      keepsBases: isLocal && !catalog.offlineEntities.isEmpty)
    let result = try body(records)
    try records.finish()
    let noted = try historyLog?.append(records.changes, in: records)
    var changes = noted?.changes ?? records.changes
    changes.stateNumber = transaction.number
    try records.noteForPush(changes)
    if bound == nil, !changes.isEmpty, !commitObservers.isEmpty {
      try transaction.afterCommitOnAnyThread { [commitObservers, changes] in commitObservers.notify(changes) }
    }
    for event in noted?.events ?? [] where bound == nil {
      try transaction.afterCommitOnAnyThread { [historyObservers] in historyObservers.notify(event) }
    }
    return Committed(result: result, changes: changes)
  }
}

/// What a write transaction returned, once it is committed.
package struct Committed<Result: Sendable>: Sendable {
  package let result: Result
  package let changes: ChangeSet
}
