import CLMDB
import TestSupport

@testable import KeyValueStore

/// Random transactions on an LMDB file, nested ones among them, that leave pages of every kind in every state.
struct RawWalk {
  private static let tableNames = ["a", "b", "c", "d"]
  private let engine: Engine
  private var random: SplitMix64

  init(_ engine: Engine, seed: UInt64) {
    self.engine = engine
    random = SplitMix64(seed: seed)
  }

  /// Runs one transaction and commits it.
  mutating func step() throws {
    var begun: OpaquePointer?
    try engine.check(mdb_txn_begin(engine.handle, nil, 0, &begun), "Beginning")
    let transaction = try unwrapped(begun)
    for _ in 0..<Int.random(in: 1...8, using: &random) { try changeSome(in: transaction, depth: 0) }
    try engine.check(mdb_txn_commit(transaction), "Committing")
  }

  private mutating func changeSome(in transaction: OpaquePointer, depth: Int) throws {
    if depth < 3, random.chance(30) {
      var begun: OpaquePointer?
      try engine.check(mdb_txn_begin(engine.handle, transaction, 0, &begun), "Nesting")
      let nested = try unwrapped(begun)
      for _ in 0..<Int.random(in: 1...4, using: &random) { try changeSome(in: nested, depth: depth + 1) }
      if random.chance(30) { mdb_txn_abort(nested) } else { try engine.check(mdb_txn_commit(nested), "Committing") }
      return
    }
    var table: MDB_dbi = 0
    let name = Self.tableNames[random.below(Self.tableNames.count)]
    try engine.check(mdb_dbi_open(transaction, name, UInt32(MDB_CREATE), &table), "Opening")
    if random.chance(2) {
      try engine.check(mdb_drop(transaction, table, 0), "Clearing")
      return
    }
    // A run of neighbouring keys, put or deleted, fills pages and empties them.
    let first = random.below(20_000)
    let isDeleting = random.chance(45)
    let sizes = [0, 1, 20, 20, 100, 700, 2017, 2018, 2019, 2020, 2021, 2050, 4079, 4080, 4081, 9000, 40_000]
    let valueByteCount = sizes[random.below(sizes.count)]
    for number in first..<(first + random.below(isDeleting ? 600 : valueByteCount > 1000 ? 15 : 300)) {
      let value = [UInt8](repeating: 7, count: random.chance(30) ? random.below(valueByteCount + 1) : valueByteCount)
      try change(Self.key(number), isDeleting ? nil : value, in: table, transaction)
    }
  }

  /// Keys of 8 to 511 bytes, in the order of their numbers.
  private static func key(_ number: Int) -> [UInt8] {
    [UInt8](number: number) + [UInt8](repeating: 5, count: [0, 0, 0, 1, 30, 503][number % 6])
  }

  private func change(_ key: [UInt8], _ value: [UInt8]?, in table: MDB_dbi, _ transaction: OpaquePointer) throws {
    let code = key.withUnsafeBytes { key in
      var key = MDB_val(key)
      guard let value else {
        let code = mdb_del(transaction, table, &key, nil)
        return code == MDB_NOTFOUND ? MDB_SUCCESS : code
      }
      return value.withUnsafeBytes { bytes in
        var value = MDB_val(bytes)
        return mdb_put(transaction, table, &key, &value, 0)
      }
    }
    try engine.check(code, "Changing")
  }

  private func unwrapped(_ transaction: OpaquePointer?) throws -> OpaquePointer {
    guard let transaction else { throw engine.error(MDB_PANIC, "Beginning") }
    return transaction
  }
}
