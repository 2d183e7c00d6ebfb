/// What was asked of an object or a context that its entity can't do. Each case names the entity and the property.
public enum ManagedObjectError: Error, Sendable, Hashable {
  /// The model has no entity of the name.
  case unknownEntity(String)
  /// All objects of the entity are objects of its sub-entities, so there are none to be made.
  case abstractEntity(String)
  /// The objects of the entity are of another class than the one that was asked for.
  case wrongClass(entity: String, expected: String, found: String)
  /// The entity has no property of the name.
  case unknownProperty(entity: String, property: String)
  /// The value is none of the attribute's type, or can't be one without loss.
  case wrongType(entity: String, attribute: String, type: String, value: String)
  /// What was assigned to a relationship is no object, or none of the entity that it leads to.
  case wrongDestination(entity: String, relationship: String, destination: String, value: String)
  /// The object that was to be linked belongs to another context.
  case foreignObject(entity: String, relationship: String)
  /// The relationship leads to at most one object, and was used as one to many, or the other way round.
  case wrongCardinality(entity: String, relationship: String)
  /// The object is deleted, or its context has forgotten it.
  case deletedObject(entity: String, property: String)
  /// The object that was to be linked is deleted.
  case deletedDestination(entity: String, relationship: String)
  /// The context is gone, so its objects have no store any more.
  case missingContext(entity: String)
  /// There is no object of the identifier.
  case missingObject(ManagedObjectID)
  /// The entity has no primary key, so its objects can't be told apart by one.
  case missingPrimaryKey(entity: String)
  /// A value that a property was read as is of another type.
  case unreadableValue(entity: String, attribute: String, type: String)
}

extension ManagedObjectError: CustomStringConvertible {
  /// The error as a sentence.
  public var description: String {
    switch self {
    case .unknownEntity(let entity):
      "The model has no entity \(entity)."
    case .abstractEntity(let entity):
      "\(entity) is abstract: only objects of its sub-entities can be made."
    case .wrongClass(let entity, let expected, let found):
      "The objects of \(entity) are of the class \(found), not \(expected). DataStack takes the classes of entities."
    case .unknownProperty(let entity, let property):
      "\(entity) has no property \(property)."
    case .wrongType(let entity, let attribute, let type, let value):
      "\(value) is no value of \(entity).\(attribute), whose type is \(type)."
    case .wrongDestination(let entity, let relationship, let destination, let value):
      "\(entity).\(relationship) leads to objects of \(destination), and \(value) is none."
    case .foreignObject(let entity, let relationship):
      "An object of another context can't be linked by \(entity).\(relationship). object(with:) finds this context's own."
    case .wrongCardinality(let entity, let relationship):
      "\(entity).\(relationship) was used as one to many objects and leads to one, or the other way round."
    case .deletedObject(let entity, let property):
      property.isEmpty
        ? "An object of \(entity) was to be changed that is deleted."
        : "\(entity).\(property) was to be changed in an object that is deleted."
    case .deletedDestination(let entity, let relationship):
      "\(entity).\(relationship) was to lead to an object that is deleted."
    case .missingContext(let entity):
      "An object of \(entity) was used when its context was gone."
    case .missingObject(let id):
      "There is no object \(id)."
    case .missingPrimaryKey(let entity):
      "\(entity) has no primary key: neither an attribute with sync.isPrimaryKey nor one called id or remoteID."
    case .unreadableValue(let entity, let attribute, let type):
      "The value of \(entity).\(attribute) can't be read as \(type)."
    }
  }
}
