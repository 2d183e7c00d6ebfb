import KeyValueStore

/// The rows of a case in a store of ours.
final class StoreRows: Sendable {
  private static let tableName = "rows"

  private let environment: Environment
  private let table: Table

  /// Creates a store and fills it.
  init(at path: String, filledWith rows: RowSource) throws {
    environment = try Environment(at: path)
    let table = try environment.table(Self.tableName)
    self.table = table
    try environment.write { transaction in
      try transaction.withSortedWriter(in: table) { writer in
        for row in rows.sortedRows() {
          try row.key.withUnsafeBytes { key in try row.value.withUnsafeBytes { try writer.put($0, for: key) } }
        }
      }
    }
  }

  deinit {
    environment.close()
  }

  /// Stores a row in a transaction of its own, and waits for it.
  func update(_ row: Row) throws {
    try environment.write { [table] in try $0.put(row.value, for: row.key, in: table) }
  }

  /// The same from a task, which is suspended meanwhile.
  func updateAsync(_ row: Row) async throws {
    try await environment.write { [table] in try $0.put(row.value, for: row.key, in: table) }
  }

  /// The first byte of a row's value.
  func read(_ key: [UInt8]) throws -> UInt8? {
    try environment.read { snapshot in try snapshot.withValue(for: key, in: table) { $0[0] } }
  }
}
