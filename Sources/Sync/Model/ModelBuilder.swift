/// Collects the properties of an entity that is written down in Swift.
@resultBuilder
public enum EntityBuilder {
  /// A property.
  public static func buildExpression(_ property: any PropertyDescription) -> [any PropertyDescription] { [property] }
  /// All properties of a block.
  public static func buildBlock(_ parts: [any PropertyDescription]...) -> [any PropertyDescription] {
    parts.flatMap { $0 }
  }
  /// The properties of a loop.
  public static func buildArray(_ parts: [[any PropertyDescription]]) -> [any PropertyDescription] {
    parts.flatMap { $0 }
  }
  /// Properties that are there under a condition.
  public static func buildOptional(_ part: [any PropertyDescription]?) -> [any PropertyDescription] { part ?? [] }
}

/// Collects the entities of a model that is written down in Swift.
@resultBuilder
public enum ModelBuilder {
  /// An entity.
  public static func buildExpression(_ entity: EntityDescription) -> [EntityDescription] { [entity] }
  /// All entities of a block.
  public static func buildBlock(_ parts: [EntityDescription]...) -> [EntityDescription] { parts.flatMap { $0 } }
  /// The entities of a loop.
  public static func buildArray(_ parts: [[EntityDescription]]) -> [EntityDescription] { parts.flatMap { $0 } }
  /// Entities that are there under a condition.
  public static func buildOptional(_ part: [EntityDescription]?) -> [EntityDescription] { part ?? [] }
}

extension EntityDescription {
  /// Describes an entity by the list of its properties:
  ///
  /// ```swift
  /// EntityDescription("User") {
  ///   AttributeDescription("id", .integer64)
  ///   AttributeDescription("name", .string, userInfo: ["sync.remoteKey": "full_name"])
  ///   RelationshipDescription.toMany("notes", "Note", inverse: "user", deleteRule: .cascade)
  /// }
  /// ```
  public init(
    _ name: String, parent: String? = nil, isAbstract: Bool = false, uniquenessConstraints: [[String]] = [],
    indexes: [[String]] = [], renamingIdentifier: String? = nil, userInfo: [String: String] = [:],
    @EntityBuilder properties: () -> [any PropertyDescription]
  ) {
    let properties = properties()
    self.init(
      name, parent: parent, isAbstract: isAbstract, attributes: properties.compactMap { $0 as? AttributeDescription },
      relationships: properties.compactMap { $0 as? RelationshipDescription },
      uniquenessConstraints: uniquenessConstraints, indexes: indexes, renamingIdentifier: renamingIdentifier,
      userInfo: userInfo)
  }
}

extension ManagedObjectModel {
  /// Makes a model of entities that are written down one after another.
  ///
  /// - Throws: `ModelError` for the first contradiction in it.
  public init(version: String? = nil, @ModelBuilder entities: () -> [EntityDescription]) throws {
    try self.init(entities: entities(), version: version)
  }
}
