import FoundationEssentials
import KeyValueStore

/// Noting what local edits have done, in the commit of the edits: so that a crash leaves both or neither.
extension RecordTransaction {
  /// Keeps what a row is, before the transaction changes it for the first time.
  func keepBase(_ record: RecordView, row: RowNumber, of entity: Entity) {
    guard keepsBases, entity.isOfflineEnabled, !capture.isAliveInsert(row, entitySlot: entity.slot) else { return }
    if bases[entity.slot][row] == nil { bases[entity.slot][row] = [UInt8](record.bytes) }
  }

  /// Notes the changes of a transaction at its end, when it is known where it lies in the history.
  ///
  /// The inbound author's change nothing but that rows which it has deleted are not dirty any more: a server has answered.
  func noteForPush(_ changes: ChangeSet) throws {
    guard let table = tables.push, let token = changes.token, let time = changes.timestamp else { return }
    for entity in catalog.offlineEntities {
      guard let rows = changes.entities[entity.id] else { continue }
      if changes.author == InboundAuthor.name {
        try forgetPushEntries(of: rows.deleted, entity)
      } else {
        var noting = try LocalChangeNoting(of: entity, in: token, at: time, self)
        try noting.note(rows)
        try noting.write(to: table)
      }
    }
  }

  private func forgetPushEntries(of rows: [RowNumber], _ entity: Entity) throws {
    guard !rows.isEmpty, try hasPushEntries(of: entity) else { return }
    for row in rows {
      if let entry = try pushEntry(of: row, entity) { try removePushEntry(entry, of: entity) }
    }
  }
}

/// What a local transaction adds to what is known of an entity's dirty rows.
private struct LocalChangeNoting {
  private let entity: Entity
  private let token: HistoryToken
  private let time: Date
  private let records: RecordTransaction
  /// Whether there may be something to add to.
  private let hasEntries: Bool
  private var entries: [PushEntry] = []
  private var bases: [(row: RowNumber, base: PushBase)] = []

  init(of entity: Entity, in token: HistoryToken, at time: Date, _ records: RecordTransaction) throws {
    self.entity = entity
    self.token = token
    self.time = time
    self.records = records
    hasEntries = try records.hasPushEntries(of: entity)
  }

  mutating func note(_ changes: ChangeSet.EntityChanges) throws {
    for (row, properties) in changes.updated { try noteUpdate(of: row, properties) }
    if let identity = entity.identity?.propertyIndex {
      for (position, row) in changes.deleted.enumerated() {
        try noteDeletion(of: row, changes.tombstones.value(of: identity, at: position) ?? .null)
      }
    }
    entries.sort { $0.row < $1.row }
    bases.sort { $0.row < $1.row }
    // They come behind all rows that were there before.
    entries += changes.inserted.map { PushEntry($0, .insert, in: token, at: time) }
  }

  private mutating func noteUpdate(of row: RowNumber, _ properties: PropertySet) throws {
    guard let told = records.catalog.told(properties, of: entity) else { return }
    var entry = try known(row) ?? new(row, .update)
    entry.changed.formUnion(told)
    entry.noteChange(in: token, at: time)
    entries.append(entry)
  }

  private mutating func noteDeletion(of row: RowNumber, _ identity: FieldValue) throws {
    let earlier = try known(row)
    // What no server has heard of need not be told, and what has no identity cannot be.
    if identity == .null || earlier.map({ $0.isInserted && !$0.isHandedOut }) == true {
      if let earlier { try records.removePushEntry(earlier, of: entity) }
      return
    }
    var entry = try earlier ?? new(row, .delete)
    entry.deletedIdentity = identity
    entry.noteChange(in: token, at: time)
    entries.append(entry)
  }

  /// What is known of a row. An edit answers what the server said against it.
  private func known(_ row: RowNumber) throws -> PushEntry? {
    guard hasEntries, var entry = try records.pushEntry(of: row, entity) else { return nil }
    if entry.hasRefusal { try records.removePushPart(.refusal, of: row, entity) }
    entry.hasRefusal = false
    entry.isParked = false
    return entry
  }

  private mutating func new(_ row: RowNumber, _ change: PushEntry.FirstChange) throws -> PushEntry {
    var entry = PushEntry(row, change, in: token, at: time)
    if let base = try base(of: row) {
      bases.append((row, base))
      entry.hasBase = true
    }
    return entry
  }

  /// What a row was before: as it is still, if only members or nothing that differs have changed.
  private func base(of row: RowNumber) throws -> PushBase? {
    if let bytes = records.bases[entity.slot][row] {
      return bytes.withUnsafeBytes { PushBase(RecordView($0, entity.layout), of: entity) }
    }
    return try records.withRecord(row, of: entity) { PushBase($0, of: entity) }
  }

  func write(to table: Table) throws {
    try records.transaction.withSortedWriter(in: table) { writer in
      for entry in entries {
        try writer.put(entry.sealed(for: entity), for: PushKey(.entry, of: entry.row, entity.id).bytes)
      }
      for (row, base) in bases {
        let key = PushKey(.base, of: row, entity.id).bytes
        try writer.put(base.sealed(under: key), for: key)
      }
    }
  }
}
