extension StoreSchema {
  /// Checks that every name in the schema leads somewhere and that inverses agree.
  ///
  /// A relationship whose inverse is named only at the other end is complete: one declaration pairs both.
  ///
  /// - Throws: The first `SchemaError` found, in declaration order.
  package func validate() throws {
    var names: Set<String> = []
    for entity in entities where !names.insert(entity.name).inserted {
      throw SchemaError.duplicateEntity(entity.name)
    }
    for entity in entities {
      try entity.validateProperties()
      try entity.validateConstraints()
    }
    for entity in entities {
      for relationship in entity.relationships { try validate(relationship, of: entity) }
    }
  }

  /// The name of the relationship at the far end that is the other direction of this one: the declared inverse, or the
  /// relationship over there that declares this one as its inverse. Nil: the other direction is implicit.
  package func inverseName(of relationship: RelationshipDescription, in entity: EntityDescription) -> String? {
    relationship.inverse ?? claimants(of: relationship, in: entity).first?.name
  }

  private func validate(_ relationship: RelationshipDescription, of entity: EntityDescription) throws {
    guard let destination = self.entity(named: relationship.destination) else {
      throw SchemaError.unknownDestination(
        entity: entity.name, relationship: relationship.name, destination: relationship.destination)
    }
    if let inverse = relationship.inverse {
      if destination.name == entity.name && inverse == relationship.name {
        throw SchemaError.ownInverse(entity: entity.name, relationship: relationship.name)
      }
      guard let other = destination.relationships.first(where: { $0.name == inverse }) else {
        throw SchemaError.unknownInverse(
          entity: entity.name, relationship: relationship.name, destination: destination.name, inverse: inverse)
      }
      guard other.destination == entity.name, (other.inverse ?? relationship.name) == relationship.name else {
        throw SchemaError.inverseDoesNotPointBack(
          entity: entity.name, relationship: relationship.name, destination: destination.name, inverse: inverse)
      }
    }
    // At most one relationship may claim this one, and it must be the one that this one names.
    for claimant in claimants(of: relationship, in: entity)
    where claimant.name != inverseName(of: relationship, in: entity) {
      throw SchemaError.inverseDoesNotPointBack(
        entity: destination.name, relationship: claimant.name, destination: entity.name, inverse: relationship.name)
    }
  }

  /// The relationships at the far end that declare this one as their inverse.
  private func claimants(
    of relationship: RelationshipDescription, in entity: EntityDescription
  ) -> [RelationshipDescription] {
    let candidates = self.entity(named: relationship.destination)?.relationships ?? []
    return candidates.filter { $0.inverse == relationship.name && $0.destination == entity.name }
  }
}

extension EntityDescription {
  /// One index as the schema asks for it.
  struct IndexDescription: Equatable {
    var attributes: [String]
    var isUnique: Bool
  }

  /// All indexes that the entity needs, each set of attributes once: its unique constraints, its plain indexes, and one
  /// for the identity, because every sync looks rows up by it.
  var indexDescriptions: [IndexDescription] {
    let unique = attributes.filter { $0.options.contains(.unique) }.map { [$0.name] } + uniquenessConstraints
    let plain = (identity.map { [[$0]] } ?? []) + indexes
    var result: [IndexDescription] = []
    for (attributes, isUnique) in unique.map({ ($0, true) }) + plain.map({ ($0, false) })
    where !result.contains(where: { $0.attributes == attributes }) {
      result.append(IndexDescription(attributes: attributes, isUnique: isUnique))
    }
    return result
  }

  fileprivate func validateProperties() throws {
    let count = attributes.count + relationships.count
    guard count <= Entity.propertiesMax else {
      throw SchemaError.tooManyProperties(entity: name, count: count, max: Entity.propertiesMax)
    }
    var names: Set<String> = []
    for property in attributes.map(\.name) + relationships.map(\.name) where !names.insert(property).inserted {
      throw SchemaError.duplicateProperty(entity: name, property: property)
    }
  }

  fileprivate func validateConstraints() throws {
    let names = Set(attributes.map(\.name))
    if let identity, !names.contains(identity) {
      throw SchemaError.unknownIdentity(entity: name, attribute: identity)
    }
    for constraint in uniquenessConstraints + indexes {
      if constraint.isEmpty { throw SchemaError.emptyConstraint(entity: name) }
      for attribute in constraint where !names.contains(attribute) {
        throw SchemaError.unknownConstraintAttribute(entity: name, attribute: attribute)
      }
    }
    let indexed = Set(indexDescriptions.flatMap(\.attributes))
    for attribute in attributes where attribute.isExternal && indexed.contains(attribute.name) {
      throw SchemaError.externalStorageInIndex(entity: name, attribute: attribute.name)
    }
  }
}
