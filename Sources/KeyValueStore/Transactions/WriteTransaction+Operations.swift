import CLMDB

/// When `store` stores.
enum StoreCondition {
  case always
  /// Only if the key has no value.
  case absent
  /// Only if the key comes after all others: the entry then goes to the end without a search.
  case behindLast
}

// Every change that a transaction makes goes through the four functions of this file, and here its outcome is known:
// which table, which key, which bytes, or that nothing changed. From here it is written down for the log.
extension WriteTransaction {
  /// The largest value: LMDB's limit, less what a long key adds.
  static let valueBytesMax = Int(UInt32.max) - LongEntry.headerByteCount - StoredKey.callerBytesMax

  /// Stores a value that `fill` writes; false when `condition` does not hold.
  ///
  /// A cursor, if there is one, is where the search for the place begins, and is moved there.
  @discardableResult
  func store(
    _ key: UnsafeRawBufferPointer, in table: Table, byteCount: Int, onlyIf condition: StoreCondition = .always,
    through cursor: EngineCursor? = nil, fill: (UnsafeMutableRawBufferPointer) throws -> Void
  ) throws -> Bool {
    let transaction = try usable(for: table)
    try checkKey(key)
    guard 0...Self.valueBytesMax ~= byteCount else {
      throw StoreError.valueSizeInvalid(byteCount: byteCount, max: Self.valueBytesMax)
    }
    let isLong = key.count > StoredKey.plainBytesMax
    if isLong, condition != .behindLast, try holdsOther(key, in: table) {
      throw StoreError.keyCollision(table: table.name)
    }
    let byteCountStored = isLong ? LongEntry.overhead(of: key) + byteCount : byteCount
    return try StoredKey.with(key, seed: environment.seed) { stored in
      var space = MDB_val()
      space.mv_size = byteCountStored
      let code =
        if let cursor {
          mdb_cursor_put(cursor.handle, &stored, &space, condition.flags)
        } else {
          mdb_put(transaction, table.handle, &stored, &space, condition.flags)
        }
      guard code == MDB_SUCCESS else {
        if code == MDB_KEYEXIST { return false }
        throw fail(code, "Writing")
      }
      noteChange()
      let entry = UnsafeMutableRawBufferPointer(start: space.mv_data, count: space.mv_size)
      do {
        try fill(isLong ? LongEntry.begin(entry, key: key) : entry)
      } catch {
        // The entry is there and holds whatever was in that memory.
        throw fail(error)
      }
      if let recorder, !recorder.put(stored.bytes, UnsafeRawBufferPointer(entry), in: table) { try outgrowLog() }
      return true
    }
  }

  /// Removes an entry; false when there is none.
  ///
  /// A cursor, if there is one, is where the search for it begins, and is moved there.
  func erase(
    _ key: UnsafeRawBufferPointer, in table: Table, through cursor: EngineCursor? = nil
  ) throws -> Bool {
    let transaction = try usable(for: table)
    guard !key.isEmpty else { return false }
    if key.count > StoredKey.plainBytesMax, try !contains(key, in: table) { return false }
    return try StoredKey.with(key, seed: environment.seed) { stored in
      let code: Int32
      if let cursor {
        // LMDB lets the key point into its own page, which the deletion changes.
        var (found, value) = (stored, MDB_val())
        let position = mdb_cursor_get(cursor.handle, &found, &value, MDB_SET)
        code = position == MDB_SUCCESS ? mdb_cursor_del(cursor.handle, 0) : position
      } else {
        code = mdb_del(transaction, table.handle, &stored, nil)
      }
      guard code == MDB_SUCCESS else {
        if code == MDB_NOTFOUND { return false }
        throw fail(code, "Deleting")
      }
      noteChange()
      if let recorder, !recorder.delete(stored.bytes, in: table) { try outgrowLog() }
      return true
    }
  }

  /// Removes all entries of a table.
  func clear(_ table: Table) throws {
    let transaction = try usable(for: table)
    let code = mdb_drop(transaction, table.handle, 0)
    guard code == MDB_SUCCESS else { throw fail(code, "Clearing the table '\(table.name)'") }
    noteChange()
    if let recorder, !recorder.clear(table) { try outgrowLog() }
  }

  /// Opens a table and creates it if there is none. Its handle is good for others once the transaction is committed.
  func createTable(_ name: String) throws -> Table {
    guard let transaction else { throw unusable }
    var handle: MDB_dbi = 0
    let code = mdb_dbi_open(transaction, name, UInt32(MDB_CREATE), &handle)
    guard code == MDB_SUCCESS else { throw fail(code, "Creating the table '\(name)'") }
    let table = Table(name: name, handle: handle, opening: environment.opening)
    if let recorder, !recorder.create(table) { try outgrowLog() }
    return table
  }

  /// Goes on without a frame for the log, or has the body run again so.
  private func outgrowLog() throws {
    guard mayOutgrowLog else { throw runAgain(.runsAlone(isBulk: true)) }
    recorder?.giveUp()
  }

  private func checkKey(_ key: UnsafeRawBufferPointer) throws(StoreError) {
    if key.isEmpty { throw .emptyKey }
    if key.count > StoredKey.callerBytesMax {
      throw .keyTooLong(byteCount: key.count, max: StoredKey.callerBytesMax)
    }
  }

  /// Whether the place of a long key is taken by another key with the same stem and hash.
  private func holdsOther(_ key: UnsafeRawBufferPointer, in table: Table) throws -> Bool {
    let transaction = try usable(for: table)
    var value = MDB_val()
    let code = StoredKey.with(key, seed: environment.seed) { mdb_get(transaction, table.handle, &$0, &value) }
    guard code == MDB_SUCCESS else {
      if code == MDB_NOTFOUND { return false }
      throw fail(code, "Reading")
    }
    guard let parts = LongEntry.parts(value.bytes) else { throw environment.damagedLongEntry }
    return !parts.key.hasSameBytes(as: key)
  }
}

extension StoreCondition {
  /// LMDB's flags. Space is always reserved and then filled, so that a value is copied once.
  fileprivate var flags: UInt32 {
    switch self {
    case .always: UInt32(MDB_RESERVE)
    case .absent: UInt32(MDB_RESERVE | MDB_NOOVERWRITE)
    case .behindLast: UInt32(MDB_RESERVE | MDB_APPEND)
    }
  }
}
