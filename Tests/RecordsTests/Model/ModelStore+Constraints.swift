@testable import Records

/// A to-one relationship of a row.
struct LinkEnd: Hashable {
  var entity: String
  var row: RowNumber
  var relationship: String
}

extension ModelStore {
  /// The relationships that must lead to a row and do not, in the order of the schema and of the rows.
  var vacancies: [LinkEnd] {
    schema.entities.flatMap { entity in
      entity.relationships.filter(\.isRequired).flatMap { relationship in
        (rows[entity.name] ?? [:]).filter { $0.value.toOne[relationship.name] == nil }.keys.sorted().map {
          LinkEnd(entity: entity.name, row: $0, relationship: relationship.name)
        }
      }
    }
  }

  /// What keeps the transaction from being committed in this state.
  var refusal: RecordError? {
    let vacancies = vacancies
    guard let first = vacancies.first else { return nil }
    let name = "\(first.entity).\(first.relationship)"
    guard let deleted = lostDestinations[first] else {
      return .missingDestination(entity: first.entity, row: first.row, relationship: name)
    }
    let blockers = vacancies.filter {
      $0.entity == first.entity && $0.relationship == first.relationship && lostDestinations[$0] == deleted
    }
    return .deleteDenied(
      entity: description(first.entity, first.relationship)?.destination ?? "", row: deleted, relationship: name,
      blockers: blockers.map(\.row))
  }
}
