import CSQLite

/// What SQLite refused, in its own words.
struct SQLiteError: Error, CustomStringConvertible {
  let operation: String
  let message: String

  var description: String { "SQLite refused to \(operation): \(message)." }
}
