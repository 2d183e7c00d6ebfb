import KeyValueStore

/// A store of records: rows of entities, found by number, by index and along links.
///
/// Reading happens in a snapshot and writing in a transaction, each inside of a closure. Any number of snapshots may be open
/// on any threads; one transaction runs at a time, on the store's writer thread.
package final class RecordStore: Sendable {
  package let catalog: Catalog
  package let environment: Environment
  private let tables: StoreTables
  private let observers = CommitObservers()

  package var identifier: StoreIdentifier { environment.identifier }

  /// Opens a store for reading and writing, or creates it, and registers a schema in it. `durability` is what a write has
  /// survived when it returns, unless it says otherwise.
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
    progress: @escaping @Sendable (EvolutionProgress) -> Void = { _ in }
  ) throws {
    try schema.validate()
    let options = Environment.Options(durability: durability)
    try self.init(registering: schema, in: Environment(at: directory, options: options), progress: progress)
  }

  /// Opens a store for reading only, with the schema that it brings along. Works while another process writes to it.
  package convenience init(readingAt directory: String) throws {
    var options = Environment.Options()
    options.access = .readOnly
    try self.init(
      in: Environment(at: directory, options: options),
      catalog: { environment in
        guard let document = try StoreFormat.readCatalog(in: environment) else {
          throw RecordError.unfinishedStore(path: environment.directory)
        }
        return document
      })
  }

  /// A store in memory, gone when it is closed.
  package static func temporary(schema: StoreSchema) throws -> RecordStore {
    try schema.validate()
    let environment = try Environment.temporary(options: Environment.Options())
    return try RecordStore(registering: schema, in: environment, progress: { _ in })
  }

  private convenience init(
    registering schema: StoreSchema, in environment: Environment,
    progress: @escaping @Sendable (EvolutionProgress) -> Void
  ) throws {
    try self.init(in: environment) { environment in
      let stored = try StoreFormat.readCatalog(in: environment)
      let evolution = try CatalogEvolution(of: stored ?? CatalogDocument(), to: schema)
      if evolution.result != stored { try StoreFormat.evolve(evolution, in: environment, progress: progress) }
      return evolution.result
    }
  }

  private init(in environment: Environment, catalog: (Environment) throws -> CatalogDocument) throws {
    do {
      self.catalog = try Catalog(catalog(environment))
      tables = try StoreTables(self.catalog, in: environment)
      self.environment = environment
    } catch {
      environment.close()
      throw error
    }
  }

  /// Runs a closure on a snapshot: the store as the last commit left it.
  package func read<Result>(_ body: (RecordSnapshot) throws -> Result) throws -> Result {
    try environment.read { snapshot in
      try body(RecordSnapshot(snapshot, catalog: catalog, tables: tables))
    }
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
    try environment.write(durability: durability) { try self.run(body, in: $0, author: author) }
  }

  /// Runs a closure as a write transaction, on the writer thread, and suspends until the commit.
  @discardableResult
  package func write<Result: Sendable>(
    author: String? = nil, durability: Durability? = nil,
    _ body: @escaping @Sendable (RecordTransaction) throws -> Result
  ) async throws -> Committed<Result> {
    try await environment.write(durability: durability) { try self.run(body, in: $0, author: author) }
  }

  /// Calls the closure after every commit that changed something, in the order of the commits, before the call that wrote
  /// returns: on the writer thread or on the one that wrote. It must be quick and must not use the store. It is called for as long
  /// as the returned observation lives.
  package func observeCommits(_ observer: @escaping @Sendable (ChangeSet) -> Void) -> CommitObservation {
    let observation = observers.add(observer)
    // A transaction whose body has found no observer may not be committed yet. After this one it is, so that whoever reads
    // now and is told of later commits misses none. On the writer thread, and in a store for reading only, there is none.
    try? environment.write(durability: .relaxed) { _ in }
    return observation
  }

  /// Closes the store after running transactions have ended. Using it afterwards throws `StoreError.closed`.
  package func close() {
    environment.close()
  }

  private func run<Result>(
    _ body: (RecordTransaction) throws -> Result, in transaction: WriteTransaction, author: String?
  ) throws -> Committed<Result> {
    let records = RecordTransaction(transaction, catalog: catalog, tables: tables, author: author)
    let result = try body(records)
    try records.finish()
    let changes = records.changes
    if !changes.isEmpty, !observers.isEmpty {
      try transaction.afterCommitOnAnyThread { [observers] in observers.notify(changes) }
    }
    return Committed(result: result, changes: changes)
  }
}

/// What a write transaction returned, once it is committed.
package struct Committed<Result: Sendable>: Sendable {
  package let result: Result
  package let changes: ChangeSet
}
