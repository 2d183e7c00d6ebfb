import Records

/// The objects of a context by row, so that a row has one object. Keeps none of them alive.
struct IdentityMap {
  private struct Key: Hashable {
    let table: EntityID
    let row: RowNumber
  }

  private struct Entry {
    weak var object: ManagedObject?
  }

  private var entries: [Key: Entry] = [:]
  /// With so many entries those of objects that are gone are dropped.
  private var countMax = 256

  subscript(row: RowNumber, table: EntityID) -> ManagedObject? {
    entries[Key(table: table, row: row)]?.object
  }

  var objects: [(table: EntityID, row: RowNumber, object: ManagedObject)] {
    entries.compactMap { key, entry in entry.object.map { (key.table, key.row, $0) } }
  }

  mutating func insert(_ object: ManagedObject, _ row: RowNumber, _ table: EntityID) {
    entries[Key(table: table, row: row)] = Entry(object: object)
    guard entries.count > countMax else { return }
    entries = entries.filter { $0.value.object != nil }
    countMax = max(256, entries.count * 2)
  }

  mutating func remove(_ row: RowNumber, _ table: EntityID) {
    entries[Key(table: table, row: row)] = nil
  }
}
