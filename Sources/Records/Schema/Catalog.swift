/// The compiled schema of a store: names resolved to numbers and places.
///
/// It holds the entities that the application named when it opened the store, followed by those that only the store knows.
package final class Catalog: Sendable {
  package let schema: StoreSchema
  package let entities: [Entity]

  /// Every direction of every link; `LinkDirection.slot` is the position here.
  let directions: [LinkDirection]
  /// The entities whose local changes are kept for a server.
  package let offlineEntities: [Entity]
  /// By the entity's place in `entities`: the properties of which a server is told when they change.
  private let toldProperties: [PropertySet]
  /// Every index; `Index.slot` is the position here.
  let indexes: [Index]
  let document: CatalogDocument
  /// Sorted lists, since a dictionary of types of its own takes the runtime long to get ready when a store is opened.
  private let entitiesByName: [Entity]
  private let entitiesByID: [Entity]

  /// Compiles a schema by itself, as a new store would number it.
  package convenience init(_ schema: StoreSchema) throws {
    try self.init(CatalogEvolution(of: CatalogDocument(), to: schema).result)
  }

  /// Compiles a stored catalog.
  ///
  /// - Throws: `RecordError.damagedCatalog` when its numbers and names do not fit together.
  init(_ document: CatalogDocument) throws {
    var compiler = CatalogCompiler(document)
    entities = try compiler.compile()
    offlineEntities = entities.filter(\.isOfflineEnabled)
    toldProperties = compiler.directions.toldProperties(of: entities)
    directions = compiler.directions
    indexes = compiler.indexes
    schema = document.schema
    self.document = document
    entitiesByName = entities.sorted { $0.name < $1.name }
    entitiesByID = entities.sorted { $0.id.rawValue < $1.id.rawValue }
  }

  package func entity(named name: String) -> Entity? {
    let place = entitiesByName.firstPlace(notBefore: { $0.name < name })
    return entitiesByName.indices.contains(place) && entitiesByName[place].name == name ? entitiesByName[place] : nil
  }

  package subscript(id: EntityID) -> Entity? {
    let place = entitiesByID.firstPlace(notBefore: { $0.id.rawValue < id.rawValue })
    return entitiesByID.indices.contains(place) && entitiesByID[place].id == id ? entitiesByID[place] : nil
  }

  /// Those of the changed properties of a row of which a server is told; nil if that is none, though something has changed.
  package func told(_ changed: PropertySet, of entity: Entity) -> PropertySet? {
    let told = changed.intersection(toldProperties[entity.slot])
    return told.isEmpty && !changed.isEmpty ? nil : told
  }

  func inverse(of direction: LinkDirection) -> LinkDirection {
    directions[direction.inverseSlot]
  }
}

extension [LinkDirection] {
  /// What is exported, except lists whose members say it themselves: a row that joins one is sent with where it belongs.
  fileprivate func toldProperties(of entities: [Entity]) -> [PropertySet] {
    entities.map { entity in
      let attributes = entity.attributes.filter { $0.description.isExported || $0 === entity.identity }
      let relationships = entity.relationships.filter { relationship in
        let saysItself =
          relationship.isToMany && !self[relationship.direction.inverseSlot].isToMany
          && entities[relationship.direction.destinationSlot].isOfflineEnabled
        return relationship.description.isExported && !saysItself
      }
      return PropertySet(attributes.map(\.propertyIndex) + relationships.map(\.propertyIndex))
    }
  }
}
