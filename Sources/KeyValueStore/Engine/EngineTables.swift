import CLMDB
import Glibc

// LMDB numbers its tables when they are opened, and a transaction knows the numbers that were given before it began.
extension Engine {
  /// What LMDB answers when a transaction does not know a table's number.
  static let unknownTable = EINVAL

  /// Opens the unnamed table, whose keys are the names of the others.
  func openRoot(_ transaction: OpaquePointer?) throws(StoreError) -> MDB_dbi {
    var root: MDB_dbi = 0
    try check(mdb_dbi_open(transaction, nil, 0, &root), "Opening the root table")
    return root
  }

  /// Opens a table; nil when there is none of that name.
  func openTable(_ name: String, _ transaction: OpaquePointer?) throws(StoreError) -> MDB_dbi? {
    var table: MDB_dbi = 0
    let code = mdb_dbi_open(transaction, name, 0, &table)
    // Incompatible: an entry of the root table that is not a table.
    if code == MDB_NOTFOUND || code == MDB_INCOMPATIBLE { return nil }
    try check(code, "Opening the table '\(name)'")
    return table
  }

  /// Opens a table, and creates it if there is none of that name.
  func createTable(_ name: String, _ transaction: OpaquePointer?) throws(StoreError) -> MDB_dbi {
    var table: MDB_dbi = 0
    try check(mdb_dbi_open(transaction, name, UInt32(MDB_CREATE), &table), "Creating the table '\(name)'")
    return table
  }

  /// The names of all tables, the store's own among them.
  func tableNames(_ transaction: OpaquePointer?, root: MDB_dbi) throws(StoreError) -> [String] {
    var cursor: OpaquePointer?
    try check(mdb_cursor_open(transaction, root, &cursor), "Listing the tables")
    defer { mdb_cursor_close(cursor) }
    var names: [String] = []
    var key = MDB_val()
    var value = MDB_val()
    var code = mdb_cursor_get(cursor, &key, &value, MDB_FIRST)
    while code == MDB_SUCCESS {
      names.append(String(decoding: key.bytes, as: UTF8.self))
      code = mdb_cursor_get(cursor, &key, &value, MDB_NEXT)
    }
    if code != MDB_NOTFOUND { throw error(code, "Listing the tables") }
    return names
  }
}
