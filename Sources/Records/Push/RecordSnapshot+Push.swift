import KeyValueStore

extension RecordSnapshot {
  /// Whether any row of the store is dirty. Takes the same time however many there are.
  package func hasPushEntries() throws -> Bool {
    guard let table = tables.push else { return false }
    return try snapshot.count(in: table) > 0
  }

  /// Whether any row of an entity is dirty. One look-up, and none while no row of the store is.
  package func hasPushEntries(of entity: Entity) throws -> Bool {
    guard try hasPushEntries(), let table = tables.push else { return false }
    let prefix = PushKey.prefix(entity.id, .entry)
    return try snapshot.withCursor(in: table) { cursor in
      try cursor.seek(to: prefix) && cursor.key.starts(with: prefix)
    }
  }

  /// What has happened to a row; nil if it isn't dirty.
  ///
  /// - Throws: `RecordError.damagedEntry`.
  package func pushEntry(of row: RowNumber, _ entity: Entity) throws -> PushEntry? {
    try pushPart(PushKey(.entry, of: row, entity.id)) { reader throws(MalformedBytes) in
      try PushEntry(row, from: &reader, entity.propertyNumbers)
    }
  }

  /// What a dirty row was before; nil when it isn't dirty, was made here, or became dirty before this was kept.
  ///
  /// - Throws: `RecordError.damagedEntry`.
  package func pushBase(of row: RowNumber, _ entity: Entity) throws -> PushBase? {
    try pushPart(PushKey(.base, of: row, entity.id)) { reader throws(MalformedBytes) in try PushBase(from: &reader) }
  }

  /// The identity by which the server knows a dirty row that was given another one here; nil if it has the same, or that isn't known.
  ///
  /// - Throws: `RecordError.damagedEntry`.
  package func formerIdentity(of entry: PushEntry, _ entity: Entity) throws -> FieldValue? {
    guard let identity = entity.identity, entry.hasBase, !entry.isDeleted,
      entry.changed.contains(identity.propertyIndex),
      let former = try pushBase(of: entry.row, entity)?.value(of: identity.propertyIndex, entity), former != .null
    else { return nil }
    let isSame = try withRecord(entry.row, of: entity) { $0.value(identity.field).hasSameContent(as: former) }
    return isSame == false ? former : nil
  }

  /// What the server said against a row's changes; nil if it did not. It stays while the row is to be tried again.
  ///
  /// - Throws: `RecordError.damagedEntry`.
  package func pushRefusal(of row: RowNumber, _ entity: Entity) throws -> PushRefusal? {
    try pushPart(PushKey(.refusal, of: row, entity.id)) { reader throws(MalformedBytes) in
      try PushRefusal(from: &reader)
    }
  }

  /// Runs a closure on what has happened to each dirty row of an entity, in ascending order of the rows. Takes time in proportion
  /// to their number. In a transaction the closure must not write.
  ///
  /// - Throws: `RecordError.damagedEntry`, and what the closure throws.
  package func forEachPushEntry(of entity: Entity, _ body: (PushEntry) throws -> ScanStep) throws {
    guard let table = tables.push, try hasPushEntries() else { return }
    try snapshot.scan(table, in: .prefix(PushKey.prefix(entity.id, .entry))) { key, value in
      guard let row = PushKey(key)?.row else { throw damagedEntry(table) }
      return try body(
        open(key, value) { reader throws(MalformedBytes) in
          try PushEntry(row, from: &reader, entity.propertyNumbers)
        })
    }
  }

  /// The dirty rows of an entity, in the order in which they became dirty.
  package func pushEntries(of entity: Entity) throws -> [PushEntry] {
    var entries: [PushEntry] = []
    try forEachPushEntry(of: entity) { entry in
      entries.append(entry)
      return .continue
    }
    return entries.sorted {
      ($0.first, $0.firstChange.rawValue, $0.row) < ($1.first, $1.firstChange.rawValue, $1.row)
    }
  }

  /// A dirty row of any entity.
  package struct DirtyRow {
    package let entity: Entity
    package let entry: PushEntry
    /// Null if it has none.
    package let identity: FieldValue
  }

  /// The dirty rows that would go with a row, by a cascade, if it were deleted. Takes no time while no row of the store is dirty.
  ///
  /// - Throws: `RecordError` for damage.
  package func dirtyRows(below row: RowNumber, of entity: Entity) throws -> [DirtyRow] {
    guard try hasPushEntries() else { return [] }
    let cascade = try cascade(from: Cascade.Target(entitySlot: entity.slot, row: row))
    return try cascade.targets.dropFirst().compactMap { target in
      let entity = catalog.entities[target.entitySlot]
      guard let entry = try pushEntry(of: target.row, entity) else { return nil }
      let identity = try entity.identity.flatMap { identity in
        try withRecord(target.row, of: entity) { $0.value(identity.field) }
      }
      return DirtyRow(entity: entity, entry: entry, identity: identity ?? .null)
    }
  }

  private func pushPart<Part>(
    _ key: PushKey, _ read: (inout CompactReader) throws(MalformedBytes) -> Part
  ) throws -> Part? {
    guard let table = tables.push, try hasPushEntries() else { return nil }
    return try key.bytes.withUnsafeBytes { key in
      try snapshot.withValue(for: key, in: table) { try open(key, $0, read) }
    }
  }

  func open<Part>(
    _ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer,
    _ read: (inout CompactReader) throws(MalformedBytes) -> Part
  ) throws -> Part {
    guard let content = SealedValue.open(value, under: key) else {
      throw RecordError.damagedEntry(table: StoreTables.pushName)
    }
    var reader = CompactReader(content)
    do {
      return try read(&reader)
    } catch {
      throw RecordError.damagedEntry(table: StoreTables.pushName)
    }
  }
}
