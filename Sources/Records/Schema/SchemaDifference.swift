/// One reason for which a schema cannot take over what a store holds, or for which a store cannot be read with it.
///
/// What can be carried over is no difference: docs/migrations.md says what that is. Who only reads carries nothing over.
public enum SchemaDifference: Sendable, Equatable {
  /// Values of the stored type are no values of the given one.
  case attributeTypeChanged(entity: String, attribute: String, stored: AttributeType, given: AttributeType)
  case attributeBecameRelationship(entity: String, property: String)
  case relationshipBecameAttribute(entity: String, property: String)
  case destinationChanged(entity: String, relationship: String, stored: String, given: String)
  /// Two relationships that were not each other's inverses are to be, and their links contradict each other.
  case inverseChanged(entity: String, relationship: String, stored: String?, given: String?)
  /// The entity has rows, which would be without a value.
  case defaultMissing(entity: String, attribute: String)
  /// The attribute has to have a value, and a row has none.
  case valueMissing(entity: String, attribute: String, row: RowNumber)
  /// The relationship has to lead somewhere, and a row has no destination.
  case destinationMissing(entity: String, relationship: String, row: RowNumber)
  /// The value of a row is none of the given type.
  case valueNotExact(entity: String, attribute: String, row: RowNumber, value: String, given: AttributeType)
  /// The relationship is to-one, and a row has several members in it.
  case severalMembers(entity: String, relationship: String, row: RowNumber)
  /// The entity is not there. Only for reading: a store that is saved to gets it.
  case entityNotStored(entity: String)
  /// The property is not there. Only for reading: a store that is saved to gets it.
  case propertyNotStored(entity: String, property: String)
  /// The property has to have a value, or lead somewhere, and rows need not. Only for reading: where rows are saved it is looked
  /// whether one has none.
  case propertyOptional(entity: String, property: String)
  /// The relationship leads to one row on one side, and to many on the other. Only for reading.
  case cardinalityChanged(entity: String, relationship: String, isToManyInStore: Bool)
}

extension SchemaDifference: CustomStringConvertible {
  /// The difference as a sentence.
  public var description: String {
    switch self {
    case .attributeTypeChanged(let entity, let attribute, let stored, let given):
      "\(entity).\(attribute) is \(stored.rawValue) in the store and \(given.rawValue) in the schema."
    case .attributeBecameRelationship(let entity, let property):
      "\(entity).\(property) is an attribute in the store and a relationship in the schema."
    case .relationshipBecameAttribute(let entity, let property):
      "\(entity).\(property) is a relationship in the store and an attribute in the schema."
    case .destinationChanged(let entity, let relationship, let stored, let given):
      "\(entity).\(relationship) leads to \(stored) in the store and to \(given) in the schema."
    case .inverseChanged(let entity, let relationship, let stored, let given):
      "The inverse of \(entity).\(relationship) is \(stored ?? "implicit") in the store and "
        + "\(given ?? "implicit") in the schema."
    case .defaultMissing(let entity, let attribute):
      "\(entity).\(attribute) is new, required and without a default value, and the store has rows of \(entity)."
    case .valueMissing(let entity, let attribute, let row):
      "\(entity).\(attribute) is required in the schema, without a default value, and row \(row.rawValue) has no value."
    case .destinationMissing(let entity, let relationship, let row):
      "\(entity).\(relationship) is required in the schema, and row \(row.rawValue) has no destination."
    case .valueNotExact(let entity, let attribute, let row, let value, let given):
      "\(entity).\(attribute) of row \(row.rawValue) is \(value), which is no \(given.rawValue)."
    case .severalMembers(let entity, let relationship, let row):
      "\(entity).\(relationship) is to-one in the schema, and row \(row.rawValue) has several members."
    case .entityNotStored(let entity):
      "\(entity) is not in the store."
    case .propertyNotStored(let entity, let property):
      "\(entity).\(property) is not in the store."
    case .propertyOptional(let entity, let property):
      "\(entity).\(property) is required in the schema and optional in the store."
    case .cardinalityChanged(let entity, let relationship, let isToManyInStore):
      "\(entity).\(relationship) is \(isToManyInStore ? "to-many" : "to-one") in the store and "
        + "\(isToManyInStore ? "to-one" : "to-many") in the schema."
    }
  }
}
