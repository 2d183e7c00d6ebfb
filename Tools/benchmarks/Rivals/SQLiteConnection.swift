import CSQLite

/// A connection to a SQLite database through its C API.
///
/// Unchecked `Sendable`: the connection is opened without SQLite's own mutexes, and used by one thread at a time: whoever
/// shares connections among threads gives each thread its own.
final class SQLiteConnection: @unchecked Sendable {
  private let handle: OpaquePointer

  init(_ path: String) throws {
    var handle: OpaquePointer?
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
    let code = sqlite3_open_v2(path, &handle, flags, nil)
    guard code == SQLITE_OK, let handle else {
      sqlite3_close_v2(handle)
      throw SQLiteError(operation: "open \(path)", message: String(cString: sqlite3_errstr(code)))
    }
    self.handle = handle
  }

  deinit {
    // Statements that are still there keep it open for as long as they live.
    sqlite3_close_v2(handle)
  }

  /// How long a statement waits for other connections before it gives up.
  func setBusyTimeout(milliseconds: Int32) {
    sqlite3_busy_timeout(handle, milliseconds)
  }

  func execute(_ sql: String) throws {
    try check(sqlite3_exec(handle, sql, nil, nil, nil), "execute '\(sql)'")
  }

  func prepare(_ sql: String) throws -> SQLiteStatement {
    var statement: OpaquePointer?
    try check(
      sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil), "prepare '\(sql)'")
    guard let statement else { throw SQLiteError(operation: "prepare '\(sql)'", message: "there is nothing in it") }
    return SQLiteStatement(statement, of: self)
  }

  func check(_ code: Int32, _ operation: @autoclosure () -> String) throws {
    if code == SQLITE_OK || code == SQLITE_DONE || code == SQLITE_ROW { return }
    throw SQLiteError(operation: operation(), message: String(cString: sqlite3_errmsg(handle)))
  }
}
