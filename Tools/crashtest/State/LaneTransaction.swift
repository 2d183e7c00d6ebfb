import KeyValueStore

/// Changes of one lane in a transaction, and the hash of what they leave.
final class LaneTransaction {
  let transaction: WriteTransaction
  private let tables: [String: Table]
  private let lane: Int
  private(set) var hash: UInt64

  init(_ transaction: WriteTransaction, _ tables: [String: Table], lane: Int, hash: UInt64) {
    self.transaction = transaction
    self.tables = tables
    self.lane = lane
    self.hash = hash
  }

  /// One of the lane's tables, by its place among them.
  func table(_ place: Int) throws -> Table {
    let names = LaneTables.content(lane)
    return try table(named: names[place % names.count])
  }

  private func table(named name: String) throws -> Table {
    guard let table = tables[name] else { throw HarnessError("there is no table '\(name)'") }
    return table
  }

  func put(_ value: [UInt8], for key: [UInt8], in place: Int) throws {
    let table = try table(place)
    try takeAway(key, in: table)
    try transaction.put(value, for: key, in: table)
    hash &+= entryHash(key, value, in: table)
  }

  func delete(_ key: [UInt8], in place: Int) throws {
    let table = try table(place)
    try takeAway(key, in: table)
    try transaction.delete(key, in: table)
  }

  /// Deletes up to `limit` entries from a key on.
  func deleteRange(from key: [UInt8], limit: Int, in place: Int) throws {
    let table = try table(place)
    var keys: [[UInt8]] = []
    try transaction.scan(table, in: .from(key)) { key, _ in
      keys.append(Array(key))
      return keys.count < limit ? .continue : .stop
    }
    for key in keys { try delete(key, in: place) }
  }

  func clear(_ place: Int) throws {
    let table = try table(place)
    let seed = EntryHash.hash(of: table.name)
    var sum: UInt64 = 0
    try transaction.scan(table) { key, value in
      sum &+= EntryHash.hash(key, value, tableSeed: seed)
      return .continue
    }
    try transaction.removeAll(in: table)
    hash &-= sum
  }

  /// Runs changes as a nested transaction; when they throw, nothing of them has happened.
  func nested(_ body: (LaneTransaction) throws -> Void) throws {
    hash = try transaction.nested { inner in
      let changes = LaneTransaction(inner, tables, lane: lane, hash: hash)
      try body(changes)
      return changes.hash
    }
  }

  /// Says in the store which commit this is, and counts it.
  func stamp(_ commit: Int) throws {
    let control = try table(named: LaneTables.control(lane))
    try transaction.put(LaneEntry(commit: commit, hash: hash).bytes, for: LaneTables.stateKey, in: control)
    let order = try table(named: LaneTables.order)
    let count = try transaction.withValue(for: LaneTables.stateKey, in: order) { value in
      value.count == 8 ? UInt64(littleEndian: value.loadUnaligned(as: UInt64.self)) : 0
    }
    let next = withUnsafeBytes(of: ((count ?? 0) + 1).littleEndian) { Array($0) }
    try transaction.put(next, for: LaneTables.stateKey, in: order)
  }

  private func takeAway(_ key: [UInt8], in table: Table) throws {
    let old = try transaction.withValue(for: key, in: table) { value in
      key.withUnsafeBytes { EntryHash.hash($0, value, tableSeed: EntryHash.hash(of: table.name)) }
    }
    if let old { hash &-= old }
  }

  private func entryHash(_ key: [UInt8], _ value: [UInt8], in table: Table) -> UInt64 {
    key.withUnsafeBytes { key in
      value.withUnsafeBytes { EntryHash.hash(key, $0, tableSeed: EntryHash.hash(of: table.name)) }
    }
  }
}
