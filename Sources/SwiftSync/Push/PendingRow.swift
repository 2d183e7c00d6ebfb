import Records

/// The local changes of one identity, made of the entries of all rows that have or had it.
///
/// Mostly that is one row. One that was deleted and made again is two, and on the server it is one that has changed.
struct PendingRow: Sendable {
  let identity: FieldValue
  let kind: SyncChangeKind
  /// Whether it waits in the inbox.
  let isParked: Bool
  /// In the order in which they became dirty.
  let entries: [PushEntry]
  /// The entry that decides what is to be done: of the row that is there, or else the last one.
  let decisive: PushEntry
  /// The row as it was read; nil for a deletion, and where it was not asked for.
  var record: Record?
  /// What the server was last known to have; nil if that isn't known, or nothing, and where it was not asked for.
  var base: PushBase?
  /// The identity by which the server knows the row, if it was given another one here; nil where it was not asked for.
  var formerIdentity: FieldValue?

  init?(_ identity: FieldValue, _ entries: [PushEntry]) {
    let live = entries.last { !$0.isDeleted }
    guard let decisive = live ?? entries.last else { return nil }
    self.identity = identity
    self.entries = entries
    self.decisive = decisive
    isParked = decisive.isParked
    let isKnown = entries.contains { !$0.isInserted }
    kind = live == nil ? .delete : isKnown ? .update : .insert
  }

  /// The last local change.
  var last: Records.HistoryToken { newest.last }

  private var newest: PushEntry { entries.max { $0.last < $1.last } ?? decisive }

  /// The entry of the row that the server was last known to have.
  var known: PushEntry { entries.first { $0.hasBase } ?? decisive }

  /// Numbers of the properties that differ from what the server has, or may: what was sent without an answer does, whatever it is now.
  func changed(of entity: Entity, in catalog: Catalog) -> PropertySet {
    guard kind != .delete else { return PropertySet() }
    let everything = catalog.told(.everything, of: entity) ?? PropertySet()
    if kind == .insert { return everything }
    // A row that was made again differs in what its record says, and may in members.
    let touched = entries.count == 1 ? decisive.changed : everything
    guard !decisive.isHandedOut, let base, let record else { return touched }
    return record.withView { base.differences(from: $0, among: touched, of: entity) }
  }

  /// The same text for the same changes of the same row of the same store, and another one for others, also if the store was put back
  /// to a backup meanwhile and has the tokens of before once more.
  func idempotencyKey(_ entity: Entity, in storeIdentifier: String) -> String {
    func text(_ number: UInt64) -> String { String(number, radix: 36) }
    let numbers = [
      UInt64(entity.id.rawValue), decisive.row.rawValue, last.rawValue,
      newest.lastTime.timeIntervalSinceReferenceDate.bitPattern,
    ]
    return ([storeIdentifier] + numbers.map(text)).joined(separator: "-")
  }
}

extension RecordSnapshot {
  /// The local changes of an entity, by identity, in the order in which the rows were first changed.
  ///
  /// Rows without an identity are left out. What rows are, and were, is not read.
  func pendingRows(of entity: Entity) throws -> [PendingRow] {
    guard let field = entity.identity?.field else { return [] }
    var places: [FieldValue: Int] = [:]
    var groups: [(identity: FieldValue, entries: [PushEntry])] = []
    for entry in try pushEntries(of: entity) {
      guard let identity = try entry.deletedIdentity ?? withRecord(entry.row, of: entity, { $0.value(field) }),
        identity != .null
      else { continue }
      if let place = places[identity] {
        groups[place].entries.append(entry)
      } else {
        places[identity] = groups.count
        groups.append((identity, [entry]))
      }
    }
    return groups.compactMap { PendingRow($0.identity, $0.entries) }
  }

  /// The same with what the row is, and was.
  func reading(_ row: PendingRow, of entity: Entity) throws -> PendingRow {
    var row = row
    row.record = try record(row.decisive.row, of: entity)
    row.base = try pushBase(of: row.known.row, entity)
    row.formerIdentity = try formerIdentity(of: row.decisive, entity)
    return row
  }
}
