/// One-to-one links: both directions are fields of records, so setting one changes up to three other rows.
extension RecordTransaction {
  /// A row that a one-to-one direction is to lead to, or nil for none.
  struct Partner {
    var direction: LinkDirection
    var row: RowNumber?
  }

  /// Takes the one-to-one links that differ from the stored record out of a builder: the record is written with the stored
  /// ones, and the links are then set one by one, on stored rows. Two of them may concern the same row, even the row itself;
  /// done in sequence, the last one wins and both directions agree.
  func setAside(pairingsOf entity: Entity, in builder: inout RecordBuilder, stored: RecordView?) -> [Partner] {
    var result: [Partner] = []
    for direction in entity.pairings {
      guard let field = direction.field else { continue }
      let old = stored?.row(field)
      let new = builder.row(field)
      if new == old { continue }
      builder.setRow(field, old)
      result.append(Partner(direction: direction, row: new))
    }
    return result
  }

  /// Leaves a builder as the caller had filled it.
  func putBack(_ partners: [Partner], in builder: inout RecordBuilder) {
    for partner in partners {
      if let field = partner.direction.field { builder.setRow(field, partner.row) }
    }
  }

  /// Makes a one-to-one direction of a row lead to another row or to none. The previous partners of both are left without.
  func setPartner(_ target: RowNumber?, of row: RowNumber, in direction: LinkDirection) throws {
    let inverse = catalog.inverse(of: direction)
    let current = try partner(of: row, in: direction)
    if current == target { return }
    if let current, try partner(of: current, in: inverse) == row {
      try setField(of: inverse, row: current, to: nil)
    }
    if let target {
      if let previous = try partner(of: target, in: inverse), previous != row,
        try partner(of: previous, in: direction) == target
      {
        try setField(of: direction, row: previous, to: nil)
      }
      try setField(of: inverse, row: target, to: row)
    }
    try setField(of: direction, row: row, to: target)
  }

  private func partner(of row: RowNumber, in direction: LinkDirection) throws -> RowNumber? {
    guard let field = direction.field else { return nil }
    return try withRecord(row, of: catalog.entities[direction.entitySlot]) { $0.row(field) } ?? nil
  }
}
