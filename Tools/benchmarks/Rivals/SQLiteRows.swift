/// The rows of a case in a SQLite database in WAL mode. docs/benchmarks.md says why each setting is as it is.
///
/// Unchecked `Sendable`: used by one thread at a time, like its connection.
final class SQLiteRows: @unchecked Sendable {
  /// How a commit treats the medium.
  enum Synchronous: String {
    /// Every commit is synced.
    case full = "FULL"
    /// Only checkpoints are.
    case normal = "NORMAL"
  }

  private let connection: SQLiteConnection
  private let upsert: SQLiteStatement
  private let select: SQLiteStatement

  /// Opens a connection to a database, which has to have been filled if it is to have rows.
  init(at path: String, synchronous: Synchronous) throws {
    connection = try SQLiteConnection(path)
    connection.setBusyTimeout(milliseconds: 30_000)
    try connection.execute("PRAGMA page_size = 4096")
    try connection.execute("PRAGMA journal_mode = WAL")
    try connection.execute("PRAGMA synchronous = \(synchronous.rawValue)")
    try connection.execute("PRAGMA wal_autocheckpoint = 1000")
    // In KiB when negative: more than the whole database.
    try connection.execute("PRAGMA cache_size = -262144")
    try connection.execute(
      "CREATE TABLE IF NOT EXISTS rows (key BLOB PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID")
    upsert = try connection.prepare(
      "INSERT INTO rows VALUES (?1, ?2) ON CONFLICT (key) DO UPDATE SET value = excluded.value")
    select = try connection.prepare("SELECT value FROM rows WHERE key = ?1")
  }

  /// Opens a new database and fills it.
  convenience init(at path: String, synchronous: Synchronous, filledWith rows: RowSource) throws {
    try self.init(at: path, synchronous: synchronous)
    try connection.execute("BEGIN IMMEDIATE")
    for row in rows.sortedRows() { try update(row) }
    try connection.execute("COMMIT")
    // Empties the log and leaves it its size, so that commits need not lengthen it.
    try connection.execute("PRAGMA wal_checkpoint(RESTART)")
  }

  /// Stores a row in a transaction of its own.
  func update(_ row: Row) throws {
    try upsert.run(row.key, row.value)
  }

  /// The first byte of a row's value.
  func read(_ key: [UInt8]) throws -> UInt8? {
    try select.query(key) { $0[0] }
  }
}
