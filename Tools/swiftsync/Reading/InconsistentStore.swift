import Records

/// Damage other than that of a record by itself, with the place where it showed.
enum InconsistentStore: Error, Equatable {
  /// A link or a row's key that was met while the rows of an entity were read.
  case damagedEntry(entity: String, table: String)
  case linkToNowhere(relationship: String, row: RowNumber, destination: RowNumber)
  case outOfOrder(entity: String, row: RowNumber)
  case rowsMissing(entity: String, found: Int, expected: Int)
  case indexEntriesMissing(entity: String, found: Int, expected: Int)
  case linksMissing(relationship: String, found: Int, expected: Int)
}

extension InconsistentStore: CustomStringConvertible {
  var description: String {
    switch self {
    case .damagedEntry(let entity, let table):
      "The store is damaged: an entry of the table \(table), which belongs to \(entity), is not what was written."
    case .linkToNowhere(let relationship, let row, let destination):
      "The store is damaged: \(relationship) of row \(row.rawValue) leads to row \(destination.rawValue), which is missing."
    case .outOfOrder(let entity, let row):
      "The store is damaged: \(entity) row \(row.rawValue) is not where it belongs."
    case .rowsMissing(let entity, let found, let expected):
      "The store is damaged: it says that it has \(expected) rows of \(entity), but \(found) were found."
    case .indexEntriesMissing(let entity, let found, let expected):
      "The store is damaged: \(expected) rows of \(entity) should be in the index of its identity, but \(found) are."
    case .linksMissing(let relationship, let found, let expected):
      "The store is damaged: it says that it has \(expected) links of \(relationship), but \(found) were found."
    }
  }
}
