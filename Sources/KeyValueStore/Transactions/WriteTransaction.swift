import CLMDB

/// A transaction that changes tables: all of it is committed, or nothing.
///
/// It reads its own changes. It belongs to the thread that runs the closure and is valid inside of the closure that it was given
/// to. When a change throws because of the medium or the engine, the transaction can't be committed any more, whether the
/// closure passes the error on or not.
public final class WriteTransaction: Snapshot {
  /// What made the transaction impossible to commit, first cause first.
  private(set) var failure: (any Error)?
  /// How the body has to run again; nil if it does not have to. The error that says so never reaches the caller.
  private(set) var restart: BodyOutcome?
  /// Where the changes are written down for the log; nil when they are not.
  let recorder: FrameCollector?
  /// Whether the frame may be given up when it becomes too large, instead of running the body again.
  let mayOutgrowLog: Bool
  private var commitActions: [@Sendable () -> Void] = []
  /// Whether one of these may use the store, which is safe on the writer thread only.
  private(set) var actsOnWriterThread = false
  /// Whether a nested transaction is open, during which this one can't be used.
  private var isSuspended = false

  init(
    _ environment: EnvironmentCore, _ transaction: OpaquePointer, recorder: FrameCollector?,
    mayOutgrowLog: Bool = false, interruption: CommitProgress?
  ) {
    self.recorder = recorder
    self.mayOutgrowLog = mayOutgrowLog
    super.init(environment, transaction, interruption: interruption)
  }

  // MARK: - Changes

  /// Stores a value, replacing the one that the key had.
  ///
  /// The bytes must not be ones that this transaction has lent out: the change may move them while it reads them.
  public func put(_ value: UnsafeRawBufferPointer, for key: UnsafeRawBufferPointer, in table: Table) throws {
    try store(key, in: table, byteCount: value.count) { $0.copyMemory(from: value) }
  }

  /// Stores a value, replacing the one that the key had.
  public func put(_ value: [UInt8], for key: [UInt8], in table: Table) throws {
    try key.withUnsafeBytes { key in try value.withUnsafeBytes { try put($0, for: key, in: table) } }
  }

  /// Stores a value of known size that `fill` writes where it will lie; it must write all of it.
  ///
  /// `fill` must not use the transaction. When it throws, the transaction can't be committed any more.
  public func put(
    valueByteCount: Int, for key: UnsafeRawBufferPointer, in table: Table,
    fill: (UnsafeMutableRawBufferPointer) throws -> Void
  ) throws {
    try store(key, in: table, byteCount: valueByteCount, fill: fill)
  }

  /// Like `put`, and faster for a key that comes after all others of the table.
  package func append(
    valueByteCount: Int, for key: UnsafeRawBufferPointer, in table: Table,
    fill: (UnsafeMutableRawBufferPointer) throws -> Void
  ) throws {
    if try store(key, in: table, byteCount: valueByteCount, onlyIf: .behindLast, fill: fill) { return }
    try store(key, in: table, byteCount: valueByteCount, fill: fill)
  }

  /// Stores a value unless the key has one; false when it has.
  @discardableResult
  public func insert(_ value: UnsafeRawBufferPointer, for key: UnsafeRawBufferPointer, in table: Table) throws -> Bool {
    try store(key, in: table, byteCount: value.count, onlyIf: .absent) { $0.copyMemory(from: value) }
  }

  /// Stores a value unless the key has one; false when it has.
  @discardableResult
  public func insert(_ value: [UInt8], for key: [UInt8], in table: Table) throws -> Bool {
    try key.withUnsafeBytes { key in try value.withUnsafeBytes { try insert($0, for: key, in: table) } }
  }

  /// Removes a key and its value; false when there is no such key.
  @discardableResult
  public func delete(_ key: UnsafeRawBufferPointer, in table: Table) throws -> Bool {
    try erase(key, in: table)
  }

  /// Removes a key and its value; false when there is no such key.
  @discardableResult
  public func delete(_ key: [UInt8], in table: Table) throws -> Bool {
    try key.withUnsafeBytes { try delete($0, in: table) }
  }

  /// Removes all entries of a table; the table stays.
  public func removeAll(in table: Table) throws {
    try clear(table)
  }

  /// Calls `body` with a writer for changes in ascending order of the keys, which are faster than single ones.
  public func withSortedWriter<Result>(in table: Table, _ body: (SortedWriter) throws -> Result) throws -> Result {
    let writer = try SortedWriter(self, table)
    defer { writer.close() }
    return try body(writer)
  }

  // MARK: - After the commit

  /// Has `action` called once the transaction is committed, and never if it is not.
  ///
  /// It runs on the writer thread before the call that wrote returns, and the actions of all transactions come in the order
  /// of their commits; the bodies of later transactions may have run already. It should be quick. A write inside of it throws
  /// `StoreError.writeInsideWrite`.
  public func afterCommit(_ action: @escaping @Sendable () -> Void) throws {
    try afterCommitOnAnyThread(action)
    actsOnWriterThread = true
  }

  /// Like `afterCommit`, for an action that only passes on what has happened, and does not use the store. It may run on the thread
  /// that wrote, so that the write need not go to the writer thread for it.
  package func afterCommitOnAnyThread(_ action: @escaping @Sendable () -> Void) throws {
    if transaction == nil { throw unusable }
    commitActions.append(action)
  }

  /// Calls the actions, in the order in which they were given.
  func noteCommitted() {
    for action in commitActions { action() }
  }

  // MARK: - Failing

  /// Notes that the transaction can't be committed, and returns what to throw now.
  func fail(_ error: any Error) -> any Error {
    if failure == nil { failure = error }
    return error
  }

  /// Notes that LMDB refused a change, and returns what to throw now.
  func fail(_ code: Int32, _ operation: String) -> any Error {
    switch code {
    case MDB_MAP_FULL: return runAgain(.needsLargerMap)
    case MDB_TXN_FULL: return runAgain(.runsAlone(isBulk: false))
    default: return fail(environment.engine.error(code, operation))
    }
  }

  /// Notes that the body has to run again, and returns what to throw now.
  func runAgain(_ outcome: BodyOutcome) -> any Error {
    if restart == nil { restart = outcome }
    return BodyRestart()
  }

  override func giveWay() -> any Error {
    runAgain(.runsAlone(isBulk: false))
  }

  override var unusable: StoreError { isSuspended ? .nestedTransactionOpen : .transactionEnded }

  func noteChange() {
    changeCount += 1
  }

  // MARK: - For nested transactions

  fileprivate func suspend() {
    isSuspended = true
    transaction = nil
  }

  fileprivate func resume(_ transaction: OpaquePointer) {
    isSuspended = false
    self.transaction = transaction
    // Cursors stand where the nested one has left them.
    noteChange()
  }

  fileprivate func adopt(_ nested: WriteTransaction) {
    commitActions += nested.commitActions
    if nested.actsOnWriterThread { actsOnWriterThread = true }
  }
}

extension WriteTransaction {
  /// Calls `body` with a transaction inside of this one: if it throws, what it has changed is undone, and this one goes on
  /// without it. Nested transactions nest.
  ///
  /// Inside of `body` this transaction, its cursors and its writers throw `StoreError.nestedTransactionOpen`; use the one
  /// that `body` gets. What it gave to `afterCommit` is dropped with it if it throws.
  public func nested<Result>(_ body: (WriteTransaction) throws -> Result) throws -> Result {
    guard let parent = transaction else { throw unusable }
    if let failure { throw failure }
    var begun: OpaquePointer?
    let code = mdb_txn_begin(environment.engine.handle, parent, 0, &begun)
    guard code == MDB_SUCCESS, let child = begun else { throw fail(code, "Beginning a nested transaction") }
    let inner = WriteTransaction(
      environment, child, recorder: recorder, mayOutgrowLog: mayOutgrowLog, interruption: interruption)
    let mark = recorder?.mark
    suspend()
    defer { resume(parent) }
    do {
      let result = try body(inner)
      if let failure = inner.failure { throw failure }
      if inner.restart != nil { throw BodyRestart() }
      inner.end()
      let code = mdb_txn_commit(child)
      guard code == MDB_SUCCESS else {
        takeBack(to: mark)
        throw fail(code, "Ending a nested transaction")
      }
      adopt(inner)
      return result
    } catch {
      if inner.transaction != nil {
        inner.end()
        mdb_txn_abort(child)
        takeBack(to: mark)
      }
      if let restart = inner.restart { throw runAgain(restart) }
      throw error
    }
  }

  private func takeBack(to mark: FrameCollector.Mark?) {
    if let mark { recorder?.rewind(to: mark) }
  }
}
