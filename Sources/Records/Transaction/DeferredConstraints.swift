/// Constraints that a transaction may break on its way and must satisfy at its end, so that the order in which rows are made,
/// linked and deleted does not matter.
struct DeferredConstraints {
  /// Why a row is without the destination of a required direction.
  enum Cause: Equatable {
    /// It was made without one, or was unlinked.
    case unlinking
    /// The destination was deleted.
    case deletion(of: RowNumber)
  }

  /// By the place of a required direction: the rows that were without a destination at some time, and why the last time.
  private(set) var vacancies: [[RowNumber: Cause]]
  /// By the place of a direction with a deny rule: the deleted rows, and the rows that it led to from there.
  private(set) var denials: [[RowNumber: [RowNumber]]]

  init(_ catalog: Catalog) {
    vacancies = [[RowNumber: Cause]](repeating: [:], count: catalog.directions.count)
    denials = [[RowNumber: [RowNumber]]](repeating: [:], count: catalog.directions.count)
  }

  /// Notes that a row has no destination in a required direction, for now.
  mutating func noteVacancy(of row: RowNumber, in direction: LinkDirection, _ cause: Cause = .unlinking) {
    vacancies[direction.slot][row] = cause
  }

  /// Notes that a row is in the way of a deletion, for now.
  mutating func noteDenial(ofDeleting deleted: RowNumber, by row: RowNumber, in direction: LinkDirection) {
    denials[direction.slot][deleted, default: []].append(row)
  }
}

extension RecordTransaction {
  /// Judges what was noted on the way, in the order of the catalog and of the rows.
  ///
  /// - Throws: The first violation: `RecordError.deleteDenied` or `.missingDestination`.
  func checkConstraints() throws {
    for direction in catalog.directions {
      try checkVacancies(in: direction)
      try checkDenials(by: direction)
    }
  }

  /// Looks again at the rows that were without a required destination.
  private func checkVacancies(in direction: LinkDirection) throws {
    let vacancies = constraints.vacancies[direction.slot]
    let vacant = try vacancies.keys.sorted().filter { try isVacant($0, in: direction) }
    guard let row = vacant.first, let cause = vacancies[row] else { return }
    switch cause {
    case .unlinking:
      throw RecordError.missingDestination(
        entity: catalog.entities[direction.entitySlot].name, row: row, relationship: direction.name)
    case .deletion(let deleted):
      throw RecordError.deleteDenied(
        entity: catalog.entities[direction.destinationSlot].name, row: deleted, relationship: direction.name,
        blockers: vacant.filter { vacancies[$0] == cause })
    }
  }

  /// Whether a row exists and has no destination.
  private func isVacant(_ row: RowNumber, in direction: LinkDirection) throws -> Bool {
    try withRecord(row, of: catalog.entities[direction.entitySlot]) { record in
      direction.field.map(record.isNull) ?? false
    } ?? false
  }

  /// Looks again at the rows that a deny rule led to from deleted ones.
  private func checkDenials(by direction: LinkDirection) throws {
    let destination = catalog.entities[direction.destinationSlot]
    for (deleted, rows) in constraints.denials[direction.slot].sorted(by: { $0.key < $1.key }) {
      let blockers = try rows.filter { try contains($0, of: destination) }
      if blockers.isEmpty { continue }
      throw RecordError.deleteDenied(
        entity: catalog.entities[direction.entitySlot].name, row: deleted, relationship: direction.name,
        blockers: blockers)
    }
  }
}
