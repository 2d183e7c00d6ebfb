import KeyValueStore

extension RecordSnapshot {
  /// The rows that a to-many relationship of a row leads to, in the order in which they were assigned. Empty when there is no
  /// such row.
  package func members(of relationship: Relationship, owner: RowNumber) throws -> [RowNumber] {
    guard relationship.isToMany else { throw RecordError.wrongCardinality(relationship: relationship.direction.name) }
    return try rankedMembers(of: relationship.direction, owner: owner).map(\.row)
  }

  /// The row that a to-one relationship of a row leads to; nil when there is none, or no such row.
  package func destination(of relationship: Relationship, row: RowNumber) throws -> RowNumber? {
    guard let field = relationship.field else {
      throw RecordError.wrongCardinality(relationship: relationship.direction.name)
    }
    return try withRecord(row, of: catalog.entities[relationship.direction.entitySlot]) { $0.row(field) } ?? nil
  }

  /// The rows of which a relationship leads to a row, in the order in which they were linked.
  package func rows(linkedTo destination: RowNumber, by relationship: Relationship) throws -> [RowNumber] {
    let inverse = catalog.inverse(of: relationship.direction)
    guard let field = inverse.field else { return try rankedMembers(of: inverse, owner: destination).map(\.row) }
    let row = try withRecord(destination, of: catalog.entities[inverse.entitySlot]) { $0.row(field) } ?? nil
    return row.map { [$0] } ?? []
  }

  /// Visits the rows of which a relationship leads to a row, until the closure says to stop, in no particular order.
  package func forEachRow(
    linkedTo destination: RowNumber, by relationship: Relationship, _ body: (RowNumber) throws -> ScanStep
  ) throws {
    try forEachRow(at: catalog.inverse(of: relationship.direction), of: destination, body)
  }

  /// Visits the rows that a relationship of a row leads to, until the closure says to stop, in no particular order.
  package func forEachRow(
    at relationship: Relationship, of row: RowNumber, _ body: (RowNumber) throws -> ScanStep
  ) throws {
    try forEachRow(at: relationship.direction, of: row, body)
  }

  private func forEachRow(
    at direction: LinkDirection, of row: RowNumber, _ body: (RowNumber) throws -> ScanStep
  ) throws {
    guard let field = direction.field else {
      return try forEachLink(of: direction, owner: row) { member, _ in try body(member) }
    }
    if let end = try withRecord(row, of: catalog.entities[direction.entitySlot], { $0.row(field) }) ?? nil {
      _ = try body(end)
    }
  }

  /// A member of a to-many direction and the rank that it sorts by.
  struct RankedMember {
    var row: RowNumber
    var rank: UInt64
  }

  /// The members of a to-many direction by rank.
  func rankedMembers(of direction: LinkDirection, owner: RowNumber) throws -> [RankedMember] {
    var result: [RankedMember] = []
    try forEachLink(of: direction, owner: owner) { row, rank in
      result.append(RankedMember(row: row, rank: rank))
      return .continue
    }
    // Rows that were made and linked in one go have their ranks in the order of their numbers already.
    result.sort { $0.rank < $1.rank }
    return result
  }

  /// Visits the entries of one owner in a to-many direction, by member row. The entries on both sides of them are checked too.
  func forEachLink(
    of direction: LinkDirection, owner: RowNumber, _ body: (RowNumber, UInt64) throws -> ScanStep
  ) throws {
    guard let table = tables.links[direction.slot] else { return }
    try settle(direction, for: owner)
    try snapshot.withCursor(in: table) { cursor in
      try LinkKey(owner: owner, member: RowNumber(rawValue: 0)).withBytes { key in _ = try cursor.seek(to: key) }
      try cursor.forEachEntryOnward(
        reading: { bytes, value in
          guard let key = LinkKey(bytes), let value = LinkValue(value, under: key, of: direction.id) else {
            throw damagedEntry(table)
          }
          return (key: key, value: value)
        }, while: { _, link in link.key.owner == owner }
      ) { _, link in try body(link.key.member, link.value.rank) }
    }
  }
}
