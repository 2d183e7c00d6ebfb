import CLMDB

/// The rows of a case in LMDB itself, without anything of ours.
///
/// Unchecked `Sendable`: LMDB's environment may be used by any threads; the reading transaction that is kept belongs to the
/// one thread that reads.
final class LMDBRows: @unchecked Sendable {
  private static let mapBytes = 4 << 30

  private let environment: OpaquePointer
  private let table: MDB_dbi
  private let reading: OpaquePointer

  /// Creates an environment in an existing folder and fills it. `isSynced` is LMDB's own durability: two syncs a commit.
  init(at folder: String, isSynced: Bool, filledWith rows: RowSource) throws {
    var environment: OpaquePointer?
    try Self.check(mdb_env_create(&environment))
    guard let environment else { throw LMDBError(code: MDB_PANIC) }
    do {
      try Self.check(mdb_env_set_mapsize(environment, Self.mapBytes))
      let flags = MDB_NOTLS | (isSynced ? 0 : MDB_NOSYNC)
      try Self.check(mdb_env_open(environment, folder, UInt32(flags), 0o600))
      table = try Self.fill(environment, with: rows)
      reading = try Self.begin(environment, flags: MDB_RDONLY)
      mdb_txn_reset(reading)
    } catch {
      mdb_env_close(environment)
      throw error
    }
    self.environment = environment
  }

  deinit {
    mdb_txn_abort(reading)
    mdb_env_close(environment)
  }

  /// Stores a row in a transaction of its own.
  func update(_ row: Row) throws {
    let transaction = try Self.begin(environment, flags: 0)
    do {
      try Self.put(row, in: table, transaction)
    } catch {
      mdb_txn_abort(transaction)
      throw error
    }
    try Self.check(mdb_txn_commit(transaction))
  }

  /// The first byte of a row's value.
  func read(_ key: [UInt8]) throws -> UInt8? {
    try Self.check(mdb_txn_renew(reading))
    defer { mdb_txn_reset(reading) }
    return try key.withUnsafeBytes { bytes in
      var key = Self.value(bytes)
      var value = MDB_val()
      let code = mdb_get(reading, table, &key, &value)
      if code == MDB_NOTFOUND { return nil }
      try Self.check(code)
      return value.mv_data.load(as: UInt8.self)
    }
  }

  private static func fill(_ environment: OpaquePointer, with rows: RowSource) throws -> MDB_dbi {
    let transaction = try begin(environment, flags: 0)
    var table: MDB_dbi = 0
    do {
      try check(mdb_dbi_open(transaction, nil, 0, &table))
      for row in rows.sortedRows() { try put(row, in: table, transaction) }
    } catch {
      mdb_txn_abort(transaction)
      throw error
    }
    try check(mdb_txn_commit(transaction))
    try check(mdb_env_sync(environment, 1))
    return table
  }

  private static func put(_ row: Row, in table: MDB_dbi, _ transaction: OpaquePointer) throws {
    try row.key.withUnsafeBytes { key in
      try row.value.withUnsafeBytes { value in
        var key = Self.value(key)
        var value = Self.value(value)
        try check(mdb_put(transaction, table, &key, &value, 0))
      }
    }
  }

  private static func begin(_ environment: OpaquePointer, flags: Int32) throws -> OpaquePointer {
    var transaction: OpaquePointer?
    try check(mdb_txn_begin(environment, nil, UInt32(flags), &transaction))
    guard let transaction else { throw LMDBError(code: MDB_PANIC) }
    return transaction
  }

  private static func value(_ bytes: UnsafeRawBufferPointer) -> MDB_val {
    MDB_val(mv_size: bytes.count, mv_data: UnsafeMutableRawPointer(mutating: bytes.baseAddress))
  }

  private static func check(_ code: Int32) throws {
    if code != MDB_SUCCESS { throw LMDBError(code: code) }
  }
}

/// What LMDB refused.
struct LMDBError: Error, CustomStringConvertible {
  let code: Int32

  var description: String { "LMDB: \(String(cString: mdb_strerror(code)))." }
}
