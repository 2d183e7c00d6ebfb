/// Which entities of a model share an entity of the store.
struct TableLayout {
  let entities: [EntityDescription]
  /// The entities that the store has: each stands for all below it as well.
  let roots: [EntityDescription]
  private let byName: [String: EntityDescription]
  private let isTable: Set<String>

  init(_ entities: [EntityDescription]) {
    self.entities = entities
    byName = Dictionary(entities.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    // An abstract entity has rows only because something leads to it or back to it, or because its objects share a key.
    var tables = Set(entities.filter { !$0.isAbstract || $0.primaryKeyAttribute != nil }.map(\.name))
    for relationship in entities.flatMap({ $0.relationships }) {
      tables.insert(relationship.destination)
      if relationship.inverse != nil { tables.insert(relationship.entityName) }
    }
    isTable = tables
    let isTableBelow = { (entity: EntityDescription) in entity.ancestors.contains { tables.contains($0) } }
    roots = entities.filter { tables.contains($0.name) && !isTableBelow($0) }
  }

  /// The entity of the store that the objects of an entity are in: the topmost that is one. Nil for an abstract entity above all
  /// of these.
  func root(of name: String) -> EntityDescription? {
    guard let entity = byName[name] else { return nil }
    return ([name] + entity.ancestors).last { isTable.contains($0) }.flatMap { byName[$0] }
  }

  /// The name in the store of a property that an entity declares. What all rows have keeps its name; what the rows of a sub-entity
  /// have is called after both, so that two sub-entities may use one name.
  func storedName(of property: String, declaredBy owner: String, in root: EntityDescription) -> String {
    root.isKind(of: owner) ? property : "\(owner).\(property)"
  }

  /// The other direction of a relationship, whichever of the two names the other.
  func inverse(of relationship: RelationshipDescription) -> RelationshipDescription? {
    relationship.inverse { byName[$0] }
  }
}
