/// Finds the other direction of each relationship of a schema.
///
/// A declaration may name its inverse. Otherwise two relationships that lead from one class to another and back are
/// inverses of each other when there is exactly one of them each way; when there are more, no guess is made: either none
/// is meant (and each is a relationship of its own, if nothing leads back), or the declaration has to say which
/// (contract, section 2.2-12).
struct InverseInference {
  /// A relationship, by class and property name.
  struct End: Hashable {
    let entity: String
    let property: String
  }

  private(set) var inverses: [End: End] = [:]
  private(set) var explicit: Set<End> = []

  /// - Throws: `SchemaDeclarationError` for an inverse that is not a relationship back, that two relationships claim, or
  ///   that cannot be told from another candidate.
  init(_ tables: [ModelTable]) throws {
    for table in tables {
      for property in table.properties {
        guard let relationship = property.relationship, let inverse = relationship.inverse else { continue }
        let end = End(entity: table.name, property: property.name)
        let destination = relationship.destination().modelTable
        guard let back = destination.property(at: inverse), let backRelationship = back.relationship,
          backRelationship.destination().modelTable === table
        else {
          throw SchemaDeclarationError.inverseLeadsElsewhere(
            entity: end.entity, property: end.property, destination: destination.name)
        }
        try pair(end, End(entity: destination.name, property: back.name))
        explicit.insert(end)
      }
    }
    for table in tables {
      for property in table.properties { try infer(property, of: table) }
    }
  }

  private mutating func infer(_ property: ModelProperty, of table: ModelTable) throws {
    let end = End(entity: table.name, property: property.name)
    guard let relationship = property.relationship, inverses[end] == nil else { return }
    let destination = relationship.destination().modelTable
    // A relationship of a class to itself is never its own inverse, nor another one's by guessing.
    guard destination !== table else { return }
    let ways = free(from: table, to: destination)
    let back = free(from: destination, to: table)
    guard let only = back.first else { return }
    guard back.count == 1, ways.count == 1 else {
      throw SchemaDeclarationError.ambiguousInverse(
        entity: table.name, property: property.name, candidates: (ways + back).map { "\($0.entity).\($0.property)" })
    }
    try pair(end, only)
  }

  /// The relationships from one class to another that no declaration has paired.
  private func free(from table: ModelTable, to destination: ModelTable) -> [End] {
    table.properties.compactMap { property in
      guard property.relationship?.destination().modelTable === destination else { return nil }
      let end = End(entity: table.name, property: property.name)
      return inverses[end] == nil ? end : nil
    }
  }

  private mutating func pair(_ one: End, _ other: End) throws {
    for (end, claimed) in [(one, other), (other, one)] {
      if let present = inverses[end], present != claimed {
        throw SchemaDeclarationError.conflictingInverses(
          property: "\(end.entity).\(end.property)", first: "\(present.entity).\(present.property)",
          second: "\(claimed.entity).\(claimed.property)")
      }
    }
    inverses[one] = other
    inverses[other] = one
  }
}
