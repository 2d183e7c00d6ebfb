/// Collects what a transaction does, row by row, into a `ChangeSet`.
struct ChangeCapture {
  /// The changes of one entity.
  private struct Rows {
    /// The first row number that the transaction handed out: from here on rows are its own. Nil: it has inserted none.
    var firstInserted: UInt64?
    var insertedEnd: UInt64 = 0
    var updated: [RowNumber: PropertySet] = [:]
    var deleted: Set<RowNumber> = []
    /// The preserved values of deleted rows, in the order of the deletions.
    var tombstones: [(row: RowNumber, values: [FieldValue])] = []
    /// The rows that were changed after digests were first set, and not given another one since. Nil: none was set.
    var changedAfterDigests: Set<RowNumber>?

    func isInserted(_ row: RowNumber) -> Bool {
      firstInserted.map { row.rawValue >= $0 && row.rawValue < insertedEnd } ?? false
    }
  }

  private let entities: [Entity]
  private var rows: [Rows]

  init(_ catalog: Catalog) {
    entities = catalog.entities
    rows = [Rows](repeating: Rows(), count: catalog.entities.count)
  }

  /// Row numbers are handed out in ascending order, so the inserted rows of a transaction are a range.
  mutating func noteInserted(_ row: RowNumber, entitySlot: Int) {
    if rows[entitySlot].firstInserted == nil { rows[entitySlot].firstInserted = row.rawValue }
    rows[entitySlot].insertedEnd = row.rawValue + 1
  }

  /// Notes a changed property; nil for a change that no property shows.
  mutating func noteUpdated(_ row: RowNumber, property: Int?, entitySlot: Int) {
    guard let property else { return }
    rows[entitySlot].changedAfterDigests?.insert(row)
    if rows[entitySlot].isInserted(row) { return }
    rows[entitySlot].updated[row, default: PropertySet()].insert(property)
  }

  mutating func noteUpdated(_ row: RowNumber, properties: PropertySet, entitySlot: Int) {
    rows[entitySlot].changedAfterDigests?.insert(row)
    guard !rows[entitySlot].isInserted(row) else { return }
    rows[entitySlot].updated[row, default: PropertySet()].formUnion(properties)
  }

  /// Notes a deletion, and the values of the entity's preserved attributes.
  mutating func noteDeleted(_ row: RowNumber, preserved: [FieldValue], entitySlot: Int) {
    rows[entitySlot].changedAfterDigests?.insert(row)
    rows[entitySlot].updated[row] = nil
    rows[entitySlot].deleted.insert(row)
    if !preserved.isEmpty, !rows[entitySlot].isInserted(row) { rows[entitySlot].tombstones.append((row, preserved)) }
  }

  /// Whether the transaction inserted the row and did not delete it again.
  func isAliveInsert(_ row: RowNumber, entitySlot: Int) -> Bool {
    rows[entitySlot].isInserted(row) && !rows[entitySlot].deleted.contains(row)
  }

  // MARK: What becomes of digests

  /// Notes that a row was given a digest: what changes from here on makes it void.
  mutating func noteDigest(of row: RowNumber, entitySlot: Int) {
    if rows[entitySlot].changedAfterDigests == nil { rows[entitySlot].changedAfterDigests = [] }
    rows[entitySlot].changedAfterDigests?.remove(row)
  }

  func rowsChangedAfterDigests(entitySlot: Int) -> Set<RowNumber> { rows[entitySlot].changedAfterDigests ?? [] }

  /// Whether a row that existed before has another identity now.
  var hasChangedIdentities: Bool {
    zip(entities, rows).contains { entity, rows in
      guard let identity = entity.identity?.propertyIndex else { return false }
      return rows.updated.values.contains { $0.contains(identity) }
    }
  }

  /// The rows that existed before and were changed or deleted, in ascending order, with the properties that changed; nil for
  /// those that were deleted.
  func changedRows(of entity: Entity) -> [(row: RowNumber, properties: PropertySet?)] {
    let rows = rows[entity.slot]
    var changed: [(row: RowNumber, properties: PropertySet?)] = []
    for (row, properties) in rows.updated where !properties.isEmpty { changed.append((row, properties)) }
    for row in rows.deleted where !rows.isInserted(row) { changed.append((row, nil)) }
    return changed.sorted { $0.row < $1.row }
  }

  // MARK: The result

  func changeSet(author: String?) -> ChangeSet {
    var result = ChangeSet(author: author)
    for (entity, rows) in zip(entities, rows) {
      var changes = ChangeSet.EntityChanges()
      changes.updated = rows.updated
      if let first = rows.firstInserted {
        changes.inserted = (first..<rows.insertedEnd).lazy.map(RowNumber.init(rawValue:)).filter {
          !rows.deleted.contains($0)
        }
      }
      changes.deleted = rows.deleted.filter { !rows.isInserted($0) }.sorted()
      if !rows.tombstones.isEmpty {
        changes.tombstones = Tombstones(
          properties: entity.preservedAttributes.map(\.propertyIndex),
          values: rows.tombstones.sorted { $0.row < $1.row }.flatMap(\.values))
      }
      if !changes.isEmpty { result.entities[entity.id] = changes }
    }
    return result
  }
}
