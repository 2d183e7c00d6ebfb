import Records

/// The rows of one entity that were changed here and not pushed yet, as a pass finds them. There are as many as local changes.
final class DirtyRows {
  /// What becomes of a dirty row that an object speaks of.
  enum Decision {
    /// It stays as it is here, or becomes a merge of both sides.
    case keep
    /// It becomes what the payload says.
    case overwrite
  }

  /// What is written for a row that isn't overwritten.
  struct KeptRow {
    let slot: Int
    /// The row, or the number that it had when it was deleted.
    let row: RowNumber
    /// Values of the server that are taken.
    let taken: [ServerValue]
    /// What the server has and was not known to have.
    let news: [ServerValue]
    /// The properties in which the row is as the server has it, then.
    let agreed: PropertySet
  }

  /// What was decided, by slot, about the rows that the payload has spoken of.
  private(set) var decisions: [Int: Decision] = [:]
  /// Of the batch: to be written when all of it is decided.
  private(set) var kept: [KeptRow] = []
  /// Rows that take over what the payload says: to be noted when that is written.
  private(set) var overwritten: [(row: RowNumber, server: ServerRow)] = []

  private let entries: [RowNumber: PushEntry]
  /// By the slots of their identities.
  private let deletedEntries: [Int: PushEntry]
  /// The slots of identities that rows had before they were given others here.
  private let formerSlots: Set<Int>

  /// Nil if the entity has no dirty rows.
  init?(of entity: Entity, _ identities: IdentityMap, in snapshot: RecordSnapshot) throws {
    guard entity.isOfflineEnabled, try snapshot.hasPushEntries(of: entity) else { return nil }
    var entries: [RowNumber: PushEntry] = [:]
    var deletedEntries: [Int: PushEntry] = [:]
    var formerSlots: Set<Int> = []
    try snapshot.forEachPushEntry(of: entity) { entry in
      if let identity = entry.deletedIdentity {
        if let slot = identities.slot(of: identity) { deletedEntries[slot] = entry }
      } else {
        entries[entry.row] = entry
        if let identity = try snapshot.formerIdentity(of: entry, entity), let slot = identities.slot(of: identity) {
          formerSlots.insert(slot)
        }
      }
      return .continue
    }
    self.entries = entries
    self.deletedEntries = deletedEntries
    self.formerSlots = formerSlots
  }

  /// What is known of a row; nil if it isn't dirty.
  subscript(row: RowNumber) -> PushEntry? { entries[row] }

  /// What is known of a row that was deleted here, by the slot of its identity.
  func deleted(_ slot: Int) -> PushEntry? { deletedEntries[slot] }

  /// Whether an identity is one that a row had before it was given another one here.
  func isFormer(_ slot: Int) -> Bool { formerSlots.contains(slot) }

  func keep(_ row: RowNumber, slot: Int, _ comparison: RowComparison, taking taken: [ServerValue]) {
    decisions[slot] = .keep
    var agreed = comparison.agreed
    for value in taken { agreed.insert(value.property) }
    if comparison.news.isEmpty && agreed.isEmpty { return }
    kept.append(KeptRow(slot: slot, row: row, taken: taken, news: comparison.news, agreed: agreed))
  }

  func overwrite(_ row: RowNumber, slot: Int, by server: ServerRow) {
    decisions[slot] = .overwrite
    overwritten.append((row, server))
    // The same identity may have been deleted here and given to a new row.
    if let deleted = deletedEntries[slot], deleted.row != row { overwritten.append((deleted.row, server)) }
  }

  func removeKept() { kept = [] }
}

/// Writing what was decided.
extension SyncPass {
  /// Writes what dirty rows take from the batch, and notes what the server is known to have.
  func writeKeptRows() throws {
    for pass in entities {
      guard let dirty = pass.dirty else { continue }
      for row in dirty.kept { try write(row, of: pass) }
      dirty.removeKept()
    }
  }

  private func write(_ kept: DirtyRows.KeptRow, of pass: EntityPass) throws {
    if !kept.taken.isEmpty {
      try rewrite(kept.row, slot: kept.slot, of: pass) {
        for value in kept.taken { pass.builder.set(value.field, value.value) }
      }
    }
    try transaction.rebasePush(
      of: kept.row, pass.entity, on: kept.news.map { ($0.property, $0.value) }, agreed: kept.agreed)
  }

  /// Notes that dirty rows have become what the payload says.
  func writeOverwrittenRows() throws {
    for pass in entities {
      for (row, server) in pass.dirty?.overwritten ?? [] {
        try transaction.adoptPush(
          of: row, pass.entity, server.values.map { ($0.property, $0.value) }, shown: server.properties)
      }
    }
  }
}
