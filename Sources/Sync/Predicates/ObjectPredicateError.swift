/// Why a predicate can't be asked of the objects of an entity. Each case names the part of it that is at fault.
public enum ObjectPredicateError: Error, Sendable, Hashable {
  /// The model has no entity of the name.
  case unknownEntity(String)
  /// The entity has no such property.
  case unknownProperty(entity: String, property: String, path: String)
  /// Values of the attribute are not stored.
  case transientAttribute(entity: String, attribute: String)
  /// A path goes on behind an attribute.
  case notARelationship(entity: String, attribute: String, path: String)
  /// A to-many relationship leads to many values: it has to be said of how many of them the comparison is to be true.
  case severalValues(path: String)
  /// ANY or ALL stands in front of what is one value.
  case singleValue(path: String)
  /// The two values are never of one kind.
  case incomparable(comparison: String, left: String, right: String)
  /// The store can't look for it.
  case unsupported(comparison: String, reason: String)
  /// The tree is nested too deep.
  case tooDeep(max: Int)
}

extension ObjectPredicateError: CustomStringConvertible {
  /// The error as a sentence.
  public var description: String {
    switch self {
    case .unknownEntity(let entity):
      "The model has no entity \(entity)."
    case .unknownProperty(let entity, let property, let path):
      path == property
        ? "\(entity) has no property \(property)." : "\(entity) has no property \(property), which \(path) names."
    case .transientAttribute(let entity, let attribute):
      "\(entity).\(attribute) is transient: its values are not stored, so they cannot be looked for."
    case .notARelationship(let entity, let attribute, let path):
      "\(entity).\(attribute) is an attribute, and \(path) goes on behind it."
    case .severalValues(let path):
      "\(path) leads to many values; put ANY, ALL or NONE in front, or use @count, @min or @max."
    case .singleValue(let path):
      "\(path) is one value; ANY, ALL and NONE are for what a to-many relationship leads to."
    case .incomparable(let comparison, let left, let right):
      "In \(comparison) the left side is \(left) and the right side \(right)."
    case .unsupported(let comparison, let reason):
      "\(comparison) cannot be looked for: \(reason)."
    case .tooDeep(let max):
      "The predicate is nested deeper than \(max) levels."
    }
  }
}
