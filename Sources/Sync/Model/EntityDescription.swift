/// A kind of object: what attributes and relationships its objects have.
///
/// An entity that has a parent has the parent's properties too, and is listed where the parent's objects are asked for. In a
/// model, `attributes` and `relationships` begin with what is inherited, from the topmost ancestor on.
public struct EntityDescription: Sendable, Hashable {
  /// The entity's name.
  public let name: String
  /// The name of the entity that this one is a special case of.
  public let parent: String?
  /// Whether all objects of the entity are objects of one of its sub-entities.
  public let isAbstract: Bool
  /// The attributes. Inherited ones are among them when the entity is part of a model.
  public internal(set) var attributes: [AttributeDescription]
  /// The relationships. Inherited ones are among them when the entity is part of a model.
  public internal(set) var relationships: [RelationshipDescription]
  /// Sets of attributes whose values, taken together, occur at most once.
  public let uniquenessConstraints: [[String]]
  /// Sets of attributes by which objects are looked for often.
  public let indexes: [[String]]
  /// The name that the entity had in an earlier version of the model.
  public let renamingIdentifier: String?
  /// What else the model says about the entity. Syncs look at the user info of properties only.
  public let userInfo: [String: String]
  /// The names of the parent, its parent and so on. Empty until the entity is part of a model.
  public internal(set) var ancestors: [String] = []
  /// The names of the entities whose parent this one is. Empty until the entity is part of a model.
  public internal(set) var subentities: [String] = []

  /// Describes an entity.
  public init(
    _ name: String, parent: String? = nil, isAbstract: Bool = false, attributes: [AttributeDescription] = [],
    relationships: [RelationshipDescription] = [], uniquenessConstraints: [[String]] = [], indexes: [[String]] = [],
    renamingIdentifier: String? = nil, userInfo: [String: String] = [:]
  ) {
    self.name = name
    self.parent = parent
    self.isAbstract = isAbstract
    self.attributes = attributes
    self.relationships = relationships
    self.uniquenessConstraints = uniquenessConstraints
    self.indexes = indexes
    self.renamingIdentifier = renamingIdentifier
    self.userInfo = userInfo
  }

  /// The attribute with a name, inherited ones included when the entity is part of a model.
  public func attribute(named name: String) -> AttributeDescription? {
    attributes.first { $0.name == name }
  }

  /// The relationship with a name, inherited ones included when the entity is part of a model.
  public func relationship(named name: String) -> RelationshipDescription? {
    relationships.first { $0.name == name }
  }

  /// Whether an object of this entity is one of another entity too: of the same, or of an ancestor.
  public func isKind(of entity: String) -> Bool { name == entity || ancestors.contains(entity) }
}
