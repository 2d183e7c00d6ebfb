import Synchronization

/// A store of key-value tables in a folder, open for reading or for reading and writing.
///
/// Any number of snapshots can be read at the same time, on any threads, while one transaction at a time is written.
/// Several processes may read a store; one may write it.
///
/// ```swift
/// let environment = try Environment(at: "/var/lib/notes")
/// let notes = try environment.table("notes")
/// try environment.write { try $0.put(Array("milk".utf8), for: [1], in: notes) }
/// let note = try environment.read { try $0.value(for: [1], in: notes) }
/// ```
///
/// An environment is a handle. All handles of a process on one store share what is open, and it is closed when the last of
/// them is closed or gone.
public final class Environment: Sendable {
  let core: EnvironmentCore
  package let access: Access
  private let durability: Durability
  private let isClosed = Atomic(false)

  /// Opens the store in a folder. For writing, the store is created when nothing is there or the folder is empty, with
  /// the folders above it.
  ///
  /// Throws when something is there that is no sound store of this format, when another process writes it, or when the
  /// system refuses; what is there is then left as it is. When the process has the store open already, the sizes in
  /// `options` are those of the first opening.
  public convenience init(at directory: String, options: Options = Options()) throws {
    try self.init(at: directory, options: options, files: SystemFiles())
  }

  /// Opens the store in a folder, through other file operations.
  package convenience init(at directory: String, options: Options = Options(), files: any FileSystem) throws {
    let opening = StoreOpening(at: directory, options: options, files: files)
    self.init(try CoreRegistry.shared.core(for: opening), options)
  }

  private init(_ core: EnvironmentCore, _ options: Options) {
    self.core = core
    access = options.access
    durability = options.durability
  }

  deinit {
    if !isClosed.load(ordering: .acquiring) { leave() }
  }

  /// Creates a store that lives only as long as this handle: in memory where the system has a file system in memory, and
  /// otherwise in the folder for temporary files, without waiting for the medium.
  ///
  /// Its files have no names any more once it is open, so nothing is left of it when it is closed or the process dies.
  public static func temporary(options: Options = Options()) throws -> Environment {
    var options = options
    options.access = .readWrite
    return Environment(try StoreOpening.temporary(options: options), options)
  }

  /// Closes the handle: every later use of it throws `StoreError.closed`. Closing it again does nothing.
  ///
  /// Closing the last handle on the store waits for the transactions that run or wait, and then closes the store. Called
  /// inside of a transaction it does not wait, and the store is closed when the transaction has ended.
  public func close() {
    if isClosed.exchange(true, ordering: .acquiringAndReleasing) { return }
    leave()
    if !core.isForked, !core.isCurrentThreadInside { core.occupancy.waitUntilVacated() }
  }

  private func leave() {
    // What is open belongs to the parent process, and its threads don't exist here.
    if core.isForked { return }
    if core.occupancy.removeHandle() { core.tearDown() }
  }

  func checkOpen() throws(StoreError) {
    if isClosed.load(ordering: .acquiring) { throw .closed(path: directory) }
  }

  // MARK: - Description

  /// The folder of the store, from the root, as it was given when the process opened it. A temporary store's has no name any
  /// more.
  public var directory: String { core.directory }

  /// Whether the store is one made by `temporary`.
  public var isTemporary: Bool { core.isTemporary }

  /// The identity of the store, made when it was created.
  public var identifier: StoreIdentifier { core.record.identifier }

  /// The version of the format in which the store was written.
  public var format: Int { core.record.format }

  /// Sizes and counts at this moment.
  public func statistics() throws -> EnvironmentStatistics {
    try checkOpen()
    return try core.statistics()
  }

  /// What the store has done since this process opened it.
  public var metrics: EnvironmentMetrics {
    var metrics = core.monitor.current
    metrics.oldestSnapshotAge = core.occupancy.oldestSnapshotAge
    return metrics
  }

  /// Calls `handler` with what happens in the store by itself, for as long as the result lives. It is called on threads of
  /// the store's, and should be quick; it must not use the store.
  public func observeEvents(_ handler: @escaping @Sendable (StoreEvent) -> Void) -> EventObservation {
    core.monitor.observe(handler)
  }

  // MARK: - Tables

  /// Finds a table, and creates it in a transaction of its own if there is none and the environment is writable.
  ///
  /// Throws `StoreError.noSuchTable` when there is none and the environment is open for reading only, and
  /// `StoreError.writeInsideWrite` when it would have to be created inside of a write.
  public func table(_ name: String) throws -> Table {
    try tables([name])[0]
  }

  /// Finds tables, and creates all that are missing in one transaction.
  public func tables(_ names: [String]) throws -> [Table] {
    try checkOpen()
    for name in names { try Table.checkName(name) }
    if access == .readWrite { return try core.createTables(names) }
    return try names.map { name in
      guard let table = try core.table(name) else { throw StoreError.noSuchTable(name: name) }
      return table
    }
  }

  /// Finds a table; nil when there is none.
  public func tableIfPresent(_ name: String) throws -> Table? {
    try checkOpen()
    try Table.checkName(name)
    return try core.table(name)
  }

  /// The names of all tables, sorted by their bytes.
  public func tableNames() throws -> [String] {
    try checkOpen()
    return try core.tableNames()
  }

  // MARK: - Transactions

  /// Calls `body` with a snapshot: the state after the last write that was committed before.
  ///
  /// It does not wait for writes. The store can't use the space again that is freed while a snapshot is open, so a
  /// snapshot should be short.
  public func read<Result>(_ body: (Snapshot) throws -> Result) throws -> Result {
    try checkOpen()
    return try core.read(body)
  }

  /// Begins a snapshot without a closure, for a layer above that has one itself: what `read` does before it calls `body`.
  /// The caller ends it with `endReading`, on the same thread.
  package func beginReading() throws -> Snapshot {
    try checkOpen()
    return try core.beginReading()
  }

  /// Ends a snapshot that `beginReading` has begun.
  package func endReading(_ snapshot: Snapshot) {
    core.endReading(snapshot)
  }

  /// Calls `body` with a write transaction and commits what it has changed; if it throws, nothing has changed.
  ///
  /// The call waits until it is its turn, in the order of the calls, and returns when the changes are what `durability` says
  /// and every later snapshot shows them. Writes that wait at the same time are made durable together. `body` runs on the
  /// store's writer thread, or on the calling one when nothing else waits, and sometimes again from the beginning, so it must
  /// not change anything outside of the transaction. A write inside of `body` throws `StoreError.writeInsideWrite`.
  ///
  /// - Parameters:
  ///   - durability: What the changes have survived then; nil for what the environment was opened with.
  ///   - body: What changes the tables. It reads its own changes.
  /// - Returns: What `body` has returned, the last time that it ran.
  /// - Throws: What `body` throws, or a `StoreError`. Nothing has changed then, unless it is `outcomeUnknown`.
  public func write<Result: Sendable>(
    durability: Durability? = nil, _ body: @Sendable (WriteTransaction) throws -> Result
  ) throws -> Result {
    try checkWritable()
    return try core.write(durability ?? self.durability, body)
  }

  /// Like the blocking `write`, but suspends the task instead of its thread.
  ///
  /// When the task is cancelled before its turn has come, it waits no longer and throws `CancellationError`.
  public func write<Result: Sendable>(
    durability: Durability? = nil, _ body: @escaping @Sendable (WriteTransaction) throws -> Result
  ) async throws -> Result {
    try checkWritable()
    return try await core.write(durability ?? self.durability, body)
  }

  /// Returns when everything that was acknowledged before is on the medium.
  public func flush() throws {
    try write(durability: .full) { _ in }
  }

  /// Like the blocking `flush`, but suspends the task instead of its thread.
  public func flush() async throws {
    try await write(durability: .full) { _ in }
  }

  /// Returns when the writes that had begun before have ended; at once if there were none.
  package func waitForWrites() throws {
    if core.occupancy.hasWrites { try write(durability: .relaxed) { _ in } }
  }

  private func checkWritable() throws(StoreError) {
    try checkOpen()
    if access == .readOnly { throw .readOnly(path: directory) }
  }
}
