import CLMDB

/// One committed state of an environment, which stays the same while it is read.
///
/// It is valid inside of the closure that it was given to, on that thread. Used later, it throws
/// `StoreError.transactionEnded`.
public class Snapshot {
  let environment: EnvironmentCore
  /// LMDB's transaction; nil once it has ended.
  final var transaction: OpaquePointer?
  /// Where a write transaction looks whether a reader waits for it to give way; nil when it does not have to.
  final let interruption: CommitProgress?
  /// How many changes the transaction has made: a cursor's view of its entry does not outlive one.
  final var changeCount = 0
  /// The reader's place that the snapshot has; nil in a write transaction.
  final let place: SnapshotPlace?

  init(
    _ environment: EnvironmentCore, _ transaction: OpaquePointer, at place: SnapshotPlace? = nil,
    interruption: CommitProgress? = nil
  ) {
    self.environment = environment
    self.transaction = transaction
    self.place = place
    self.interruption = interruption
  }

  /// From here on every use throws. The caller of this function ends LMDB's transaction.
  final func end() {
    transaction = nil
  }

  // MARK: - Reading

  /// Calls `body` with the value of a key, without copying it; nil without calling it when there is no such key.
  ///
  /// The bytes are valid inside of `body` and, in a write transaction, until its next change. They have no alignment.
  public final func withValue<Result>(
    for key: UnsafeRawBufferPointer, in table: Table, _ body: (UnsafeRawBufferPointer) throws -> Result
  ) throws -> Result? {
    guard let value = try lookUp(key, in: table) else { return nil }
    return try body(value)
  }

  /// Calls `body` with the value of a key, without copying it; nil without calling it when there is no such key.
  public final func withValue<Result>(
    for key: [UInt8], in table: Table, _ body: (UnsafeRawBufferPointer) throws -> Result
  ) throws -> Result? {
    try key.withUnsafeBytes { try withValue(for: $0, in: table, body) }
  }

  /// The value of a key where it lies; nil when there is no such key. What `withValue` does, for whoever sees to it that the bytes
  /// are not used after the snapshot has ended, nor after the next change of a write transaction.
  package final func bytes(for key: UnsafeRawBufferPointer, in table: Table) throws -> UnsafeRawBufferPointer? {
    try lookUp(key, in: table)
  }

  /// The number of the state that is shown, if this process is the only one that can make another one of it: then no other state has
  /// the number as long as the store is open. Nil in a write transaction and in a process that only reads.
  package final var stateNumber: Int? {
    guard environment.isWritable, place != nil, let transaction else { return nil }
    return mdb_txn_id(transaction)
  }

  /// A copy of the value of a key; nil when there is no such key.
  public final func value(for key: UnsafeRawBufferPointer, in table: Table) throws -> [UInt8]? {
    try lookUp(key, in: table).map { Array($0) }
  }

  /// A copy of the value of a key; nil when there is no such key.
  public final func value(for key: [UInt8], in table: Table) throws -> [UInt8]? {
    try key.withUnsafeBytes { try value(for: $0, in: table) }
  }

  /// Whether there is such a key.
  public final func contains(_ key: UnsafeRawBufferPointer, in table: Table) throws -> Bool {
    try lookUp(key, in: table) != nil
  }

  /// Whether there is such a key.
  public final func contains(_ key: [UInt8], in table: Table) throws -> Bool {
    try key.withUnsafeBytes { try contains($0, in: table) }
  }

  /// How many entries a table has. It is a number that LMDB keeps, so it costs nothing to ask.
  public final func count(in table: Table) throws -> Int {
    try statistics(of: table).entries
  }

  // MARK: - For the other files of this type

  /// LMDB's transaction, if it still runs and `table` is one of its environment's.
  @inline(__always)
  final func usable(for table: Table) throws -> OpaquePointer {
    guard let transaction else { throw unusable }
    guard table.opening == environment.opening else { throw StoreError.tableOfAnotherEnvironment(name: table.name) }
    if let interruption, interruption.isPublishWanted { throw giveWay() }
    return transaction
  }

  /// Why there is no transaction to use.
  var unusable: StoreError { .transactionEnded }

  /// Has the body run again after the reader that waits, and returns what to throw now.
  func giveWay() -> any Error { BodyRestart() }

  /// Throws unless `table` really is absent from this snapshot, which doesn't know its handle.
  ///
  /// LMDB gives a transaction the handles that were open at its start. In the writing process a table without a handle
  /// was created since, so for this snapshot it is empty. A reading process may just not have met it before.
  final func checkAbsence(of table: Table) throws {
    guard !environment.isWritable, let transaction else { return }
    var name = table.name
    let code = name.withUTF8 { utf8 in
      var key = MDB_val(UnsafeRawBufferPointer(utf8))
      var value = MDB_val()
      return mdb_get(transaction, environment.root, &key, &value)
    }
    if code == MDB_SUCCESS { throw StoreError.tableOpenedAfterSnapshot(name: table.name) }
    if code != MDB_NOTFOUND { throw environment.engine.error(code, "Looking up the table '\(table.name)'") }
  }

  @inline(__always)
  final func lookUp(_ key: UnsafeRawBufferPointer, in table: Table) throws -> UnsafeRawBufferPointer? {
    let transaction = try usable(for: table)
    // No entry has an empty key, and LMDB does not accept one.
    guard !key.isEmpty else { return nil }
    var value = MDB_val()
    let code = StoredKey.with(key, seed: environment.seed) { mdb_get(transaction, table.handle, &$0, &value) }
    guard code == MDB_SUCCESS else {
      if code == MDB_NOTFOUND { return nil }
      if code == Engine.unknownTable {
        try checkAbsence(of: table)
        return nil
      }
      throw environment.engine.error(code, "Reading")
    }
    guard key.count > StoredKey.plainBytesMax else { return value.bytes }
    guard let parts = LongEntry.parts(value.bytes) else { throw environment.damagedLongEntry }
    return parts.key.hasSameBytes(as: key) ? parts.value : nil
  }
}
