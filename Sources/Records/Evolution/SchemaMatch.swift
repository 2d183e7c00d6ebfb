/// Tells which entities and properties of a store those of a schema continue: by their name, or by the name that they had.
///
/// What is declared with an original name continues what the store has under it, unless the store has the present name
/// already: then it was renamed before. This goes before a property that is new under the old name.
struct SchemaMatch {
  /// The stored entity of each entity of the schema, by the schema's name.
  private let entities: [String: CatalogDocument.StoredEntity]
  /// The names in the schema of the stored entities that it continues.
  private let names: [String: String]

  init(_ stored: CatalogDocument, _ schema: StoreSchema) {
    let origins = SchemaMatch.origins(
      of: schema.entities.map { ($0.name, $0.originalName) }, among: stored.entities.map(\.description.name))
    entities = origins.compactMapValues { stored.entity(named: $0) }
    names = Dictionary(origins.map { ($0.value, $0.key) }, uniquingKeysWith: { first, _ in first })
  }

  func entity(_ given: EntityDescription) -> CatalogDocument.StoredEntity? {
    entities[given.name]
  }

  /// The name that a stored entity has in the schema; nil for one that the schema does not continue.
  func name(of stored: String) -> String? {
    names[stored]
  }

  func attribute(_ given: AttributeDescription, of entity: EntityDescription) -> AttributeDescription? {
    guard let stored = self.entity(entity) else { return nil }
    let origin = SchemaMatch.origins(
      of: entity.attributes.map { ($0.name, $0.originalName) }, among: stored.description.attributes.map(\.name))
    return stored.description.attributes.first { $0.name == origin[given.name] }
  }

  func relationship(_ given: RelationshipDescription, of entity: EntityDescription) -> RelationshipDescription? {
    guard let stored = self.entity(entity) else { return nil }
    let origin = SchemaMatch.origins(
      of: entity.relationships.map { ($0.name, $0.originalName) }, among: stored.description.relationships.map(\.name))
    return stored.description.relationships.first { $0.name == origin[given.name] }
  }

  /// The stored name that each given name continues. No stored name is continued twice.
  private static func origins(
    of given: [(name: String, originalName: String?)], among stored: [String]
  ) -> [String: String] {
    let stored = Set(stored)
    var result: [String: String] = [:]
    for (name, originalName) in given {
      guard let originalName, !stored.contains(name), stored.contains(originalName),
        !result.values.contains(originalName)
      else { continue }
      result[name] = originalName
    }
    let renamed = Set(result.values)
    for (name, _) in given where stored.contains(name) && !renamed.contains(name) { result[name] = name }
    return result
  }
}
