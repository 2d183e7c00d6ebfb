import KeyValueStore

/// The next numbers of a transaction: of the rows of each entity, and of ranks. Nil until the first one is taken. They only
/// grow, and are written back at its end.
struct Counters {
  var nextRows: [UInt64?]
  var nextRank: UInt64?

  init(_ catalog: Catalog) {
    nextRows = [UInt64?](repeating: nil, count: catalog.entities.count)
  }

  func write(to transaction: WriteTransaction, catalog: Catalog, tables: StoreTables) throws {
    for (entity, next) in zip(catalog.entities, nextRows) {
      if let next { try write(next, for: MetaKey.rows(entity.id), to: transaction, tables: tables) }
    }
    if let nextRank { try write(nextRank, for: MetaKey.rank, to: transaction, tables: tables) }
  }

  private func write(_ next: UInt64, for key: [UInt8], to transaction: WriteTransaction, tables: StoreTables) throws {
    try transaction.put(SealedValue.seal(next.withBytes { [UInt8]($0) }, under: key), for: key, in: tables.meta)
  }
}

extension RecordSnapshot {
  /// A stored counter, or 1, where counting starts.
  ///
  /// A counter whose key has a flipped bit is absent too, and numbers would be given a second time. So it may be absent only
  /// while nothing has such a number.
  func storedCounter(_ key: [UInt8], isInUse: () throws -> Bool) throws -> UInt64 {
    guard let bytes = try snapshot.value(for: key, in: tables.meta) else {
      if try isInUse() { throw damagedEntry(tables.meta) }
      return 1
    }
    guard let content = SealedValue.open(bytes, under: key), let next = content.withUnsafeBytes({ UInt64($0) }),
      next > 0, next < UInt64.max
    else {
      throw damagedEntry(tables.meta)
    }
    return next
  }
}
