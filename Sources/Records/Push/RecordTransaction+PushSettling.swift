import FoundationEssentials

/// What a server has answered for a row that was sent to it.
package struct PushAnswer: Sendable {
  package enum Verdict: Sendable, Equatable {
    /// It has the changes.
    case taken
    /// It will not take them as they are.
    case refused(reason: String, code: String?)
  }

  package let row: RowNumber
  package let verdict: Verdict
  /// The row as it was sent at the earliest; nil for a deletion.
  package let sent: Record?

  package init(_ row: RowNumber, _ verdict: Verdict, sent: Record?) {
    self.row = row
    self.verdict = verdict
    self.sent = sent
  }
}

extension RecordTransaction {
  /// Notes that rows are about to be sent, so that a server may have them from now on, whatever comes of it: a row that was made here
  /// and is deleted before the server has answered has then to be deleted there, too, and a property that was changed has to be sent again
  /// also when it is changed back.
  ///
  /// - Parameters:
  ///   - rows: What is sent of each. Deletions need no note.
  ///   - entity: Whose rows.
  ///   - token: The last transaction that was to be seen when the rows were read.
  /// - Throws: `RecordError.damagedEntry`.
  package func noteHandedOut(
    _ rows: [(row: RowNumber, sent: PropertySet)], of entity: Entity, through token: HistoryToken
  ) throws {
    for (row, sent) in rows {
      guard var entry = try pushEntry(of: row, entity), !entry.isDeleted, !entry.isHandedOut else { continue }
      entry.isHandedOut = true
      // What was changed and changed back before that no server has heard of.
      if !entry.isInserted, entry.last <= token, !sent.isEmpty { entry.changed = entry.changed.intersection(sent) }
      try put(entry, of: entity)
    }
  }

  /// Settles rows for which a server has answered.
  ///
  /// A row that was edited behind the token that was sent stays dirty: what the server has taken is then what it was before, and of a
  /// refusal nothing is noted, because the next edit may be its answer.
  ///
  /// - Parameters:
  ///   - answers: One for each row at most.
  ///   - entity: Whose rows.
  ///   - token: The last transaction that was to be seen when the rows were read.
  ///   - now: The time to note.
  /// - Returns: The rows that were edited meanwhile.
  /// - Throws: `RecordError.damagedEntry`, `.damagedTransaction`.
  package func settlePush(
    _ answers: [PushAnswer], of entity: Entity, through token: HistoryToken, now: Date
  ) throws -> [RowNumber] {
    var edited: [RowNumber] = []
    var later: LaterChanges?
    for answer in answers {
      guard var entry = try pushEntry(of: answer.row, entity) else { continue }
      switch answer.verdict {
      case .taken where entry.last <= token:
        try removePushEntry(entry, of: entity)
      case .taken:
        edited.append(answer.row)
        let known = try later ?? LaterChanges(of: entity, behind: token, in: self)
        later = known
        known.reduce(&entry)
        entry.isInserted = false
        entry.isHandedOut = false
        try setBase(answer.sent, of: &entry, entity)
      case .refused(let reason, let code) where entry.last <= token:
        let earlier = try pushRefusal(of: answer.row, entity)
        let refusal = PushRefusal(
          reason: reason, code: code, attempts: (earlier?.attempts ?? 0) + 1, since: earlier?.since ?? now)
        try put(refusal, of: answer.row, entity)
        entry.hasRefusal = true
        entry.isParked = true
        try put(entry, of: entity)
      case .refused:
        edited.append(answer.row)
      }
    }
    return edited
  }

  /// Says what the server is now known to have of a dirty row, and that it has the row.
  package func rebasePush(of row: RowNumber, _ entity: Entity, on record: Record) throws {
    guard var entry = try pushEntry(of: row, entity) else { return }
    entry.isInserted = false
    try setBase(record, of: &entry, entity)
  }

  private func setBase(_ record: Record?, of entry: inout PushEntry, _ entity: Entity) throws {
    if let record {
      try put(record.withView { PushBase($0, of: entity) }, of: entry.row, entity)
      entry.hasBase = true
    }
    try put(entry, of: entity)
  }

  /// Has a refused row sent again with the next push. What was said against it stays known until it is answered or edited.
  ///
  /// - Returns: False when it isn't parked.
  package func unparkPush(of row: RowNumber, _ entity: Entity) throws -> Bool {
    guard var entry = try pushEntry(of: row, entity), entry.isParked else { return false }
    entry.isParked = false
    try put(entry, of: entity)
    return true
  }

  /// Makes a row clean without a word to or from the server.
  package func forgetPush(of row: RowNumber, _ entity: Entity) throws {
    if let entry = try pushEntry(of: row, entity) { try removePushEntry(entry, of: entity) }
  }
}

/// What local transactions behind a token did to the rows of an entity.
private struct LaterChanges {
  private struct Change {
    let first: HistoryToken
    let kind: PushEntry.FirstChange
    var properties = PropertySet()
  }

  /// Nil when the history does not go back so far.
  private var changes: [RowNumber: Change]?

  init(of entity: Entity, behind token: HistoryToken, in records: RecordTransaction) throws {
    var changes: [RowNumber: Change] = [:]
    do {
      try records.forEachTransaction(after: token) { transaction in
        guard transaction.author != InboundAuthor.name,
          let rows = transaction.changes(records.catalog).entities[entity.id]
        else { return .continue }
        for (row, properties) in rows.updated {
          guard let properties = records.catalog.told(properties, of: entity) else { continue }
          changes[row, default: Change(first: transaction.token, kind: .update)].properties.formUnion(properties)
        }
        for row in rows.deleted where changes[row] == nil {
          changes[row] = Change(first: transaction.token, kind: .delete)
        }
        return .continue
      }
      self.changes = changes
    } catch RecordError.historyExpired, RecordError.historyNotKept {
      self.changes = nil
    }
  }

  /// Leaves of what is known of a row only what came later. If that isn't known, nothing is taken away.
  func reduce(_ entry: inout PushEntry) {
    guard let change = changes?[entry.row] else { return }
    entry.first = change.first
    entry.firstChange = change.kind
    entry.changed = change.properties
  }
}
