import CLMDB

/// A transaction that changes tables: all of it is committed, or nothing.
///
/// It reads its own changes. It runs on the store's writer thread and is valid inside of the closure that it was given
/// to. When a change throws because of the medium or the engine, the transaction can't be committed any more, whether the
/// closure passes the error on or not.
public final class WriteTransaction: Snapshot {
  /// What made the transaction impossible to commit, first cause first.
  private(set) var failure: (any Error)?
  /// Whether that was the map being full. The transaction is run again then, so the error never reaches the caller.
  private(set) var hasOutgrownMap = false
  private var commitActions: [@Sendable () -> Void] = []

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
  /// It runs on the writer thread, before the call that wrote returns and before the next transaction begins, so the actions
  /// of all transactions come in the order of their commits. It should be quick. A write inside of it throws
  /// `StoreError.writeInsideWrite`.
  public func afterCommit(_ action: @escaping @Sendable () -> Void) throws {
    if transaction == nil { throw StoreError.transactionEnded }
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
    if code == MDB_MAP_FULL { hasOutgrownMap = true }
    return fail(environment.engine.error(code, operation))
  }

  func noteChange() {
    changeCount += 1
  }
}
