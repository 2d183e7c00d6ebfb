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
      entity.relationships.filter(\.isRequired).flatMap { vacancies(in: $0, of: entity) }
    }
  }

  private func vacancies(in relationship: RelationshipDescription, of entity: EntityDescription) -> [LinkEnd] {
    (rows[entity.name] ?? [:]).filter { $0.value.toOne[relationship.name] == nil }.keys.sorted().map {
      LinkEnd(entity: entity.name, row: $0, relationship: relationship.name)
    }
  }

  /// The rows that deny deletions.
  var blockers: [RowName] {
    denials.flatMap { end, rows in
      rows.map { RowName(entity: description(end.entity, end.relationship)?.destination ?? "", number: $0) }
    }.filter { row($0.number, of: $0.entity) != nil }.sorted { ($0.entity, $0.number) < ($1.entity, $1.number) }
  }

  /// What keeps the transaction from being committed in this state.
  var refusal: RecordError? {
    for entity in schema.entities {
      for relationship in entity.relationships {
        if let refusal = vacancyRefusal(of: relationship, entity) ?? denial(by: relationship, of: entity) {
          return refusal
        }
      }
    }
    return nil
  }

  private func vacancyRefusal(of relationship: RelationshipDescription, _ entity: EntityDescription) -> RecordError? {
    let vacancies = relationship.isRequired ? vacancies(in: relationship, of: entity) : []
    guard let first = vacancies.first else { return nil }
    let name = "\(entity.name).\(relationship.name)"
    guard let deleted = lostDestinations[first] else {
      return .missingDestination(entity: entity.name, row: first.row, relationship: name)
    }
    return .deleteDenied(
      entity: relationship.destination, row: deleted, relationship: name,
      blockers: vacancies.filter { lostDestinations[$0] == deleted }.map(\.row))
  }

  private func denial(by relationship: RelationshipDescription, of entity: EntityDescription) -> RecordError? {
    let ends = denials.keys.filter { $0.entity == entity.name && $0.relationship == relationship.name }
    for end in ends.sorted(by: { $0.row < $1.row }) {
      let blockers = (denials[end] ?? []).filter { row($0, of: relationship.destination) != nil }
      if blockers.isEmpty { continue }
      return .deleteDenied(
        entity: entity.name, row: end.row, relationship: "\(entity.name).\(relationship.name)", blockers: blockers)
    }
    return nil
  }
}
