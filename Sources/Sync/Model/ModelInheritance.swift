/// Gives entities what they inherit.
enum ModelInheritance {
  /// How many ancestors an entity may have.
  static let ancestorsMax = 64

  /// The entities with the properties of their ancestors in front of their own.
  ///
  /// - Throws: `ModelError` for names that occur twice or are empty, for parents that don't exist, for a cycle or too long a line of them, and for a
  ///   property that an ancestor has already.
  static func resolve(_ entities: [EntityDescription]) throws(ModelError) -> [EntityDescription] {
    var byName: [String: EntityDescription] = [:]
    for entity in entities {
      if entity.name.isEmpty { throw .entityWithoutName }
      if byName.updateValue(entity, forKey: entity.name) != nil { throw .duplicateEntity(entity.name) }
      try checkNames(of: entity)
    }
    var resolved: [EntityDescription] = []
    for entity in entities {
      let ancestors = try ancestors(of: entity, in: byName)
      var result = entity
      result.ancestors = ancestors.map(\.name)
      result.subentities = entities.filter { $0.parent == entity.name }.map(\.name)
      let line = ancestors.reversed() + [entity]
      result.attributes = line.flatMap { $0.ownAttributes }
      result.relationships = line.flatMap { $0.ownRelationships }
      try checkNothingIsHidden(result)
      resolved.append(result)
    }
    return resolved
  }

  private static func checkNames(of entity: EntityDescription) throws(ModelError) {
    var names: Set<String> = []
    for name in entity.attributes.map(\.name) + entity.relationships.map(\.name) {
      if name.isEmpty { throw .propertyWithoutName(entity: entity.name) }
      if !names.insert(name).inserted { throw .duplicateProperty(entity: entity.name, property: name) }
    }
  }

  /// The parent, its parent and so on.
  private static func ancestors(
    of entity: EntityDescription, in entities: [String: EntityDescription]
  ) throws(ModelError) -> [EntityDescription] {
    var result: [EntityDescription] = []
    var current = entity
    while let name = current.parent {
      guard let parent = entities[name] else { throw .unknownParent(entity: current.name, parent: name) }
      if parent.name == entity.name || result.contains(where: { $0.name == parent.name }) {
        throw .cycleOfParents([entity.name] + result.map(\.name) + [parent.name])
      }
      if result.count == ancestorsMax { throw .tooManyAncestors(entity: entity.name, maximum: ancestorsMax) }
      result.append(parent)
      current = parent
    }
    return result
  }

  private static func checkNothingIsHidden(_ entity: EntityDescription) throws(ModelError) {
    var owners: [String: String] = [:]
    let properties =
      entity.attributes.map { ($0.name, $0.entityName) } + entity.relationships.map { ($0.name, $0.entityName) }
    for (name, owner) in properties {
      if let ancestor = owners.updateValue(owner, forKey: name) {
        throw .propertyHidesInherited(entity: owner, property: name, ancestor: ancestor)
      }
    }
  }
}

extension EntityDescription {
  // An entity may come from another model, where it had its inherited properties already.

  fileprivate var ownAttributes: [AttributeDescription] {
    attributes.filter { $0.entityName.isEmpty || $0.entityName == name }.map { attribute in
      var attribute = attribute
      attribute.entityName = name
      return attribute
    }
  }

  fileprivate var ownRelationships: [RelationshipDescription] {
    relationships.filter { $0.entityName.isEmpty || $0.entityName == name }.map { relationship in
      var relationship = relationship
      relationship.entityName = name
      return relationship
    }
  }
}
