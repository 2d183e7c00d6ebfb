/// Something in a store that contradicts something else in it.
package enum InvariantViolation: Sendable, Equatable {
  /// A record that cannot be read.
  case damagedRecord(entity: String, row: RowNumber)
  /// An attribute that is not optional and has no value.
  case missingRequiredValue(entity: String, row: RowNumber, attribute: String)
  /// A to-one relationship that is not optional and leads nowhere.
  case missingDestination(entity: String, row: RowNumber, relationship: String)
  /// A row whose number will be handed out again.
  case rowBeyondCounter(entity: String, row: RowNumber)
  /// A row without its entry in an index.
  case missingIndexEntry(entity: String, attributes: [String], row: RowNumber)
  /// An index entry that belongs to no row, or has not the values of its row.
  case strayIndexEntry(entity: String, attributes: [String], row: RowNumber)
  /// A content outside of a record that is not what the record refers to.
  case damagedContent(entity: String, row: RowNumber, attribute: String)
  /// A record that refers to a content which does not exist.
  case missingContent(entity: String, row: RowNumber, attribute: String)
  /// A content that no record refers to; the number is that of the attribute in the catalog's list of properties.
  case strayContent(entity: String, row: RowNumber, attribute: UInt32)
  /// A digest of a row that does not exist.
  case strayDigest(entity: String, row: RowNumber)
  /// A link from or to a row that does not exist.
  case danglingLink(relationship: String, owner: RowNumber, member: RowNumber)
  /// A link without its other direction.
  case oneWayLink(relationship: String, owner: RowNumber, member: RowNumber)
  /// A link whose rank will be handed out again, or is shared with another member of the same owner.
  case wrongRank(relationship: String, owner: RowNumber, member: RowNumber)
  /// An entry of a table other than an index that is not what was written.
  case damagedEntry(table: String)
  /// An entry of an index that is not what was written.
  case damagedIndexEntry(entity: String, attributes: [String])
  /// A transaction of the history that cannot be read.
  case damagedTransaction(token: UInt64)
  /// A transaction that the history should not have any more, or that names rows which were not handed out; or the history
  /// begins behind its end.
  case wrongTransaction(token: UInt64)
  /// A consumer of the history that has read further than the history goes.
  case consumerBeyondHistory(name: String)
  /// What is kept of a dirty row does not fit together, or not to the row.
  case wrongPushEntry(entity: String, row: RowNumber)
}

extension InvariantViolation: CustomStringConvertible {
  package var description: String {
    switch self {
    case .damagedRecord(let entity, let row):
      "The record of \(entity) row \(row.rawValue) is damaged."
    case .missingRequiredValue(let entity, let row, let attribute):
      "\(entity) row \(row.rawValue) has no \(attribute), which is required."
    case .missingDestination(let entity, let row, let relationship):
      "\(entity) row \(row.rawValue) has no destination for \(relationship), which is required."
    case .rowBeyondCounter(let entity, let row):
      "\(entity) row \(row.rawValue) has a number that was not handed out."
    case .missingIndexEntry(let entity, let attributes, let row):
      "\(entity) row \(row.rawValue) is missing in the index on \(attributes.joined(separator: ", "))."
    case .strayIndexEntry(let entity, let attributes, let row):
      "The index on \(entity) \(attributes.joined(separator: ", ")) has an entry for row \(row.rawValue) that is not its."
    case .damagedContent(let entity, let row, let attribute):
      "The content of \(attribute) of \(entity) row \(row.rawValue) is damaged."
    case .missingContent(let entity, let row, let attribute):
      "The content of \(attribute) of \(entity) row \(row.rawValue) is missing."
    case .strayContent(let entity, let row, let attribute):
      "There is a content of \(entity) row \(row.rawValue), property \(attribute), that no record refers to."
    case .strayDigest(let entity, let row):
      "There is a digest of \(entity) row \(row.rawValue), which does not exist."
    case .danglingLink(let relationship, let owner, let member):
      "A link of \(relationship) leads from row \(owner.rawValue) to row \(member.rawValue), and one of them does not exist."
    case .oneWayLink(let relationship, let owner, let member):
      "The link of \(relationship) from row \(owner.rawValue) to row \(member.rawValue) has no other direction."
    case .wrongRank(let relationship, let owner, let member):
      "The link of \(relationship) from row \(owner.rawValue) to row \(member.rawValue) has a rank that is not its own."
    case .damagedEntry(let table):
      "An entry of the table \(table) is damaged."
    case .damagedIndexEntry(let entity, let attributes):
      "An entry of the index on \(entity) \(attributes.joined(separator: ", ")) is damaged."
    case .damagedTransaction(let token):
      "Transaction \(token) of the history is damaged."
    case .wrongTransaction(let token):
      "Transaction \(token) cannot be part of the history."
    case .consumerBeyondHistory(let name):
      "The consumer \(name) has read further than the history goes."
    case .wrongPushEntry(let entity, let row):
      "What is kept of the local changes of \(entity) row \(row.rawValue) contradicts the row, or itself."
    }
  }
}
