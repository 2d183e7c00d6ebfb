import CSQLite

/// A statement that is prepared once and executed again and again.
final class SQLiteStatement {
  private let handle: OpaquePointer
  private let connection: SQLiteConnection

  init(_ handle: OpaquePointer, of connection: SQLiteConnection) {
    self.handle = handle
    self.connection = connection
  }

  deinit {
    sqlite3_finalize(handle)
  }

  /// Executes a statement without results, with bytes as its parameters. They are bound without being copied.
  func run(_ first: [UInt8], _ second: [UInt8]) throws {
    try first.withUnsafeBytes { first in
      try second.withUnsafeBytes { second in
        try bind(first, at: 1)
        try bind(second, at: 2)
        try finish(sqlite3_step(handle))
      }
    }
  }

  /// Executes a query with one parameter, and calls `body` with the first column of the first row; nil without a row.
  func query<Result>(_ key: [UInt8], _ body: (UnsafeRawBufferPointer) -> Result) throws -> Result? {
    try key.withUnsafeBytes { key in
      try bind(key, at: 1)
      let code = sqlite3_step(handle)
      var result: Result?
      if code == SQLITE_ROW {
        let bytes = sqlite3_column_blob(handle, 0)
        result = body(UnsafeRawBufferPointer(start: bytes, count: Int(sqlite3_column_bytes(handle, 0))))
      }
      try finish(code)
      return result
    }
  }

  private func bind(_ bytes: UnsafeRawBufferPointer, at index: Int32) throws {
    try connection.check(
      sqlite3_bind_blob(handle, index, bytes.baseAddress, Int32(bytes.count), nil), "bind a parameter")
  }

  /// Ends the execution: in autocommit mode, the transaction with it.
  private func finish(_ code: Int32) throws {
    let reset = sqlite3_reset(handle)
    try connection.check(code, "execute a statement")
    try connection.check(reset, "end a statement")
  }
}
