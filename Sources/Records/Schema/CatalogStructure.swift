extension CatalogDocument {
  /// What records, keys and tables of an entity are made of, and what its rows must have.
  struct EntityStructure: Equatable {
    var name: String
    var layoutVersion: UInt16
    var fields: [String]
    var required: Set<String>
    var relationships: Set<StoredRelationship>
    var indexes: Set<StoredIndex>

    init(_ entity: StoredEntity) {
      name = entity.description.name
      layoutVersion = entity.layoutVersion
      fields = entity.fields
      required = Set(
        entity.description.attributes.filter { !$0.isOptional }.map(\.name)
          + entity.description.relationships.filter(\.isRequired).map(\.name))
      relationships = Set(entity.relationships)
      indexes = Set(entity.indexes)
    }
  }

  /// The structures of all entities, by number.
  var structure: [UInt32: EntityStructure] {
    Dictionary(entities.map { ($0.id, EntityStructure($0)) }, uniquingKeysWith: { first, _ in first })
  }

  /// Whether who knows this catalog can work with a store that has another one by now: all its entities are as they were, and
  /// nothing new is linked to them.
  func isContained(in other: CatalogDocument) -> Bool {
    let own = structure
    let given = other.structure
    guard own.allSatisfy({ given[$0.key] == $0.value }) else { return false }
    let names = Set(own.values.map(\.name))
    return other.entities.filter { own[$0.id] == nil }
      .allSatisfy { entity in !entity.description.relationships.contains { names.contains($0.destination) } }
  }
}
