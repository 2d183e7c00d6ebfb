/// What a schema makes of a stored catalog: the catalog that follows it, and the work on rows that this takes.
///
/// Known entities and properties keep their numbers, new ones get numbers, and what the schema does not have any more is
/// gone from the new catalog. docs/migrations.md says which changes are possible and what each costs.
struct CatalogEvolution {
  /// How far an evolution may go.
  struct Rules: Equatable, Sendable {
    /// Whether a property that cannot be carried over is removed and made anew. Otherwise such a schema is refused.
    var mayReplaceProperties = false
    /// The entities that are deleted with their rows if the schema does not name them. Others stay as they are.
    var deletableEntities: Set<String> = []
  }

  /// The most earlier layouts that records of an entity may have. With one more, all its rows are written anew.
  static let earlierLayoutsMax = 16

  let before: CatalogDocument
  let rules: Rules
  /// The new catalog, with which the work is done.
  private(set) var after: CatalogDocument
  var work = EvolutionWork()

  /// The schema together with the entities that stay without being in it.
  let schema: StoreSchema
  let match: SchemaMatch
  let oldCatalog: Catalog
  /// Why the schema cannot be taken over, as far as this can be told without looking at rows.
  private(set) var differences: [SchemaDifference] = []

  /// - Throws: `SchemaError` for a schema that is wrong by itself, `RecordError.schemaMismatch` with everything that cannot be
  ///   carried over, whatever the rows are.
  init(
    of before: CatalogDocument, to schema: StoreSchema, version: SchemaVersion? = nil, rules: Rules = Rules()
  ) throws {
    try schema.validate()
    self.before = before
    self.rules = rules
    var complete = schema
    complete.add(before, unless: SchemaMatch(before, schema), orIn: rules.deletableEntities)
    try complete.validate()
    self.schema = complete
    match = SchemaMatch(before, complete)
    oldCatalog = try Catalog(before)
    after = before
    after.entities = []

    let links = LinkNumbers(&self)
    for description in complete.entities { after.entities.append(evolved(description, links: links)) }
    // A schema without a version leaves the one that the store has, unless it is another schema.
    if version != nil || after != before { after.schemaVersion = version }
    if !differences.isEmpty { throw RecordError.schemaMismatch(differences) }
    try noteLinkWork(in: Catalog(after))
  }

  /// The new catalog once the work is done: rows that were all written anew have no earlier layouts.
  var result: CatalogDocument {
    var result = after
    for position in result.entities.indices
    where work.rewrites.contains(EntityID(rawValue: result.entities[position].id)) {
      result.entities[position].earlierLayouts = nil
    }
    return result
  }

  mutating func note(_ difference: SchemaDifference) {
    differences.append(difference)
  }

  mutating func take(_ counter: WritableKeyPath<CatalogDocument, UInt32>) -> UInt32 {
    defer { after[keyPath: counter] += 1 }
    return after[keyPath: counter]
  }

  private mutating func evolved(
    _ description: EntityDescription, links: LinkNumbers
  ) -> CatalogDocument.StoredEntity {
    let stored = match.entity(description)
    let id = stored?.id ?? take(\.nextEntityID)
    let fields = evolvedFields(of: description, stored: stored, links: links)
    return CatalogDocument.StoredEntity(
      id: id,
      layoutVersion: fields.version,
      fields: fields.names,
      formedFields: fields.formed.isEmpty ? nil : fields.formed,
      earlierLayouts: fields.earlierLayouts.isEmpty ? nil : fields.earlierLayouts,
      description: description.stored,
      relationships: description.relationships.map { links.numbers(of: $0, in: description) },
      indexes: evolvedIndexes(of: description, stored: stored, refilled: fields.refilled),
      properties: evolvedProperties(of: description, stored: stored))
  }

  /// The numbers of properties in the history: they stay with what is renamed, and are not given again when it is gone.
  private func evolvedProperties(
    of description: EntityDescription, stored: CatalogDocument.StoredEntity?
  ) -> [String] {
    let attributes = description.attributes.map { ($0.name, match.attribute($0, of: description)?.name) }
    let relationships = description.relationships.map { ($0.name, match.relationship($0, of: description)?.name) }
    var names: [String: String] = [:]
    for case (let name, let storedName?) in attributes + relationships { names[storedName] = name }
    let known = (stored?.properties ?? []).map { names[$0] ?? "" }
    return known + (attributes + relationships).map(\.0).filter { !known.contains($0) }
  }
}

extension CatalogDocument {
  /// Whether a schema is the one that the catalog was made for, word for word. Then nothing follows from it, as with most
  /// openings of a store, and they need not look for more.
  func isMade(for schema: StoreSchema, version: SchemaVersion?) -> Bool {
    guard version == nil || version == schemaVersion, schema.entities.count == entities.count else { return false }
    return zip(schema.entities, entities).allSatisfy { $0.stored == $1.description }
  }
}

extension EntityDescription {
  /// The description as the catalog keeps it.
  fileprivate var stored: EntityDescription {
    var result = self
    for position in result.attributes.indices { result.attributes[position].defaultValue = nil }
    return result
  }
}

extension StoreSchema {
  /// Adds the entities of a catalog that the schema does not continue. Their relationships follow what was renamed, and lose
  /// the inverses that are gone.
  fileprivate mutating func add(_ before: CatalogDocument, unless match: SchemaMatch, orIn deletable: Set<String>) {
    for stored in before.entities
    where match.name(of: stored.description.name) == nil && !deletable.contains(stored.description.name) {
      var description = stored.description
      for position in description.relationships.indices {
        guard let name = match.name(of: description.relationships[position].destination) else { continue }
        description.relationships[position].destination = name
        description.relationships[position].inverse = nil
      }
      entities.append(description)
    }
  }
}
