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
  /// Every index; `Index.slot` is the position here.
  let indexes: [Index]
  let document: CatalogDocument
  private let slotsByName: [String: Int]
  private let slotsByID: [EntityID: Int]

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
    directions = compiler.directions
    indexes = compiler.indexes
    schema = document.schema
    self.document = document
    slotsByName = Dictionary(uniqueKeysWithValues: entities.map { ($0.name, $0.slot) })
    slotsByID = Dictionary(uniqueKeysWithValues: entities.map { ($0.id, $0.slot) })
  }

  package func entity(named name: String) -> Entity? {
    slotsByName[name].map { entities[$0] }
  }

  package subscript(id: EntityID) -> Entity? {
    slotsByID[id].map { entities[$0] }
  }

  func inverse(of direction: LinkDirection) -> LinkDirection {
    directions[direction.inverseSlot]
  }
}
