import KeyValueStore

/// The rows of a case in a store of ours.
final class StoreRows: Sendable {
  private static let tableName = "rows"

  private let environment: Environment
  private let table: Table
  private let durability: Durability

  /// Opens a store, or creates one without rows.
  init(at path: String, durability: Durability = .full) throws {
    environment = try Environment(at: path)
    table = try environment.table(Self.tableName)
    self.durability = durability
  }

  /// Creates a store and fills it.
  convenience init(at path: String, durability: Durability = .full, filledWith rows: RowSource) throws {
    try self.init(at: path, durability: durability)
    try environment.write { [table] transaction in
      try transaction.withSortedWriter(in: table) { writer in
        for row in rows.sortedRows() { try writer.put(row.value, for: row.key) }
      }
    }
  }

  deinit {
    environment.close()
  }

  /// Stores a row in a transaction of its own, and waits for it.
  func update(_ row: Row) throws {
    try environment.write(durability: durability) { [table] in try $0.put(row.value, for: row.key, in: table) }
  }

  /// The same from a task, which is suspended meanwhile.
  func updateAsync(_ row: Row) async throws {
    try await environment.write(durability: durability) { [table] in
      try $0.put(row.value, for: row.key, in: table)
    }
  }

  /// The first byte of a row's value.
  func read(_ key: [UInt8]) throws -> UInt8? {
    try environment.read { snapshot in try snapshot.withValue(for: key, in: table) { $0[0] } }
  }

  /// Does what commits have left to be done a little later, so that it counts where it belongs.
  func settle() throws {
    try environment.flush()
    // A snapshot shows every commit, so beginning one publishes them.
    try environment.read { _ in }
  }

  var metrics: EnvironmentMetrics { environment.metrics }
}
