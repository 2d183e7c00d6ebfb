import CLMDB

/// A table of an environment: keys and values, sorted by key.
///
/// A table is a name that has been looked up. It stays valid as long as the environment is open.
public struct Table: Sendable, Hashable {
  /// The name it was created with.
  public let name: String

  /// LMDB's number for it.
  let handle: MDB_dbi
  /// The opening of the environment that the number belongs to.
  let opening: UInt64

  /// Whether both are the same table of the same opening of an environment.
  public static func == (left: Table, right: Table) -> Bool {
    left.handle == right.handle && left.opening == right.opening
  }

  /// Feeds what `==` compares.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(handle)
    hasher.combine(opening)
  }
}

extension Table {
  /// The names of tables that belong to this module begin so, and no others may.
  static let reservedPrefix: Character = "#"
  /// The table that says what the store is: see `StoreRecord`.
  static let storeRecordName = "#store"

  static func isReserved(_ name: String) -> Bool {
    name.utf8.first == reservedPrefix.asciiValue
  }

  /// Checks that a caller may use a name for a table.
  static func checkName(_ name: String) throws(StoreError) {
    let reason: String? =
      if name.isEmpty {
        "it is empty"
      } else if isReserved(name) {
        "names that begin with \(reservedPrefix) belong to the store itself"
      } else if name.utf8.contains(0) {
        "it has a zero byte"
      } else if name.utf8.count > StoredKey.longByteCount {
        "it is longer than \(StoredKey.longByteCount) bytes"
      } else {
        nil
      }
    if let reason { throw StoreError.invalidTableName(name: name, reason: reason) }
  }
}
