import CLMDB

/// One entry as a cursor finds it. The bytes are LMDB's own.
struct Entry {
  /// The key as LMDB has it.
  var storedKey: UnsafeRawBufferPointer
  /// The key as the caller gave it.
  var key: UnsafeRawBufferPointer
  var value: UnsafeRawBufferPointer
}

/// An LMDB cursor: moves to entries and takes long ones apart.
///
/// Whoever opens one closes it before its transaction ends.
struct EngineCursor {
  let handle: OpaquePointer
  private let environment: EnvironmentCore

  /// Opens a cursor; nil when the table did not exist yet at the time of the snapshot.
  init?(_ snapshot: Snapshot, _ table: Table) throws {
    let transaction = try snapshot.usable(for: table)
    var handle: OpaquePointer?
    let code = mdb_cursor_open(transaction, table.handle, &handle)
    guard code == MDB_SUCCESS, let handle else {
      if code == Engine.unknownTable {
        try snapshot.checkAbsence(of: table)
        return nil
      }
      throw snapshot.environment.engine.error(code, "Opening a cursor")
    }
    self.handle = handle
    environment = snapshot.environment
  }

  func close() {
    mdb_cursor_close(handle)
  }

  /// Moves by one of LMDB's operations that need no key; nil when there is no such entry.
  @inline(__always)
  func move(_ operation: MDB_cursor_op) throws -> Entry? {
    var key = MDB_val()
    var value = MDB_val()
    return try entry(mdb_cursor_get(handle, &key, &value, operation), key, value)
  }

  /// Moves to the first entry whose stored key is `stored` or greater; nil when there is none.
  @inline(__always)
  func seek(stored: MDB_val) throws -> Entry? {
    var key = stored
    var value = MDB_val()
    return try entry(mdb_cursor_get(handle, &key, &value, MDB_SET_RANGE), key, value)
  }

  @inline(__always)
  private func entry(_ code: Int32, _ key: MDB_val, _ value: MDB_val) throws -> Entry? {
    guard code == MDB_SUCCESS else {
      if code == MDB_NOTFOUND { return nil }
      throw environment.engine.error(code, "Moving a cursor")
    }
    guard key.mv_size == StoredKey.longByteCount else {
      return Entry(storedKey: key.bytes, key: key.bytes, value: value.bytes)
    }
    guard let parts = LongEntry.parts(value.bytes) else { throw environment.damagedLongEntry }
    return Entry(storedKey: key.bytes, key: parts.key, value: parts.value)
  }
}
