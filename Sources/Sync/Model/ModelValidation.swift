/// Checks that entities, which have what they inherit already, make sense together.
struct ModelValidation {
  private let entities: [EntityDescription]
  private let byName: [String: EntityDescription]

  init(_ entities: [EntityDescription]) {
    self.entities = entities
    byName = Dictionary(entities.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// - Throws: The first `ModelError`, in the order of declarations.
  func validate() throws(ModelError) {
    for entity in entities {
      for attribute in entity.attributes where attribute.entityName == entity.name { try attribute.validate() }
      try validateConstraints(of: entity)
      try validatePrimaryKey(of: entity)
    }
    for entity in entities {
      for relationship in entity.relationships where relationship.entityName == entity.name {
        try validate(relationship, of: entity)
      }
    }
  }

  private func validateConstraints(of entity: EntityDescription) throws(ModelError) {
    for constraint in entity.uniquenessConstraints + entity.indexes {
      if constraint.isEmpty { throw .unknownConstraintAttribute(entity: entity.name, attribute: "") }
      for name in constraint where entity.attribute(named: name)?.isTransient != false {
        throw .unknownConstraintAttribute(entity: entity.name, attribute: name)
      }
    }
  }

  private func validatePrimaryKey(of entity: EntityDescription) throws(ModelError) {
    let candidates = entity.primaryKeyCandidates
    if candidates.count > 1 {
      throw .twoPrimaryKeys(entity: entity.name, first: candidates[0].name, second: candidates[1].name)
    }
    guard let key = candidates.first else { return }
    if !key.canBePrimaryKey {
      throw .unusablePrimaryKey(
        entity: entity.name, attribute: key.name, type: key.isTransient ? "transient" : key.type.rawValue)
    }
  }

  // MARK: Relationships

  private func validate(_ relationship: RelationshipDescription, of entity: EntityDescription) throws(ModelError) {
    guard let destination = byName[relationship.destination] else {
      throw .unknownDestination(
        entity: entity.name, relationship: relationship.name, destination: relationship.destination)
    }
    if relationship.isToMany, let maximum = relationship.maxCount,
      maximum < max(relationship.minCount, 1) || relationship.minCount < 0
    {
      throw .impossibleCounts(
        entity: entity.name, relationship: relationship.name, minimum: relationship.minCount, maximum: maximum)
    }
    if let inverse = relationship.inverse { try validate(relationship, of: entity, inverse: inverse, in: destination) }
    let claimants = claimants(of: relationship)
    if claimants.count > 1 {
      throw .inverseClaimedTwice(
        entity: entity.name, relationship: relationship.name, first: claimants[0], second: claimants[1])
    }
  }

  private func validate(
    _ relationship: RelationshipDescription, of entity: EntityDescription, inverse: String,
    in destination: EntityDescription
  ) throws(ModelError) {
    guard let other = destination.relationship(named: inverse) else {
      throw .unknownInverse(
        entity: entity.name, relationship: relationship.name, destination: destination.name, inverse: inverse)
    }
    if other.entityName == entity.name, other.name == relationship.name {
      throw .ownInverse(entity: entity.name, relationship: relationship.name)
    }
    // The inverse may be declared, and may lead, further up or down than the relationship itself says.
    let isBack = byName[other.destination].map { $0.isKind(of: entity.name) || entity.isKind(of: $0.name) }
    guard isBack == true, (other.inverse ?? relationship.name) == relationship.name else {
      throw .inverseDoesNotPointBack(
        entity: entity.name, relationship: relationship.name, destination: destination.name, inverse: inverse)
    }
  }

  /// The relationships that name one as their inverse, as texts.
  private func claimants(of relationship: RelationshipDescription) -> [String] {
    entities.flatMap { entity in
      entity.relationships.filter { other in
        other.entityName == entity.name && other.inverse == relationship.name
          && byName[other.destination]?.relationship(named: relationship.name)?.entityName == relationship.entityName
      }.map { "\(entity.name).\($0.name)" }
    }
  }
}

extension AttributeDescription {
  fileprivate func validate() throws(ModelError) {
    if let defaultValue { try check(defaultValue, is: type) }
    for bound in [minimum, maximum] {
      if let bound { try check(bound, is: type == .string ? .integer32 : type) }
    }
    if let regularExpression {
      guard type == .string, TextPattern(regularExpression) != nil else {
        throw .invalidRegularExpression(entity: entityName, attribute: name, pattern: regularExpression)
      }
    }
  }

  private func check(_ value: AttributeValue, is type: AttributeType) throws(ModelError) {
    if value.fieldValue(as: type) == nil {
      throw .valueNotOfType(entity: entityName, attribute: name, value: value.text, type: type.rawValue)
    }
  }
}
