/// The to-one links that were set here and not pushed yet, by the rows that they lead to.
package struct LocalLinks {
  package struct Link {
    /// The entity of the dirty row.
    package let entity: Entity
    package let row: RowNumber
    package let relationship: Relationship
    /// Where it leads to.
    package let destination: Entity
    package let target: RowNumber
  }

  private var links: [Cascade.Target: [Link]] = [:]

  /// Takes time in proportion to the dirty rows, and none while there are none.
  ///
  /// - Throws: `RecordError` for damage.
  package init(in snapshot: RecordSnapshot) throws {
    guard try snapshot.hasPushEntries() else { return }
    let catalog = snapshot.catalog
    for entity in catalog.offlineEntities {
      let relationships = entity.relationships.filter { !$0.isToMany }
      if relationships.isEmpty { continue }
      try snapshot.forEachPushEntry(of: entity) { entry in
        for relationship in relationships where entry.isInserted || entry.changed.contains(relationship.propertyIndex) {
          guard let field = relationship.field, let destination = catalog[relationship.destination],
            case .uint(let number)? = try snapshot.withRecord(entry.row, of: entity, { $0.value(field) })
          else { continue }
          let target = RowNumber(rawValue: number)
          links[Cascade.Target(entitySlot: destination.slot, row: target), default: []].append(
            Link(
              entity: entity, row: entry.row, relationship: relationship, destination: destination, target: target))
        }
        return .continue
      }
    }
  }

  /// The links that would be lost if a row went: those that lead to it, or to what would go with it by a cascade, from rows that stay.
  ///
  /// - Throws: `RecordError` for damage.
  package func lost(with row: RowNumber, of entity: Entity, in snapshot: RecordSnapshot) throws -> [Link] {
    if links.isEmpty { return [] }
    let cascade = try snapshot.cascade(from: Cascade.Target(entitySlot: entity.slot, row: row))
    return cascade.targets.flatMap { links[$0] ?? [] }
      .filter { !cascade.contains($0.row, entitySlot: $0.entity.slot) }
  }
}
