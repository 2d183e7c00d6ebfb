import Records

/// One round: finds out which queries changed rows concern, and what has to be done about each.
///
/// A row is looked at as it is in the snapshot. That may be newer than the changes, which say only which rows to look at; what has
/// happened since comes with the next round, and is then found done.
struct LiveRound {
  private let number: Int
  private let snapshot: RecordSnapshot
  /// The queries that were asked something.
  private(set) var looked: [LiveEntry] = []
  /// The entries of queries that are gone.
  private(set) var gone: [LiveEntry] = []

  init(number: Int, in snapshot: RecordSnapshot) {
    self.number = number
    self.snapshot = snapshot
  }

  mutating func look(at set: LiveSet, _ body: (LiveQuery) -> Void) {
    for entry in set.entries.values { look(at: entry, body) }
  }

  mutating func look(at entry: LiveEntry, _ body: (LiveQuery) -> Void) {
    guard let query = entry.query else { return gone.append(entry) }
    if query.begin(round: number) { looked.append(entry) }
    body(query)
  }

  mutating func run(_ changes: ChangedRows, _ entities: [EntityID: LiveEntity]) {
    for (id, changed) in changes.entities where !changed.isEmpty {
      guard let entity = entities[id] else { continue }
      look(at: entity.readers) { $0.demand(.refetch) }
      for row in changed.inserted { inserted(row, in: entity) }
      for (row, properties) in changed.updated { updated(row, properties, in: entity) }
      for row in changed.deleted { deleted(row, in: entity) }
    }
    for entity in entities.values {
      for (key, group) in entity.paths { follow(group, key, changes, in: entity) }
    }
  }

  /// Has queries fetch that have one of some rows, of which the objects are gone.
  mutating func refetch(_ rows: Set<RowNumber>, in entity: LiveEntity) {
    for row in rows {
      var entries = entity.narrow.entries(having: row)
      entries += entity.wide.entries.values.filter { $0.query?.holds(row) == true }
      for entry in entries { look(at: entry) { $0.demand(.refetch) } }
    }
  }

  // MARK: Rows

  private mutating func inserted(_ row: RowNumber, in entity: LiveEntity) {
    reading(row, in: entity) { round, record in
      let snapshot = round.snapshot
      for entry in try entity.narrow.entries(matching: row, record, of: entity.entity, in: snapshot) {
        round.look(at: entry) { $0.noteInserted(row, record, in: snapshot) }
      }
      round.look(at: entity.wide) { $0.noteInserted(row, record, in: snapshot) }
      try round.rescope(row, record, in: entity)
    }
  }

  private mutating func updated(_ row: RowNumber, _ properties: PropertySet, in entity: LiveEntity) {
    for entry in entity.scopes.entries(having: row) where entry.isScoped(by: properties) {
      look(at: entry) { $0.demand(.refetch) }
    }
    reading(row, in: entity) { round, record in
      let snapshot = round.snapshot
      for entry in entity.narrow.entries(having: row) {
        round.look(at: entry) { $0.noteUpdated(row, properties, record, in: snapshot) }
      }
      for entry in try entity.narrow.entries(matching: row, record, of: entity.entity, in: snapshot)
      where !properties.isDisjoint(with: entry.interest.deciding) {
        // A query that has the row has been asked already.
        if entry.query?.holds(row) == true { continue }
        round.look(at: entry) { $0.noteUpdated(row, properties, record, in: snapshot) }
      }
      for entry in entity.wide.entries.values
      where !properties.isDisjoint(with: entry.interest.deciding) || entry.query?.holds(row) == true {
        round.look(at: entry) { $0.noteUpdated(row, properties, record, in: snapshot) }
      }
      if entity.scopes.properties.contains(where: properties.contains) { try round.rescope(row, record, in: entity) }
    }
  }

  private mutating func deleted(_ row: RowNumber, in entity: LiveEntity) {
    for entry in entity.scopes.entries(having: row) { look(at: entry) { $0.demand(.refetch) } }
    for entry in entity.narrow.entries(having: row) { look(at: entry) { $0.noteDeleted(row) } }
    for entry in entity.wide.entries.values where entry.query?.isConcerned(byDeletionOf: row) != false {
      look(at: entry) { $0.noteDeleted(row) }
    }
  }

  /// The row may be the one that limits queries by its identity.
  private mutating func rescope(_ row: RowNumber, _ record: RecordView, in entity: LiveEntity) throws {
    for entry in try entity.scopes.entries(matching: row, record, of: entity.entity, in: snapshot) {
      look(at: entry) { query in
        if !query.scopeRows.contains(row) { query.demand(.refetch) }
      }
    }
  }

  /// Runs a closure on a row's record. A row that is gone by now is like one that is deleted. Where it cannot be read, the queries
  /// of the entity fetch, and so find out why.
  private mutating func reading(
    _ row: RowNumber, in entity: LiveEntity, _ body: (inout LiveRound, RecordView) throws -> Void
  ) {
    if entity.wide.isEmpty && entity.narrow.isEmpty && entity.scopes.isEmpty { return }
    do {
      let isPresent: Void? = try snapshot.withRecord(row, of: entity.entity) { try body(&self, $0) }
      if isPresent == nil { deleted(row, in: entity) }
    } catch {
      look(at: entity.wide) { $0.demand(.refetch) }
      for entry in entity.narrow.entries(having: row) { look(at: entry) { $0.demand(.refetch) } }
    }
  }

  // MARK: Related rows

  /// More rows than this are visited on the way to queries only if it is less work than looking from these.
  private static let visitsMin = 256

  /// Rows have changed at the end of a way. What leads there from rows of queries is found from the smaller side.
  private mutating func follow(
    _ group: LiveEntity.PathGroup, _ key: [RelationshipID], _ changes: ChangedRows, in entity: LiveEntity
  ) {
    guard let end = group.hops.last?.destination, let changed = changes.entities[end]?.updated else { return }
    let relevant = changed.filter { !$0.value.isDisjoint(with: group.everything) }
    if relevant.isEmpty { return }
    let deciding = relevant.values.contains { !$0.isDisjoint(with: group.deciding) }
    do {
      let held =
        entity.narrow.byRow.count + group.wide.entries.values.reduce(0) { $0 + ($1.query?.rowNumbers.count ?? 0) }
      let sources =
        try RelatedRows.sources(
          of: relevant, along: group.hops, visitsMax: deciding ? nil : max(Self.visitsMin, held), in: snapshot)
        ?? RelatedRows.sources(of: relevant, along: group.hops, among: rows(of: group, in: entity), in: snapshot)
      for (row, properties) in sources { try related(row, properties, group, key, in: entity) }
    } catch {
      look(at: group.wide) { $0.demand(.refetch) }
    }
  }

  /// The rows that queries have for which a way matters.
  private func rows(of group: LiveEntity.PathGroup, in entity: LiveEntity) -> Set<RowNumber> {
    var result = Set(entity.narrow.byRow.keys)
    for entry in group.wide.entries.values { result.formUnion(entry.query?.rowNumbers ?? []) }
    return result
  }

  /// Properties have changed at the end of a way that begins at a row.
  private mutating func related(
    _ row: RowNumber, _ properties: PropertySet, _ group: LiveEntity.PathGroup, _ key: [RelationshipID],
    in entity: LiveEntity
  ) throws {
    let isDeciding = !properties.isDisjoint(with: group.deciding)
    var concerned = entity.narrow.entries(having: row)
    concerned += group.wide.entries.values.filter { isDeciding || $0.query?.holds(row) != false }
    try snapshot.withRecord(row, of: entity.entity) { record in
      if isDeciding {
        concerned += try entity.narrow.entries(matching: row, record, of: entity.entity, in: snapshot)
      }
      for entry in concerned {
        guard let path = entry.path(key), !properties.isDisjoint(with: path.everything),
          !properties.isDisjoint(with: path.deciding) || entry.query?.holds(row) != false
        else { continue }
        let snapshot = snapshot
        look(at: entry) { query in
          query.noteChanged(
            row, record, decidesMembership: !properties.isDisjoint(with: path.members),
            decidesOrder: !properties.isDisjoint(with: path.order), in: snapshot)
        }
      }
    }
  }
}

extension LiveEntry {
  /// Whether properties of a row decide whether it is the one that limits the query.
  fileprivate func isScoped(by properties: PropertySet) -> Bool {
    scope?.identity.map { properties.contains($0.key.property) } ?? true
  }
}

extension LiveQuery {
  fileprivate func noteUpdated(
    _ row: RowNumber, _ properties: PropertySet, _ record: RecordView, in snapshot: RecordSnapshot
  ) {
    noteChanged(
      row, record, decidesMembership: !properties.isDisjoint(with: interest.members),
      decidesOrder: !properties.isDisjoint(with: interest.order), in: snapshot)
  }

  fileprivate func isConcerned(byDeletionOf row: RowNumber) -> Bool { window.offset > 0 || holds(row) }
}
