import KeyValueStore
import Records

/// Turns predicates on the objects of an entity into conditions of a store, which its planner answers.
struct PredicateCompiler {
  /// How deep a tree may be nested. What is read from a text is never as deep.
  static let depthMax = 2 * FormatParser.depthMax

  let resolver: PathResolver
  let entity: EntityDescription
  let stored: StoredEntity

  /// What is asked of the rows of the store's entities that an entity's objects are in: of one, or of several where the entity is
  /// abstract and not stored itself. Without a predicate all objects are meant.
  ///
  /// - Throws: `ObjectPredicateError`.
  static func conditions(
    _ predicate: ObjectPredicate?, of name: String, in model: ManagedObjectModel, _ catalog: Catalog,
    store: StoreIdentifier? = nil
  ) throws(ObjectPredicateError) -> [(entity: Entity, condition: Condition)] {
    guard let entity = model.entity(named: name), let tables = model.storage.tables[name] else {
      throw .unknownEntity(name)
    }
    let resolver = PathResolver(model: model, catalog: catalog, store: store)
    var result: [(entity: Entity, condition: Condition)] = []
    for stored in tables {
      guard let table = catalog.entity(named: stored.table) else { throw .unknownEntity(stored.table) }
      let compiler = PredicateCompiler(resolver: resolver, entity: entity, stored: stored)
      var parts: [Condition] = []
      if let members = stored.members, let field = table.attribute(named: StoredModel.entityAttribute)?.field {
        parts.append(.oneOf(field, members.map { .string($0) }))
      }
      if let predicate { parts.append(try compiler.condition(predicate, depth: 0)) }
      result.append((table, .all(parts)))
    }
    return result
  }

  func condition(_ predicate: ObjectPredicate, depth: Int) throws(ObjectPredicateError) -> Condition {
    if depth == PredicateCompiler.depthMax { throw .tooDeep(max: PredicateCompiler.depthMax) }
    switch predicate {
    case .constant(let value): return value ? .always : .never
    case .and(let parts): return .all(try conditions(parts, depth: depth + 1))
    case .or(let parts): return .any(try conditions(parts, depth: depth + 1))
    case .not(let predicate): return .not(try condition(predicate, depth: depth + 1))
    case .comparison(let comparison):
      return try ComparisonCompiler(comparison, in: self, depth: depth + 1).condition()
    }
  }

  private func conditions(_ parts: [ObjectPredicate], depth: Int) throws(ObjectPredicateError) -> [Condition] {
    var result: [Condition] = []
    for part in parts { result.append(try condition(part, depth: depth)) }
    return result
  }

  func path(_ text: String) throws(ObjectPredicateError) -> PredicatePath {
    try resolver.resolve(text, from: entity, in: stored)
  }

  /// The compiler for predicates on what a path of the model leads to.
  func compiler(at path: String) throws(ObjectPredicateError) -> PredicateCompiler {
    var entity = entity
    for name in path.split(separator: ".").map(String.init) {
      guard let relationship = entity.relationship(named: name),
        let next = resolver.model.entity(named: relationship.destination)
      else { throw .unknownProperty(entity: entity.name, property: name, path: path) }
      entity = next
    }
    guard let stored = resolver.model.storage.tables[entity.name]?.first else { throw .unknownEntity(entity.name) }
    return PredicateCompiler(resolver: resolver, entity: entity, stored: stored)
  }
}
