import Records

/// How the objects of a model lie in a store.
///
/// An entity without parent and sub-entities is an entity of the store, with the same properties: the one that a `@Model` class
/// with these properties would have. Entities that inherit share one, that of their topmost ancestor, because what leads to the
/// ancestor may lead to the objects of all of them. It has the properties of all, and each row says whose it is.
struct StoredModel: Sendable {
  /// The attribute of a shared entity that has the name of the row's own entity. No property of a model can be called so.
  static let entityAttribute = "$entity"

  /// The schema of the store.
  let schema: StoreSchema
  /// Where the objects of each entity are: in one of the store's entities, or in several for an abstract entity that has none.
  let tables: [String: [StoredEntity]]

  /// - Throws: `ModelError.differentPrimaryKeys` where entities that have to share one of the store can't.
  init(_ entities: [EntityDescription]) throws(ModelError) {
    let layout = TableLayout(entities)
    var tables: [String: [StoredEntity]] = [:]
    var described: [Records.EntityDescription] = []
    for root in layout.roots {
      let builder = try TableBuilder(root, layout)
      described.append(try builder.description())
      for member in builder.family { tables[member.name] = [builder.storedEntity(member)] }
    }
    for entity in entities where tables[entity.name] == nil {
      // Abstract, and nothing leads to it: its objects are those of the entities below it.
      tables[entity.name] = entities.filter { $0.isKind(of: entity.name) && layout.roots.contains($0) }
        .compactMap { tables[$0.name]?.first }
    }
    schema = StoreSchema(entities: described)
    self.tables = tables
  }

  /// The entities of a store, each with its own rows.
  init(_ schema: StoreSchema) {
    self.schema = schema
    tables = Dictionary(
      schema.entities.map { ($0.name, [StoredEntity(table: $0.name, members: nil, renamed: [:])]) },
      uniquingKeysWith: { first, _ in first })
  }
}

/// Where the objects of an entity are in one of the store's entities.
struct StoredEntity: Sendable, Hashable {
  /// The name of the store's entity.
  let table: String
  /// The names of the entities whose objects these are: of the entity itself and of all below it, without abstract ones. Nil where
  /// all rows are meant.
  let members: [String]?
  /// The names in the store of properties that are called otherwise there.
  let renamed: [String: String]

  /// The name in the store of a property.
  func name(of property: String) -> String { renamed[property] ?? property }
}
