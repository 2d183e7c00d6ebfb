import Records

/// Leads from a row to the queries that it may concern, without looking at the others: by the rows that they have, and by the value
/// that all their rows have in common.
struct LiveColumns {
  /// The queries that have a row.
  private(set) var byRow: [RowNumber: LiveSet] = [:]
  private var byValue: [Int: [FieldValue: LiveSet]] = [:]

  var isEmpty: Bool { byValue.isEmpty && byRow.isEmpty }
  /// The properties by whose values queries are found.
  var properties: [Int] { Array(byValue.keys) }

  func entries(having row: RowNumber) -> [LiveEntry] {
    byRow[row].map { Array($0.entries.values) } ?? []
  }

  func entries(under value: FieldValue, of property: Int) -> [LiveEntry] {
    byValue[property]?[value].map { Array($0.entries.values) } ?? []
  }

  mutating func insert(_ entry: LiveEntry, under key: LiveKey) {
    byValue[key.property, default: [:]][key.value, default: LiveSet()].insert(entry)
  }

  mutating func remove(_ entry: LiveEntry, under key: LiveKey) {
    byValue[key.property]?[key.value]?.remove(entry)
    guard byValue[key.property]?[key.value]?.isEmpty == true else { return }
    byValue[key.property]?[key.value] = nil
    if byValue[key.property]?.isEmpty == true { byValue[key.property] = nil }
  }

  mutating func insert(_ entry: LiveEntry, having rows: [RowNumber]) {
    for row in rows { byRow[row, default: LiveSet()].insert(entry) }
  }

  mutating func remove(_ entry: LiveEntry, having rows: [RowNumber]) {
    for row in rows {
      byRow[row]?.remove(entry)
      if byRow[row]?.isEmpty == true { byRow[row] = nil }
    }
  }

  /// The queries whose rows have the value that a row has of some property.
  func entries(
    matching row: RowNumber, _ record: RecordView, of entity: Entity, in snapshot: RecordSnapshot
  ) throws -> [LiveEntry] {
    var result: [LiveEntry] = []
    for (property, entries) in byValue {
      for value in try entity.values(of: property, row, record, in: snapshot) {
        if let found = entries[value] { result += found.entries.values }
      }
    }
    return result
  }
}

extension Entity {
  /// The values of a property by which queries are filed: one of an attribute, and one for each end of a relationship.
  fileprivate func values(
    of property: Int, _ row: RowNumber, _ record: RecordView, in snapshot: RecordSnapshot
  ) throws -> [FieldValue] {
    if property < attributes.count { return [record.value(attributes[property].field)] }
    let relationship = relationships[property - attributes.count]
    if let field = relationship.field { return record.row(field).map { [.uint($0.rawValue)] } ?? [] }
    return try snapshot.members(of: relationship, owner: row).map { .uint($0.rawValue) }
  }
}
