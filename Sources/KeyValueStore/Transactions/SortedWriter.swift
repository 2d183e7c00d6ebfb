import CLMDB

/// Writes to one table in ascending order of the keys, through one cursor.
///
/// An entry beyond the last one is appended, which needs no search and leaves full pages behind. Keys in another order
/// are stored just as well, only slower. It is valid inside of the closure that it was given to.
public final class SortedWriter {
  private let transaction: WriteTransaction
  private let table: Table
  private let cursor: EngineCursor
  private var isClosed = false
  /// The stored key that an entry has to come after to be appended; nil while entries are being appended.
  private var last: [UInt8]?

  init(_ transaction: WriteTransaction, _ table: Table) throws {
    guard let cursor = try EngineCursor(transaction, table) else { throw StoreError.noSuchTable(name: table.name) }
    self.transaction = transaction
    self.table = table
    self.cursor = cursor
    do { try findLast() } catch {
      cursor.close()
      throw error
    }
  }

  func close() {
    isClosed = true
    cursor.close()
  }

  /// Stores a value, replacing the one that the key had.
  public func put(_ value: UnsafeRawBufferPointer, for key: UnsafeRawBufferPointer) throws {
    try put(valueByteCount: value.count, for: key) { $0.copyMemory(from: value) }
  }

  /// Stores a value, replacing the one that the key had.
  public func put(_ value: [UInt8], for key: [UInt8]) throws {
    try key.withUnsafeBytes { key in try value.withUnsafeBytes { try put($0, for: key) } }
  }

  /// Stores a value of known size that `fill` writes where it will lie; it must write all of it.
  public func put(
    valueByteCount: Int, for key: UnsafeRawBufferPointer, fill: (UnsafeMutableRawBufferPointer) throws -> Void
  ) throws {
    try checkOpen()
    if isBehindLast(key) {
      if try store(key, valueByteCount, .behindLast, fill) {
        last = nil
        return
      }
      // The key was not greater than its predecessor, or somebody else wrote behind it.
      try findLast()
    }
    _ = try store(key, valueByteCount, .always, fill)
  }

  /// Removes a key and its value; false when there is no such key.
  @discardableResult
  public func delete(_ key: UnsafeRawBufferPointer) throws -> Bool {
    try checkOpen()
    return try transaction.erase(key, in: table, through: cursor)
  }

  /// Removes a key and its value; false when there is no such key.
  @discardableResult
  public func delete(_ key: [UInt8]) throws -> Bool {
    try key.withUnsafeBytes { try delete($0) }
  }

  private func store(
    _ key: UnsafeRawBufferPointer, _ byteCount: Int, _ condition: StoreCondition,
    _ fill: (UnsafeMutableRawBufferPointer) throws -> Void
  ) throws -> Bool {
    try transaction.store(key, in: table, byteCount: byteCount, onlyIf: condition, through: cursor, fill: fill)
  }

  private func isBehindLast(_ key: UnsafeRawBufferPointer) -> Bool {
    guard let last else { return true }
    return last.withUnsafeBytes { last in
      StoredKey.with(key, seed: transaction.environment.seed) { $0.bytes.compare(last) > 0 }
    }
  }

  private func findLast() throws {
    last = try cursor.move(MDB_LAST).map { Array($0.storedKey) }
  }

  private func checkOpen() throws(StoreError) {
    if isClosed { throw .transactionEnded }
  }
}
