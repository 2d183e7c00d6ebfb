/// Why a schema cannot be used. Each case names the entity and the property at fault.
public enum SchemaError: Error, Sendable, Equatable {
  /// Two entities have one name.
  case duplicateEntity(String)
  /// Two properties of an entity have one name.
  case duplicateProperty(entity: String, property: String)
  /// An entity has more attributes and relationships than a `PropertySet` can hold.
  case tooManyProperties(entity: String, count: Int, max: Int)
  /// The identity is not one of the entity's attributes.
  case unknownIdentity(entity: String, attribute: String)
  /// An index or unique constraint names something that is not one of the entity's attributes.
  case unknownConstraintAttribute(entity: String, attribute: String)
  /// An index or unique constraint names no attribute at all.
  case emptyConstraint(entity: String)
  /// An index or unique constraint names an attribute in external storage, or the identity is one: its values are not at hand.
  case externalStorageInIndex(entity: String, attribute: String)
  /// A relationship leads to an entity that the schema does not have.
  case unknownDestination(entity: String, relationship: String, destination: String)
  /// The declared inverse is not a relationship of the destination.
  case unknownInverse(entity: String, relationship: String, destination: String, inverse: String)
  /// The declared inverse leads elsewhere, or names another relationship as its own inverse.
  case inverseDoesNotPointBack(entity: String, relationship: String, destination: String, inverse: String)
  /// A relationship names itself as its inverse. Both directions of a link would then be one, and neither row its owner.
  case ownInverse(entity: String, relationship: String)
}

extension SchemaError: CustomStringConvertible {
  /// The error as a sentence.
  public var description: String {
    switch self {
    case .duplicateEntity(let name):
      "The schema has two entities named \(name)."
    case .duplicateProperty(let entity, let property):
      "\(entity) has two properties named \(property)."
    case .tooManyProperties(let entity, let count, let max):
      "\(entity) has \(count) properties; an entity can have at most \(max)."
    case .unknownIdentity(let entity, let attribute):
      "The identity of \(entity) is \(attribute), which is not one of its attributes."
    case .unknownConstraintAttribute(let entity, let attribute):
      "An index or unique constraint of \(entity) names \(attribute), which is not one of its attributes."
    case .emptyConstraint(let entity):
      "An index or unique constraint of \(entity) names no attribute."
    case .externalStorageInIndex(let entity, let attribute):
      "\(entity).\(attribute) is kept in external storage, so no index, unique constraint or identity can have it."
    case .unknownDestination(let entity, let relationship, let destination):
      "\(entity).\(relationship) leads to \(destination), which the schema does not have."
    case .unknownInverse(let entity, let relationship, let destination, let inverse):
      "The inverse of \(entity).\(relationship) is \(destination).\(inverse), which does not exist."
    case .inverseDoesNotPointBack(let entity, let relationship, let destination, let inverse):
      "The inverse of \(entity).\(relationship) is \(destination).\(inverse), which does not point back to it."
    case .ownInverse(let entity, let relationship):
      "\(entity).\(relationship) is its own inverse; declare a second relationship for the other direction."
    }
  }
}
