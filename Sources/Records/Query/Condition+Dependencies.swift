/// What the result of a query depends on beside the existence of rows: properties, by the way that leads to them.
package struct QueryDependencies: Sendable {
  /// Properties of the rows that relationships lead to from a row of the query, one after the other.
  package struct Path: Sendable {
    package let hops: [Relationship]
    package fileprivate(set) var properties: PropertySet
  }

  /// Properties of the query's own rows, relationships among them.
  package private(set) var own = PropertySet()
  /// Properties of rows that relationships lead to; each way once.
  package private(set) var paths: [Path] = []

  mutating func insert(_ property: Int, at hops: [Relationship]) {
    if hops.isEmpty { return own.insert(property) }
    let ids = hops.map(\.id)
    guard let known = paths.firstIndex(where: { $0.hops.map(\.id) == ids }) else {
      return paths.append(Path(hops: hops, properties: PropertySet([property])))
    }
    paths[known].properties.insert(property)
  }
}

extension RecordQuery {
  /// What decides which rows are the query's.
  package func conditionDependencies(in catalog: Catalog) -> QueryDependencies {
    var result = QueryDependencies()
    condition.addDependencies(to: &result, entity: entity, [], catalog)
    return result
  }

  /// What decides in which order they come.
  package func orderDependencies(in catalog: Catalog) -> QueryDependencies {
    var result = QueryDependencies()
    for term in order { term.operand.addDependencies(to: &result, entity: entity, [], catalog) }
    return result
  }
}

extension Condition {
  fileprivate func addDependencies(
    to result: inout QueryDependencies, entity: Entity, _ hops: [Relationship], _ catalog: Catalog
  ) {
    switch self {
    case .always, .never, .isRow: break
    case .all(let parts), .any(let parts):
      for part in parts { part.addDependencies(to: &result, entity: entity, hops, catalog) }
    case .not(let condition): condition.addDependencies(to: &result, entity: entity, hops, catalog)
    case .isNull(let operand), .oneOf(let operand, _):
      operand.addDependencies(to: &result, entity: entity, hops, catalog)
    case .compare(let left, _, let right), .text(let left, _, let right):
      left.addDependencies(to: &result, entity: entity, hops, catalog)
      right.addDependencies(to: &result, entity: entity, hops, catalog)
    case .destination(let relationship, let condition), .anyMember(let relationship, let condition),
      .allMembers(let relationship, let condition):
      result.insert(relationship.propertyIndex, at: hops)
      let destination = catalog.entities[relationship.direction.destinationSlot]
      condition.addDependencies(to: &result, entity: destination, hops + [relationship], catalog)
    }
  }
}

extension Operand {
  fileprivate func addDependencies(
    to result: inout QueryDependencies, entity: Entity, _ hops: [Relationship], _ catalog: Catalog
  ) {
    switch self {
    case .constant: break
    case .field(let field):
      guard entity.propertyOfField.indices.contains(field) else { return }
      result.insert(entity.propertyOfField[field], at: hops)
    case .destination(let relationship, let operand):
      result.insert(relationship.propertyIndex, at: hops)
      let destination = catalog.entities[relationship.direction.destinationSlot]
      operand.addDependencies(to: &result, entity: destination, hops + [relationship], catalog)
    case .memberCount(let relationship, let condition):
      result.insert(relationship.propertyIndex, at: hops)
      let destination = catalog.entities[relationship.direction.destinationSlot]
      condition.addDependencies(to: &result, entity: destination, hops + [relationship], catalog)
    case .negated(let operand), .length(let operand):
      operand.addDependencies(to: &result, entity: entity, hops, catalog)
    case .arithmetic(let left, _, let right), .coalesce(let left, let right):
      left.addDependencies(to: &result, entity: entity, hops, catalog)
      right.addDependencies(to: &result, entity: entity, hops, catalog)
    case .conditional(let condition, let first, let second):
      condition.addDependencies(to: &result, entity: entity, hops, catalog)
      first.addDependencies(to: &result, entity: entity, hops, catalog)
      second.addDependencies(to: &result, entity: entity, hops, catalog)
    case .truth(let condition): condition.addDependencies(to: &result, entity: entity, hops, catalog)
    }
  }
}
