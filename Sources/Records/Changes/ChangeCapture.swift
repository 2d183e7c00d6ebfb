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
    guard let property, !rows[entitySlot].isInserted(row) else { return }
    rows[entitySlot].updated[row, default: PropertySet()].insert(property)
  }

  mutating func noteUpdated(_ row: RowNumber, properties: PropertySet, entitySlot: Int) {
    guard !rows[entitySlot].isInserted(row) else { return }
    rows[entitySlot].updated[row, default: PropertySet()].formUnion(properties)
  }

  /// Notes a deletion, and the values of the entity's preserved attributes.
  mutating func noteDeleted(_ row: RowNumber, preserved: [FieldValue], entitySlot: Int) {
    rows[entitySlot].updated[row] = nil
    rows[entitySlot].deleted.insert(row)
    if !preserved.isEmpty, !rows[entitySlot].isInserted(row) { rows[entitySlot].tombstones.append((row, preserved)) }
  }

  /// Whether the transaction inserted the row and did not delete it again.
  func isAliveInsert(_ row: RowNumber, entitySlot: Int) -> Bool {
    rows[entitySlot].isInserted(row) && !rows[entitySlot].deleted.contains(row)
  }

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
