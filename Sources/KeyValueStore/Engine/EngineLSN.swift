import CLMDB

// The number of the last commit that LMDB contains stands beside the names of the tables: the page that it is on is changed
// by every commit anyway.
extension Engine {
  static let lsnKey: [UInt8] = Array("#lsn".utf8)

  /// The number of the last commit that a snapshot contains; nil when it has none.
  func lsn(_ transaction: OpaquePointer?) throws(StoreError) -> UInt64? {
    let root = try openRoot(transaction)
    var value = MDB_val()
    let code = Self.lsnKey.withUnsafeBytes { key in
      var key = MDB_val(key)
      return mdb_get(transaction, root, &key, &value)
    }
    if code == MDB_NOTFOUND { return nil }
    try check(code, "Reading the number of the last commit")
    guard value.mv_size == 8 else {
      throw .damaged(path: path, reason: "the number of its last commit is not readable")
    }
    return ByteReader(bytes: value.bytes).number(at: 0)
  }

  func putLSN(_ lsn: UInt64, _ transaction: OpaquePointer?) throws(StoreError) {
    let root = try openRoot(transaction)
    let code = Self.lsnKey.withUnsafeBytes { key in
      withUnsafeBytes(of: lsn.littleEndian) { value in
        var key = MDB_val(key)
        var value = MDB_val(value)
        return mdb_put(transaction, root, &key, &value, 0)
      }
    }
    try check(code, "Writing the number of the last commit")
  }
}
