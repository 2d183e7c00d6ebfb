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

  init(_ catalog: Catalog) {
    vacancies = [[RowNumber: Cause]](repeating: [:], count: catalog.directions.count)
  }

  /// Notes that a row has no destination in a required direction, for now.
  mutating func noteVacancy(of row: RowNumber, in direction: LinkDirection, _ cause: Cause = .unlinking) {
    vacancies[direction.slot][row] = cause
  }
}

extension RecordTransaction {
  /// Looks again at every row that was without a required destination at some time.
  ///
  /// - Throws: For the first one that still is, in the order of the catalog and of the rows: `RecordError.deleteDenied`, with
  ///   all others that a deletion left so, if it was a deletion, and `.missingDestination` otherwise.
  func checkConstraints() throws {
    for (direction, vacancies) in zip(catalog.directions, constraints.vacancies) where !vacancies.isEmpty {
      let vacant = try vacancies.keys.sorted().filter { try isVacant($0, in: direction) }
      guard let row = vacant.first, let cause = vacancies[row] else { continue }
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
  }

  /// Whether a row exists and has no destination.
  private func isVacant(_ row: RowNumber, in direction: LinkDirection) throws -> Bool {
    try withRecord(row, of: catalog.entities[direction.entitySlot]) { record in
      direction.field.map(record.isNull) ?? false
    } ?? false
  }
}
