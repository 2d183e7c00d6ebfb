import KeyValueStore

/// Whose local changes a store keeps: the entities that are enabled for it, while there is a history.
///
/// It is compared with the schema when the store is opened, because the schema, the version of the library, and the policy of the
/// history may all have changed since.
enum PushRegistry {
  /// Brings a store that has just been opened up to date. Of an entity that comes to it, what the history has is noted; of
  /// one that leaves it, or whose history is not kept any more, nothing is known later.
  static func open(_ catalog: Catalog, tables: StoreTables, isHistoryKept: Bool, in environment: Environment) throws {
    let wanted = isHistoryKept ? catalog.offlineEntities.map(\.id).sorted() : []
    let known = try environment.read { snapshot in
      try RecordSnapshot(snapshot, catalog: catalog, tables: tables).pushRegistry()
    }
    if known == wanted { return }
    try environment.write { transaction in
      let records = RecordTransaction(transaction, catalog: catalog, tables: tables, author: nil)
      let known = try records.pushRegistry()
      for entity in known where !wanted.contains(entity) { try records.removePushEntries(of: entity) }
      for entity in catalog.offlineEntities where wanted.contains(entity.id) && !known.contains(entity.id) {
        // The stages of a migration may have noted some before it was one of them.
        try records.removePushEntries(of: entity.id)
        try records.seedPushEntries(of: entity)
      }
      try records.writePushRegistry(wanted)
    }
  }

  /// Without a history local changes can't be kept any longer. So a store that has some keeps its history as well.
  ///
  /// - Throws: `RecordError.unsentChanges`.
  static func checkNothingIsUnsent(in snapshot: RecordSnapshot) throws {
    let unsent = try snapshot.catalog.offlineEntities.filter { try snapshot.hasPushEntries(of: $0) }
    if !unsent.isEmpty { throw RecordError.unsentChanges(entities: unsent.map(\.name).sorted()) }
  }
}

extension RecordSnapshot {
  /// The entities whose local changes are kept, in ascending order.
  func pushRegistry() throws -> [EntityID] {
    guard let value = try snapshot.value(for: MetaKey.push, in: tables.meta) else { return [] }
    guard let content = SealedValue.open(value, under: MetaKey.push), content.count % 4 == 0 else {
      throw damagedEntry(tables.meta)
    }
    return stride(from: 0, to: content.count, by: 4).map { offset in
      EntityID(rawValue: content[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) })
    }
  }
}

extension RecordTransaction {
  fileprivate func writePushRegistry(_ entities: [EntityID]) throws {
    let content = entities.flatMap(PushKey.prefix)
    try transaction.put(SealedValue.seal(content, under: MetaKey.push), for: MetaKey.push, in: tables.meta)
  }

  fileprivate func removePushEntries(of entity: EntityID) throws {
    guard let table = tables.push else { return }
    var keys: [[UInt8]] = []
    try snapshot.scan(table, in: .prefix(PushKey.prefix(entity))) { key, _ in
      keys.append([UInt8](key))
      return .continue
    }
    for key in keys { _ = try transaction.delete(key, in: table) }
  }

  /// Notes what the history has of an entity's local changes. What rows were before isn't known.
  fileprivate func seedPushEntries(of entity: Entity) throws {
    guard let identity = entity.identity?.propertyIndex else { return }
    var entries: [RowNumber: PushEntry] = [:]
    try forEachTransaction { transaction in
      guard let rows = transaction.changes(catalog).entities[entity.id] else { return .continue }
      if transaction.author == InboundAuthor.name {
        for row in rows.deleted { entries[row] = nil }
        return .continue
      }
      func entry(_ row: RowNumber, _ change: PushEntry.FirstChange) -> PushEntry {
        var entry = entries[row] ?? PushEntry(row, change, in: transaction.token, at: transaction.timestamp)
        entry.noteChange(in: transaction.token, at: transaction.timestamp)
        return entry
      }
      for row in rows.inserted { entries[row] = entry(row, .insert) }
      for (row, properties) in rows.updated {
        guard let properties = catalog.told(properties, of: entity) else { continue }
        entries[row] = entry(row, .update)
        entries[row]?.changed.formUnion(properties)
      }
      for (position, row) in rows.deleted.enumerated() {
        let value = rows.tombstones.value(of: identity, at: position) ?? .null
        if entries[row]?.isInserted == true || value == .null {
          entries[row] = nil
        } else {
          entries[row] = entry(row, .delete)
          entries[row]?.deletedIdentity = value
        }
      }
      return .continue
    }
    for entry in entries.values.sorted(by: { $0.row < $1.row }) { try put(entry, of: entity) }
  }
}
