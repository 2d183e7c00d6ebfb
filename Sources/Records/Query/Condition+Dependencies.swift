/// What the result of a query depends on beside the existence of rows: properties, by entity.
package struct QueryDependencies: Sendable, Equatable {
  package private(set) var properties: [EntityID: PropertySet] = [:]

  mutating func insert(_ property: Int, of entity: EntityID) {
    properties[entity, default: PropertySet()].insert(property)
  }

  /// Notes that an entity matters, if only by the existence of its rows.
  mutating func insert(_ entity: EntityID) {
    properties[entity, default: PropertySet()].formUnion(PropertySet())
  }
}

extension RecordQuery {
  /// What the query's result and its order depend on. The query's own entity is always among it: its rows come and go.
  package func dependencies(in catalog: Catalog) -> QueryDependencies {
    var result = QueryDependencies()
    result.insert(entity.id)
    condition.addDependencies(to: &result, entity: entity, catalog)
    for term in order { term.operand.addDependencies(to: &result, entity: entity, catalog) }
    return result
  }
}

extension Condition {
  fileprivate func addDependencies(to result: inout QueryDependencies, entity: Entity, _ catalog: Catalog) {
    switch self {
    case .always, .never, .isRow: break
    case .all(let parts), .any(let parts):
      for part in parts { part.addDependencies(to: &result, entity: entity, catalog) }
    case .not(let condition): condition.addDependencies(to: &result, entity: entity, catalog)
    case .isNull(let operand), .oneOf(let operand, _): operand.addDependencies(to: &result, entity: entity, catalog)
    case .compare(let left, _, let right), .text(let left, _, let right):
      left.addDependencies(to: &result, entity: entity, catalog)
      right.addDependencies(to: &result, entity: entity, catalog)
    case .destination(let relationship, let condition), .anyMember(let relationship, let condition),
      .allMembers(let relationship, let condition):
      relationship.addDependencies(to: &result)
      let destination = catalog.entities[relationship.direction.destinationSlot]
      condition.addDependencies(to: &result, entity: destination, catalog)
    }
  }
}

extension Operand {
  fileprivate func addDependencies(to result: inout QueryDependencies, entity: Entity, _ catalog: Catalog) {
    switch self {
    case .constant: break
    case .field(let field):
      guard entity.propertyOfField.indices.contains(field) else { return }
      result.insert(entity.propertyOfField[field], of: entity.id)
    case .destination(let relationship, let operand):
      relationship.addDependencies(to: &result)
      let destination = catalog.entities[relationship.direction.destinationSlot]
      operand.addDependencies(to: &result, entity: destination, catalog)
    case .memberCount(let relationship, let condition):
      relationship.addDependencies(to: &result)
      let destination = catalog.entities[relationship.direction.destinationSlot]
      condition.addDependencies(to: &result, entity: destination, catalog)
    case .negated(let operand), .length(let operand): operand.addDependencies(to: &result, entity: entity, catalog)
    case .arithmetic(let left, _, let right), .coalesce(let left, let right):
      left.addDependencies(to: &result, entity: entity, catalog)
      right.addDependencies(to: &result, entity: entity, catalog)
    case .conditional(let condition, let first, let second):
      condition.addDependencies(to: &result, entity: entity, catalog)
      first.addDependencies(to: &result, entity: entity, catalog)
      second.addDependencies(to: &result, entity: entity, catalog)
    case .truth(let condition): condition.addDependencies(to: &result, entity: entity, catalog)
    }
  }
}

extension Relationship {
  fileprivate func addDependencies(to result: inout QueryDependencies) {
    result.insert(propertyIndex, of: entity)
  }
}
