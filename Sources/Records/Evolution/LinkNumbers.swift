/// The numbers of all directions of links after an evolution.
///
/// A relationship keeps its number, and the other direction of a relationship that stays keeps its own: so a relationship
/// that is declared as the inverse of a known one takes over the links that an implicit inverse had, and leaves them to one
/// when its declaration goes.
struct LinkNumbers {
  private struct End: Hashable {
    var entity: String
    var name: String
  }

  private var ids: [End: UInt32] = [:]
  private var inverses: [End: UInt32] = [:]

  /// Numbers the relationships of an evolution's schema, taking new numbers from it where they are needed.
  init(_ evolution: inout CatalogEvolution) {
    let origins = LinkNumbers.origins(in: &evolution)
    let kept = Set(origins.values.map(\.id))
    func otherDirection(of end: End) -> UInt32? {
      origins[end].flatMap { kept.contains($0.inverse) ? nil : $0.inverse }
    }
    let schema = evolution.schema
    for (entity, relationship, end) in LinkNumbers.ends(of: schema) {
      let inverse = LinkNumbers.inverse(of: relationship, in: entity, schema: schema)
      ids[end] = origins[end]?.id ?? inverse.flatMap(otherDirection) ?? evolution.take(\.nextRelationshipID)
    }
    for (entity, relationship, end) in LinkNumbers.ends(of: schema) {
      let inverse = LinkNumbers.inverse(of: relationship, in: entity, schema: schema)
      inverses[end] = inverse.flatMap { ids[$0] } ?? otherDirection(of: end) ?? evolution.take(\.nextRelationshipID)
    }
  }

  func numbers(
    of relationship: RelationshipDescription, in entity: EntityDescription
  ) -> CatalogDocument.StoredRelationship {
    let end = End(entity: entity.name, name: relationship.name)
    return CatalogDocument.StoredRelationship(
      name: relationship.name, id: ids[end] ?? 0, inverse: inverses[end] ?? 0)
  }

  /// The stored relationship that each one continues.
  private static func origins(in evolution: inout CatalogEvolution) -> [End: CatalogDocument.StoredRelationship] {
    let schema = evolution.schema
    var result: [End: CatalogDocument.StoredRelationship] = [:]
    for (entity, relationship, end) in ends(of: schema) {
      guard let stored = evolution.match.entity(entity) else { continue }
      guard let old = evolution.match.relationship(relationship, of: entity) else {
        noteChange(ofAttribute: end, from: stored, in: entity, &evolution)
        continue
      }
      let destination = evolution.match.name(of: old.destination)
      if destination == relationship.destination {
        result[end] = stored.relationships.first { $0.name == old.name }
      } else if !evolution.rules.mayReplaceProperties {
        evolution.note(
          .destinationChanged(
            entity: entity.name, relationship: relationship.name, stored: old.destination,
            given: relationship.destination))
      }
    }
    for (entity, relationship, end) in ends(of: schema) {
      guard let inverse = inverse(of: relationship, in: entity, schema: schema), let one = result[end],
        let other = result[inverse], one.inverse != other.id
      else { continue }
      result[end] = nil
      result[inverse] = nil
      if evolution.rules.mayReplaceProperties { continue }
      evolution.note(
        .inverseChanged(
          entity: entity.name, relationship: relationship.name, stored: evolution.storedInverse(of: one),
          given: inverse.name))
    }
    return result
  }

  private static func noteChange(
    ofAttribute end: End, from stored: CatalogDocument.StoredEntity, in entity: EntityDescription,
    _ evolution: inout CatalogEvolution
  ) {
    guard !evolution.rules.mayReplaceProperties,
      stored.description.attributes.contains(where: { $0.name == end.name }),
      !entity.attributes.contains(where: { $0.originalName == end.name })
    else { return }
    evolution.note(.attributeBecameRelationship(entity: end.entity, property: end.name))
  }

  private static func ends(of schema: StoreSchema) -> [(EntityDescription, RelationshipDescription, End)] {
    schema.entities.flatMap { entity in
      entity.relationships.map { (entity, $0, End(entity: entity.name, name: $0.name)) }
    }
  }

  private static func inverse(
    of relationship: RelationshipDescription, in entity: EntityDescription, schema: StoreSchema
  ) -> End? {
    schema.inverseName(of: relationship, in: entity).map { End(entity: relationship.destination, name: $0) }
  }
}

extension CatalogEvolution {
  /// The name of the declared inverse that a stored relationship has.
  fileprivate func storedInverse(of relationship: CatalogDocument.StoredRelationship) -> String? {
    before.entities.lazy.flatMap(\.relationships).first { $0.id == relationship.inverse }?.name
  }

  /// Notes the directions whose links are stored in another form than before, and those that now need a destination.
  mutating func noteLinkWork(in newCatalog: Catalog) {
    let old = Dictionary(uniqueKeysWithValues: oldCatalog.directions.map { ($0.id, $0) })
    for direction in newCatalog.directions {
      let before = old[direction.id]
      if before?.isToMany != direction.isToMany {
        let inverse = old[newCatalog.inverse(of: direction).id]
        // A table has the order of its members; the field of a to-one direction has none.
        let sources =
          [(inverse, true), (before, false)].filter { $0.0?.isToMany == true } + [(before, false), (inverse, true)]
        if let (source, isReversed) = sources.lazy.compactMap({ pair in pair.0.map { ($0, pair.1) } }).first {
          work.linkBuilds.append(
            EvolutionWork.LinkBuild(direction: direction.id, source: source.id, isReversed: isReversed))
        }
      }
      if direction.isRequired, before?.isRequired != true, oldCatalog[direction.entity] != nil {
        work.requiredDirections.append(direction.id)
      }
    }
  }
}
