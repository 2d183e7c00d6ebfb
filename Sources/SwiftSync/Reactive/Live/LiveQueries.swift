import Contexts
import Records

/// The live queries of a context, and what leads from a commit to those that it concerns.
///
/// A commit costs what its changed rows and the queries that they may concern cost, and nothing for any other query. All queries
/// are brought up to date in one snapshot, together with the objects of the context. Observers are told when it is closed.
final class LiveQueries {
  private var entries: [Int: LiveEntry] = [:]
  private var nextNumber = 0
  private(set) var entities: [EntityID: LiveEntity] = [:]
  /// Queries that are gone are removed when there are twice as many as the last time.
  private var sweepAt = 256
  private var round = 0
  /// The queries of which observers are still to be told.
  private var changed: [LiveQuery] = []
  /// Those whose last fetch has failed: they try again in every round.
  private var failed = LiveSet()
  /// Those that show a row with unsaved edits which others have changed.
  private var conflicted: [LiveQuery] = []
  /// Rows that have another object now, or none, since the last round.
  private var retired: [EntityID: Set<RowNumber>] = [:]

  /// Whether the store is closed.
  private var hasEnded = false

  /// How many queries there may be: some of them may be gone.
  var count: Int { entries.count }
  /// How many were looked at in the last round.
  private(set) var checkedCount = 0

  // MARK: Queries

  /// Registers a query that has just been loaded.
  func add(_ query: LiveQuery, in core: ContainerCore) {
    nextNumber += 1
    let entry = LiveEntry(query, number: nextNumber)
    query.number = nextNumber
    entries[nextNumber] = entry
    file(entry, isNew: true, in: core)
    if entries.count > sweepAt { sweep() }
  }

  func remove(_ query: LiveQuery) {
    if let entry = entries[query.number] { remove(entry) }
  }

  private func sweep() {
    for entry in entries.values where entry.query == nil { remove(entry) }
    sweepAt = max(256, entries.count * 2)
  }

  private func remove(_ entry: LiveEntry) {
    entries[entry.number] = nil
    failed.remove(entry)
    entities[entry.interest.entity.id]?.remove(entry)
    if let scope = entry.scope, scope.relationship != nil { entities[scope.target.id]?.removeScope(entry) }
    for entity in entry.interest.anything { entities[entity]?.removeReader(entry) }
  }

  private func file(_ entry: LiveEntry, isNew: Bool, in core: ContainerCore) {
    entity(entry.interest.entity).file(entry, isNew: isNew)
    if let scope = entry.scope, scope.relationship != nil { entity(scope.target).fileScope(entry, isNew: isNew) }
    if isNew {
      for id in entry.interest.anything {
        if let read = core.store.catalog[id] { entity(read).addReader(entry) }
      }
    }
    if entry.query?.failure == nil { failed.remove(entry) } else { failed.insert(entry) }
  }

  private func entity(_ entity: Entity) -> LiveEntity {
    if let known = entities[entity.id] { return known }
    let made = LiveEntity(entity)
    entities[entity.id] = made
    return made
  }

  // MARK: Rounds

  /// Brings queries up to date with what has been committed, in a snapshot that shows it.
  func update(by content: ChangeMailbox.Content, in context: ModelContext, _ snapshot: RecordSnapshot) {
    defer { retired = [:] }
    if entries.isEmpty { return }
    let start = ContinuousClock.now
    round += 1
    var current = LiveRound(number: round, in: snapshot)
    if case .changes(let changes) = content {
      current.look(at: failed) { $0.demand(.refetch) }
      for (id, rows) in retired { entities[id].map { current.refetch(rows, in: $0) } }
      current.run(ChangedRows(changes), entities)
    } else {
      for entry in entries.values { current.look(at: entry) { $0.noteEverything() } }
    }
    checkedCount = current.looked.count
    for entry in current.looked {
      guard let query = entry.query, query.verdict != .none else { continue }
      if query.verdict == .refetch { refetch(query, entry, in: context, snapshot) }
      query.finishRound()
      changed.append(query)
    }
    for entry in current.gone { remove(entry) }
    ReadReport.send(current.looked.compactMap(\.query), took: start.duration(to: .now))
  }

  /// Notes that the object of a row is gone. The row may be there still: a new object with its identity has become it.
  func noteRetired(_ row: RowNumber, of entity: EntityID) {
    if entities[entity] != nil { retired[entity, default: []].insert(row) }
  }

  /// Fetches a query again, whatever has changed.
  func reload(_ query: LiveQuery, in context: ModelContext, _ snapshot: RecordSnapshot) {
    guard let entry = entries[query.number] else { return }
    refetch(query, entry, in: context, snapshot)
    query.finishRound()
    changed.append(query)
  }

  /// Has observers told of a query that has failed in the place of being fetched.
  func fail(_ query: LiveQuery, with error: any Error) {
    query.fail(error)
    if let entry = entries[query.number] { failed.insert(entry) }
    query.finishRound()
    changed.append(query)
  }

  private func refetch(
    _ query: LiveQuery, _ entry: LiveEntry, in context: ModelContext, _ snapshot: RecordSnapshot
  ) {
    query.load(in: context, snapshot)
    file(entry, isNew: false, in: context.core)
  }

  /// Tells observers. They may read, save and make queries: what that changes is told by itself.
  func announce() {
    let changed = changed
    self.changed = []
    for query in changed { query.announce() }
    if !hasEnded { return }
    for entry in entries.values { entry.query?.ticks.finish() }
  }

  /// The store is closed: has observers told why there will be no other values.
  func end(with error: any Error) {
    if hasEnded { return }
    hasEnded = true
    for query in entries.values.compactMap(\.query) where query.failure == nil { fail(query, with: error) }
  }

  // MARK: Edits

  /// Notes what others have stored in rows of which a context has unsaved edits.
  func noteConflicts(with content: ChangeMailbox.Content, in context: ModelContext) {
    guard case .changes(let changes) = content, !context.unsaved.edited.isEmpty else { return }
    let changed = ChangedRows(changes)
    for model in context.unsaved.edited.objects {
      guard let row = model._$backing.storedRow, let id = model._$backing.binding?.entity.id,
        let changes = changed.entities[id], let entity = entities[id]
      else { continue }
      let properties = changes.updated[row]
      let isDeletion = changes.deleted.contains(row)
      if properties == nil && !isDeletion { continue }
      for query in entity.narrow.entries(having: row).compactMap(\.query) where query.watchesEdits {
        if query.conflict == nil { conflicted.append(query) }
        query.conflict = (query.conflict ?? LiveQuery.Conflict()).adding(properties ?? PropertySet(), isDeletion)
      }
    }
  }

  /// What was unsaved in the context is saved or rolled back.
  func noteSettled() {
    for query in conflicted where query.conflict != nil {
      query.conflict = nil
      changed.append(query)
    }
    conflicted = []
  }
}

extension LiveQuery.Conflict {
  fileprivate func adding(_ properties: PropertySet, _ isDeletion: Bool) -> Self {
    Self(properties: self.properties.union(properties), isDeletion: self.isDeletion || isDeletion)
  }
}
