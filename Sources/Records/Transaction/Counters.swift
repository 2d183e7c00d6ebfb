import KeyValueStore

/// The numbers that a transaction hands out: rows of each entity, and ranks. They only grow, and are written back at its end.
struct Counters {
  private var nextRows: [UInt64?]
  private var nextRank: UInt64?

  init(_ catalog: Catalog) {
    nextRows = [UInt64?](repeating: nil, count: catalog.entities.count)
  }

  mutating func takeRow(of entity: Entity, in snapshot: Snapshot, tables: StoreTables) throws -> RowNumber {
    let row = try nextRows[entity.slot] ?? Counters.read(MetaKey.rows(entity.id), in: snapshot, tables: tables)
    nextRows[entity.slot] = row + 1
    return RowNumber(rawValue: row)
  }

  mutating func takeRank(in snapshot: Snapshot, tables: StoreTables) throws -> UInt64 {
    let rank = try nextRank ?? Counters.read(MetaKey.rank, in: snapshot, tables: tables)
    nextRank = rank + 1
    return rank
  }

  func write(to transaction: WriteTransaction, catalog: Catalog, tables: StoreTables) throws {
    for (entity, next) in zip(catalog.entities, nextRows) {
      guard let next else { continue }
      try transaction.put(next.withBytes { [UInt8]($0) }, for: MetaKey.rows(entity.id), in: tables.meta)
    }
    if let nextRank {
      try transaction.put(nextRank.withBytes { [UInt8]($0) }, for: MetaKey.rank, in: tables.meta)
    }
  }

  /// The stored counter, or 1, where counting starts.
  static func read(_ key: [UInt8], in snapshot: Snapshot, tables: StoreTables) throws -> UInt64 {
    guard let bytes = try snapshot.value(for: key, in: tables.meta) else { return 1 }
    guard let next = bytes.withUnsafeBytes({ UInt64($0) }), next < UInt64.max else {
      throw RecordError.damagedEntry(table: tables.meta.name)
    }
    return next
  }
}
