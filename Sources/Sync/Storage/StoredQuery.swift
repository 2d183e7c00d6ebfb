import Records

/// Queries of a store by what it says of itself, for programs that have no model of it.
///
/// Paths in predicates and sorts have the names of the store. A sub-entity of a model is no entity of the store, and its properties
/// are called after both there: `Car.doors`.
package struct StoredQuery {
  private let catalog: Catalog
  private let model: ManagedObjectModel

  package init(_ catalog: Catalog) {
    self.catalog = catalog
    model = ManagedObjectModel(describing: catalog.schema)
  }

  /// A query of the rows of an entity.
  ///
  /// - Parameters:
  ///   - entity: The entity, one of the catalog's.
  ///   - predicate: What is asked of the rows; nil for all.
  ///   - order: What they are sorted by.
  ///   - offset: How many are skipped.
  ///   - limit: How many are wanted at most; nil for all.
  /// - Returns: The query, which the planner of any snapshot of the store answers.
  /// - Throws: `ObjectPredicateError` for what does not fit the entity.
  package func query(
    _ entity: Entity, where predicate: ObjectPredicate?, order: [ObjectSort] = [], offset: Int = 0, limit: Int? = nil
  ) throws(ObjectPredicateError) -> RecordQuery {
    let conditions = try PredicateCompiler.conditions(predicate, of: entity.name, in: model, catalog)
    let resolver = PathResolver(model: model, catalog: catalog)
    guard let described = model.entity(named: entity.name), let stored = model.storage.tables[entity.name]?.first else {
      throw .unknownEntity(entity.name)
    }
    var terms: [OrderTerm] = []
    for sort in order { terms.append(try sort.term(resolver.resolve(sort.key, from: described, in: stored))) }
    return RecordQuery(
      entity, where: conditions.first?.condition ?? .always, order: terms, offset: offset, limit: limit)
  }
}

extension ManagedObjectModel {
  /// What a schema says, as far as predicates need it. It has no rules of its own that names could break.
  fileprivate init(describing schema: StoreSchema) {
    let entities = schema.entities.map { entity in
      EntityDescription(
        entity.name,
        attributes: entity.attributes.map { AttributeDescription($0.name, .init(storedAs: $0.type)) },
        relationships: entity.relationships.map { relationship in
          relationship.isToMany
            ? .toMany(relationship.name, relationship.destination) : .toOne(relationship.name, relationship.destination)
        })
    }
    self.init(describing: entities, storedAs: schema)
  }
}

extension AttributeDescription.AttributeType {
  /// The type whose values are written like those of a stored type. Widths make no difference in a predicate.
  fileprivate init(storedAs type: Records.AttributeType) {
    self =
      switch type {
      case .int8, .int16, .int32, .int64, .uint8, .uint16, .uint32, .uint64: .integer64
      case .float: .float
      case .double: .double
      case .decimal: .decimal
      case .string: .string
      case .bool: .boolean
      case .date: .date
      case .data: .binaryData
      case .uuid: .uuid
      case .url: .uri
      case .composite: .transformable
      }
  }
}
