import CLMDB

@testable import KeyValueStore

/// A store's data as LMDB sees it, to put into it what the module never would.
struct RawStore {
  private let engine: Engine
  private let transaction: OpaquePointer

  /// Runs `body` in a transaction on a store that nobody has open.
  static func edit(_ path: String, _ body: (RawStore) throws -> Void) throws {
    let engine = try Engine(opening: path, flags: 0, mapBytes: 1 << 24, path: path, options: .init())
    defer { engine.close() }
    var begun: OpaquePointer?
    try engine.check(mdb_txn_begin(engine.handle, nil, 0, &begun), "Beginning")
    guard let begun else { return }
    try body(RawStore(engine: engine, transaction: begun))
    try engine.check(mdb_txn_commit(begun), "Committing")
  }

  func dropTable(_ name: String) throws {
    try engine.check(mdb_drop(transaction, try table(name), 1), "Dropping")
  }

  /// Stores a value, or removes it.
  func set(_ value: [UInt8]?, for key: [UInt8], in name: String) throws {
    let table = try table(name)
    let code = key.withUnsafeBytes { key in
      var key = MDB_val(key)
      guard let value else { return mdb_del(transaction, table, &key, nil) }
      return value.withUnsafeBytes { bytes in
        var value = MDB_val(bytes)
        return mdb_put(transaction, table, &key, &value, 0)
      }
    }
    try engine.check(code, "Editing")
  }

  private func table(_ name: String) throws -> MDB_dbi {
    guard let table = try engine.openTable(name, transaction) else { throw StoreError.noSuchTable(name: name) }
    return table
  }
}
