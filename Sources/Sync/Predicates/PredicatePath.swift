import KeyValueStore
import Records

/// Where a path of names leads, in a store.
struct PredicatePath {
  /// What is at the end of a path.
  enum Leaf {
    case attribute(Attribute)
    /// The length of a text or of bytes.
    case length(Attribute)
    /// The object that the relationships lead to.
    case object
  }

  /// The path as it is written.
  let text: String
  /// The relationships on the way. A relationship at the end of the path is one of them.
  var hops: [Relationship]
  var leaf: Leaf

  /// Whether there may be more than one value.
  var isToMany: Bool { hops.contains(where: \.isToMany) }

  /// The object itself.
  static let object = PredicatePath(text: "SELF", hops: [], leaf: .object)
}

/// Follows the names of a model in a store.
struct PathResolver {
  let model: ManagedObjectModel
  let catalog: Catalog
  /// The store that objects in predicates have to be of; nil if any will do.
  var store: StoreIdentifier?

  /// Where a path leads, from an entity whose objects are in one of the store's entities.
  func resolve(
    _ text: String, from entity: EntityDescription, in stored: StoredEntity
  ) throws(ObjectPredicateError) -> PredicatePath {
    var entity = entity
    var stored = stored
    var path = PredicatePath(text: text, hops: [], leaf: .object)
    var names = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)[...]
    while var name = names.popFirst() {
      // In a store, a sub-entity's property is called after both.
      if let next = names.first, entity.hasProperty(named: "\(name).\(next)") {
        name += "." + names.removeFirst()
      }
      if let relationship = entity.relationship(named: name) {
        guard let hop = table(of: stored)?.relationship(named: stored.name(of: name)),
          let next = model.entity(named: relationship.destination),
          let nextStored = model.storage.tables[relationship.destination]?.first
        else { throw .unknownProperty(entity: entity.name, property: name, path: text) }
        path.hops.append(hop)
        entity = next
        stored = nextStored
        continue
      }
      guard let attribute = entity.attribute(named: name) else {
        throw .unknownProperty(entity: entity.name, property: name, path: text)
      }
      if attribute.isTransient { throw .transientAttribute(entity: entity.name, attribute: name) }
      guard let field = table(of: stored)?.attribute(named: stored.name(of: name)) else {
        throw .unknownProperty(entity: entity.name, property: name, path: text)
      }
      switch (names.first, attribute.type) {
      case (nil, _): path.leaf = .attribute(field)
      case ("length", .string) where names.count == 1, ("length", .binaryData) where names.count == 1:
        path.leaf = .length(field)
      default: throw .notARelationship(entity: entity.name, attribute: name, path: text)
      }
      return path
    }
    return path
  }

  private func table(of stored: StoredEntity) -> Entity? { catalog.entity(named: stored.table) }
}

extension EntityDescription {
  fileprivate func hasProperty(named name: String) -> Bool {
    attribute(named: name) != nil || relationship(named: name) != nil
  }
}
