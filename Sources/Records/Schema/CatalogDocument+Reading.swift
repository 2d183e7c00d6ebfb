extension CatalogDocument {
  /// What keeps rows of this catalog from being read with a schema as they are, without changing anything.
  ///
  /// The schema may lack entities and properties that the catalog has. Indexes, constraints and delete rules are for
  /// writers, and do not matter.
  func differencesForReading(_ schema: StoreSchema) -> [SchemaDifference] {
    schema.entities.flatMap { given -> [SchemaDifference] in
      guard let stored = entity(named: given.name)?.description else { return [.entityNotStored(entity: given.name)] }
      return given.attributes.compactMap { stored.difference(forReading: $0) }
        + given.relationships.compactMap { stored.difference(forReading: $0) }
    }
  }
}

extension EntityDescription {
  fileprivate func difference(forReading given: AttributeDescription) -> SchemaDifference? {
    guard let stored = attributes.first(where: { $0.name == given.name }) else {
      return relationships.contains { $0.name == given.name }
        ? .relationshipBecameAttribute(entity: name, property: given.name)
        : .propertyNotStored(entity: name, property: given.name)
    }
    if stored.type != given.type {
      return .attributeTypeChanged(entity: name, attribute: given.name, stored: stored.type, given: given.type)
    }
    return stored.isOptional && !given.isOptional ? .propertyOptional(entity: name, property: given.name) : nil
  }

  fileprivate func difference(forReading given: RelationshipDescription) -> SchemaDifference? {
    guard let stored = relationships.first(where: { $0.name == given.name }) else {
      return attributes.contains { $0.name == given.name }
        ? .attributeBecameRelationship(entity: name, property: given.name)
        : .propertyNotStored(entity: name, property: given.name)
    }
    if stored.destination != given.destination {
      return .destinationChanged(
        entity: name, relationship: given.name, stored: stored.destination, given: given.destination)
    }
    if stored.isToMany != given.isToMany {
      return .cardinalityChanged(entity: name, relationship: given.name, isToManyInStore: stored.isToMany)
    }
    if let inverse = given.inverse, inverse != stored.inverse {
      return .inverseChanged(entity: name, relationship: given.name, stored: stored.inverse, given: inverse)
    }
    return given.isRequired && !stored.isRequired ? .propertyOptional(entity: name, property: given.name) : nil
  }
}
