/// A link from the objects of an entity to those of another, or of the same one.
public struct RelationshipDescription: PropertyDescription, Hashable {
  /// What happens to the objects at the far end when an object is deleted, by the names that model files use.
  public enum DeleteRule: String, Sendable, Hashable, CaseIterable {
    /// They stay, and no longer point at the deleted object.
    case nullify = "Nullify"
    /// They are deleted too.
    case cascade = "Cascade"
    /// The deletion is refused unless they are deleted in the same save.
    case deny = "Deny"
    /// Nothing is done for them by this relationship.
    case noAction = "No Action"
  }

  /// The relationship's name.
  public let name: String
  /// The name of the entity that it leads to. Objects of that entity's sub-entities may be there as well.
  public let destination: String
  /// Whether there can be more than one object at the far end.
  public let isToMany: Bool
  /// Whether the members of a to-many relationship have an order that is theirs.
  public let isOrdered: Bool
  /// Whether an object may be saved with nothing at the far end.
  public let isOptional: Bool
  /// How few objects there may be at the far end when an object is saved, if there are any.
  public let minCount: Int
  /// How many objects there may be at the far end when an object is saved; nil for as many as one likes.
  public let maxCount: Int?
  /// The name of the destination's relationship that is the other direction of this one.
  public let inverse: String?
  /// What happens to the far end when an object is deleted.
  public let deleteRule: DeleteRule
  /// The name that the relationship had in an earlier version of the model.
  public let renamingIdentifier: String?
  /// What else the model says about the relationship.
  public let userInfo: [String: String]
  /// The name of the entity that declares it. Empty until it is part of a model.
  public internal(set) var entityName = ""

  /// Describes a relationship to at most one object.
  public static func toOne(
    _ name: String, _ destination: String, inverse: String? = nil, isOptional: Bool = true,
    deleteRule: DeleteRule = .nullify, renamingIdentifier: String? = nil, userInfo: [String: String] = [:]
  ) -> RelationshipDescription {
    RelationshipDescription(
      name: name, destination: destination, isToMany: false, isOrdered: false, isOptional: isOptional, minCount: 0,
      maxCount: 1, inverse: inverse, deleteRule: deleteRule, renamingIdentifier: renamingIdentifier,
      userInfo: userInfo)
  }

  /// Describes a relationship to any number of objects.
  public static func toMany(
    _ name: String, _ destination: String, inverse: String? = nil, isOrdered: Bool = false, isOptional: Bool = true,
    minCount: Int = 0, maxCount: Int? = nil, deleteRule: DeleteRule = .nullify, renamingIdentifier: String? = nil,
    userInfo: [String: String] = [:]
  ) -> RelationshipDescription {
    RelationshipDescription(
      name: name, destination: destination, isToMany: true, isOrdered: isOrdered, isOptional: isOptional,
      minCount: minCount, maxCount: maxCount, inverse: inverse, deleteRule: deleteRule,
      renamingIdentifier: renamingIdentifier, userInfo: userInfo)
  }
}
