/// One way in which a schema differs from what a store was made with.
///
/// Only structure counts: what records, keys and tables are made of. Payload keys, export flags, earlier names, delete
/// rules and the identity's payload key are simply taken over.
public enum SchemaDifference: Sendable, Equatable {
  case attributeAdded(entity: String, attribute: String)
  case attributeRemoved(entity: String, attribute: String)
  case attributeTypeChanged(entity: String, attribute: String, stored: AttributeType, given: AttributeType)
  case attributeOptionalityChanged(entity: String, attribute: String, isOptional: Bool)
  case relationshipAdded(entity: String, relationship: String)
  case relationshipRemoved(entity: String, relationship: String)
  case destinationChanged(entity: String, relationship: String, stored: String, given: String)
  case cardinalityChanged(entity: String, relationship: String, isToMany: Bool)
  /// Rows of the store may lead nowhere through it.
  case relationshipMadeRequired(entity: String, relationship: String)
  case inverseChanged(entity: String, relationship: String, stored: String?, given: String?)
  case indexAdded(entity: String, attributes: [String], isUnique: Bool)
  case indexRemoved(entity: String, attributes: [String], isUnique: Bool)
}

extension SchemaDifference: CustomStringConvertible {
  /// The difference as a sentence.
  public var description: String {
    switch self {
    case .attributeAdded(let entity, let attribute):
      "\(entity).\(attribute) is an attribute that the store does not have."
    case .attributeRemoved(let entity, let attribute):
      "\(entity).\(attribute) is an attribute of the store that the schema does not have."
    case .attributeTypeChanged(let entity, let attribute, let stored, let given):
      "\(entity).\(attribute) is \(stored.rawValue) in the store and \(given.rawValue) in the schema."
    case .attributeOptionalityChanged(let entity, let attribute, let isOptional):
      isOptional
        ? "\(entity).\(attribute) is required in the store and optional in the schema."
        : "\(entity).\(attribute) is optional in the store and required in the schema."
    case .relationshipAdded(let entity, let relationship):
      "\(entity).\(relationship) is a relationship that the store does not have."
    case .relationshipRemoved(let entity, let relationship):
      "\(entity).\(relationship) is a relationship of the store that the schema does not have."
    case .destinationChanged(let entity, let relationship, let stored, let given):
      "\(entity).\(relationship) leads to \(stored) in the store and to \(given) in the schema."
    case .cardinalityChanged(let entity, let relationship, let isToMany):
      isToMany
        ? "\(entity).\(relationship) is to-one in the store and to-many in the schema."
        : "\(entity).\(relationship) is to-many in the store and to-one in the schema."
    case .relationshipMadeRequired(let entity, let relationship):
      "\(entity).\(relationship) is optional in the store and required in the schema."
    case .inverseChanged(let entity, let relationship, let stored, let given):
      "The inverse of \(entity).\(relationship) is \(stored ?? "implicit") in the store and "
        + "\(given ?? "implicit") in the schema."
    case .indexAdded(let entity, let attributes, let isUnique):
      "\(entity) has \(isUnique ? "a unique constraint" : "an index") on \(attributes.joined(separator: ", ")) "
        + "that the store does not have."
    case .indexRemoved(let entity, let attributes, let isUnique):
      "\(entity) has \(isUnique ? "a unique constraint" : "an index") on \(attributes.joined(separator: ", ")) "
        + "in the store that the schema does not have."
    }
  }
}

extension CatalogDocument.StoredEntity {
  /// Everything in which a description has another structure than this entity.
  func differences(
    to given: EntityDescription, in schema: StoreSchema, stored document: CatalogDocument
  ) -> [SchemaDifference] {
    attributeDifferences(to: given)
      + relationshipDifferences(to: given, in: schema, stored: document)
      + indexDifferences(to: given)
  }

  private func attributeDifferences(to given: EntityDescription) -> [SchemaDifference] {
    var result: [SchemaDifference] = []
    for new in given.attributes {
      guard let old = description.attributes.first(where: { $0.name == new.name }) else {
        result.append(.attributeAdded(entity: given.name, attribute: new.name))
        continue
      }
      if old.type != new.type {
        result.append(
          .attributeTypeChanged(entity: given.name, attribute: new.name, stored: old.type, given: new.type))
      }
      if old.isOptional != new.isOptional {
        result.append(
          .attributeOptionalityChanged(entity: given.name, attribute: new.name, isOptional: new.isOptional))
      }
    }
    for old in description.attributes where !given.attributes.contains(where: { $0.name == old.name }) {
      result.append(.attributeRemoved(entity: given.name, attribute: old.name))
    }
    return result
  }

  private func relationshipDifferences(
    to given: EntityDescription, in schema: StoreSchema, stored document: CatalogDocument
  ) -> [SchemaDifference] {
    var result: [SchemaDifference] = []
    let storedSchema = document.schema
    for new in given.relationships {
      guard let old = description.relationships.first(where: { $0.name == new.name }) else {
        result.append(.relationshipAdded(entity: given.name, relationship: new.name))
        continue
      }
      if old.destination != new.destination {
        result.append(
          .destinationChanged(
            entity: given.name, relationship: new.name, stored: old.destination, given: new.destination))
        continue
      }
      if old.isToMany != new.isToMany {
        result.append(.cardinalityChanged(entity: given.name, relationship: new.name, isToMany: new.isToMany))
      } else if new.isRequired, !old.isRequired {
        result.append(.relationshipMadeRequired(entity: given.name, relationship: new.name))
      }
      let storedInverse = storedSchema.inverseName(of: old, in: description)
      let givenInverse = schema.inverseName(of: new, in: given)
      if storedInverse != givenInverse {
        result.append(
          .inverseChanged(entity: given.name, relationship: new.name, stored: storedInverse, given: givenInverse))
      }
    }
    for old in description.relationships where !given.relationships.contains(where: { $0.name == old.name }) {
      result.append(.relationshipRemoved(entity: given.name, relationship: old.name))
    }
    return result
  }

  private func indexDifferences(to given: EntityDescription) -> [SchemaDifference] {
    let old = indexes.map { EntityDescription.IndexDescription(attributes: $0.attributes, isUnique: $0.isUnique) }
    let new = given.indexDescriptions
    return new.filter { !old.contains($0) }.map {
      .indexAdded(entity: given.name, attributes: $0.attributes, isUnique: $0.isUnique)
    }
      + old.filter { !new.contains($0) }.map {
        .indexRemoved(entity: given.name, attributes: $0.attributes, isUnique: $0.isUnique)
      }
  }
}
