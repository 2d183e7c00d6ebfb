/// Why entities are no model. Each case names the entity and the property at fault.
public enum ModelError: Error, Sendable, Hashable {
  /// An entity has no name.
  case entityWithoutName
  /// Two entities have one name.
  case duplicateEntity(String)
  /// A property has no name.
  case propertyWithoutName(entity: String)
  /// Two properties of an entity have one name.
  case duplicateProperty(entity: String, property: String)
  /// A property has the name of one that is inherited.
  case propertyHidesInherited(entity: String, property: String, ancestor: String)
  /// The parent of an entity is not in the model.
  case unknownParent(entity: String, parent: String)
  /// An entity is its own ancestor. The names lead from it back to the first that occurs again.
  case cycleOfParents([String])
  /// The line from an entity up to its topmost ancestor is too long.
  case tooManyAncestors(entity: String, maximum: Int)
  /// Two attributes of an entity, inherited ones included, are to be its primary key.
  case twoPrimaryKeys(entity: String, first: String, second: String)
  /// Rows can't be told apart by an attribute of such a type, or by one that isn't stored.
  case unusablePrimaryKey(entity: String, attribute: String, type: String)
  /// The default or a bound is no value of the attribute's type.
  case valueNotOfType(entity: String, attribute: String, value: String, type: String)
  /// The regular expression can't be read, or stands at an attribute that is no text.
  case invalidRegularExpression(entity: String, attribute: String, pattern: String)
  /// A uniqueness constraint or an index names something that is not a stored attribute of the entity, or nothing at all.
  case unknownConstraintAttribute(entity: String, attribute: String)
  /// The destination of a relationship is not in the model.
  case unknownDestination(entity: String, relationship: String, destination: String)
  /// The inverse of a relationship is not a relationship of its destination.
  case unknownInverse(entity: String, relationship: String, destination: String, inverse: String)
  /// The inverse leads to another entity, or names another relationship as its inverse.
  case inverseDoesNotPointBack(entity: String, relationship: String, destination: String, inverse: String)
  /// Two relationships name the same one as their inverse.
  case inverseClaimedTwice(entity: String, relationship: String, first: String, second: String)
  /// A relationship names itself as its inverse.
  case ownInverse(entity: String, relationship: String)
  /// No number of members meets both bounds of a to-many relationship.
  case impossibleCounts(entity: String, relationship: String, minimum: Int, maximum: Int)
  /// A key in JSON could be read into either of two properties.
  case ambiguousKey(entity: String, key: String, first: String, second: String)
  /// Entities whose objects are stored together have different primary keys.
  case differentPrimaryKeys(ancestor: String, first: String, second: String)
}

extension ModelError: CustomStringConvertible {
  /// The error as a sentence.
  public var description: String {
    switch self {
    case .entityWithoutName:
      "An entity of the model has no name."
    case .duplicateEntity(let name):
      "The model has two entities named \(name)."
    case .propertyWithoutName(let entity):
      "A property of \(entity) has no name."
    case .duplicateProperty(let entity, let property):
      "\(entity) has two properties named \(property)."
    case .propertyHidesInherited(let entity, let property, let ancestor):
      "\(entity).\(property) has the name of a property that \(entity) inherits from \(ancestor)."
    case .unknownParent(let entity, let parent):
      "The parent of \(entity) is \(parent), which the model does not have."
    case .cycleOfParents(let names):
      "\(names.joined(separator: ", whose parent is ")): an entity cannot be its own ancestor."
    case .tooManyAncestors(let entity, let maximum):
      "\(entity) has more than \(maximum) ancestors."
    case .twoPrimaryKeys(let entity, let first, let second):
      "\(entity) has two primary keys, \(first) and \(second). Mark one of them with sync.isPrimaryKey."
    case .unusablePrimaryKey(let entity, let attribute, let type):
      "\(entity).\(attribute) cannot be a primary key, because it is \(type)."
    case .valueNotOfType(let entity, let attribute, let value, let type):
      "\(value) is no value of \(entity).\(attribute), whose type is \(type)."
    case .invalidRegularExpression(let entity, let attribute, let pattern):
      "\(pattern) is no regular expression that values of \(entity).\(attribute) can be matched with."
    case .unknownConstraintAttribute(let entity, let attribute):
      attribute.isEmpty
        ? "A uniqueness constraint or index of \(entity) names no attribute."
        : "A uniqueness constraint or index of \(entity) names \(attribute), which is not one of its stored attributes."
    case .unknownDestination(let entity, let relationship, let destination):
      "\(entity).\(relationship) leads to \(destination), which the model does not have."
    case .unknownInverse(let entity, let relationship, let destination, let inverse):
      "The inverse of \(entity).\(relationship) is \(destination).\(inverse), which does not exist."
    case .inverseDoesNotPointBack(let entity, let relationship, let destination, let inverse):
      "The inverse of \(entity).\(relationship) is \(destination).\(inverse), which does not point back to it."
    case .inverseClaimedTwice(let entity, let relationship, let first, let second):
      "\(first) and \(second) both name \(entity).\(relationship) as their inverse."
    case .ownInverse(let entity, let relationship):
      "\(entity).\(relationship) is its own inverse; declare a second relationship for the other direction."
    case .impossibleCounts(let entity, let relationship, let minimum, let maximum):
      "\(entity).\(relationship) is to have at least \(minimum) and at most \(maximum) members."
    case .ambiguousKey(let entity, let key, let first, let second):
      "The key \(key) could be read into \(entity).\(first) and \(entity).\(second). Give one of them a sync.remoteKey."
    case .differentPrimaryKeys(let ancestor, let first, let second):
      "\(first) and \(second) are stored together as \(ancestor), and have different primary keys. Give \(ancestor) the key."
    }
  }
}
