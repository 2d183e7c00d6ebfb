import Records

/// The model classes of a container: those it was made for and all that they reach through relationships.
public struct Schema: Sendable, Hashable {
  /// The classes, each once: first those that were named, then those they reach, in the order of declarations.
  public let modelTypes: [any PersistentModel.Type]
  /// The version, if the schema was given one.
  let explicitVersion: Version?
  /// The version; 1.0.0 if the schema was given none.
  public var version: Version { explicitVersion ?? Version(1, 0, 0) }
  /// What each class declares.
  public var entities: [Entity] { modelTypes.map { Entity(table: $0.modelTable) } }

  /// Collects a schema from model classes.
  /// - Parameters:
  ///   - types: the classes; those reachable through their relationships are added.
  ///   - version: which version of the application's schema they are. A store remembers it, and is not opened with an earlier one.
  public init(_ types: [any PersistentModel.Type], version: Version? = nil) {
    // Lists, since classes are few, and a set of a type of its own takes the runtime longer to get ready than all this.
    var seen: [ObjectIdentifier] = []
    var found: [any PersistentModel.Type] = []
    var queue = types[...]
    while let type = queue.popFirst() {
      if seen.contains(ObjectIdentifier(type)) { continue }
      seen.append(ObjectIdentifier(type))
      found.append(type)
      queue += type.modelTable.properties.compactMap { $0.relationship?.destination() }
    }
    modelTypes = found
    explicitVersion = version
  }

  /// Collects the schema of a version.
  public init(versionedSchema: any VersionedSchema.Type) {
    self.init(versionedSchema.models, version: versionedSchema.versionIdentifier)
  }

  /// A version of a schema.
  public typealias Version = SchemaVersion

  /// A model class as the schema sees it.
  public struct Entity: Sendable {
    /// The class's name.
    public let name: String
    /// The stored attributes, in declaration order.
    public let attributes: [Attribute]
    /// The relationships, in declaration order.
    public let relationships: [Relationship]
    /// The names of attributes whose values, taken together, occur at most once.
    public let uniquenessConstraints: [[String]]
    /// The names of attributes that are indexed together.
    public let indices: [[String]]

    /// The attributes by name.
    public var attributesByName: [String: Attribute] {
      Dictionary(attributes.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// The relationships by name.
    public var relationshipsByName: [String: Relationship] {
      Dictionary(relationships.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    }

    init(table: ModelTable) {
      name = table.name
      attributes = table.properties.compactMap { property in
        property.attribute.map {
          Attribute(
            name: property.name, isOptional: $0.type.isOptional, options: Attribute.Option.all(in: $0.options),
            originalName: property.originalName ?? property.name)
        }
      }
      relationships = table.properties.compactMap { property in
        property.relationship.map {
          Relationship(
            name: property.name, destination: $0.destination().modelTable.name, isOptional: $0.isOptional,
            isToOneRelationship: !$0.isToMany, deleteRule: Relationship.DeleteRule($0.deleteRule))
        }
      }
      uniquenessConstraints = table.uniquenessConstraints
      indices = table.indexes
    }
  }

  /// A stored attribute of a model class.
  public struct Attribute: Sendable {
    /// The property's name.
    public let name: String
    /// Whether the value may be missing.
    public let isOptional: Bool
    /// The options that the declaration gives.
    public let options: [Option]
    /// The name that the attribute had in an earlier version, or its name.
    public let originalName: String

    /// Whether the value occurs at most once.
    public var isUnique: Bool { options.contains(.unique) }

    /// What the store does with an attribute's values beyond keeping them.
    public struct Option: Hashable, Sendable {
      let options: AttributeOptions

      /// The value occurs at most once among the objects of the class.
      public static let unique = Option(options: .unique)
      /// The value is kept in the tombstone when an object is deleted.
      public static let preserveValueOnDeletion = Option(options: .preserveValueOnDeletion)
      /// Large values may be kept outside of the record.
      public static let externalStorage = Option(options: .externalStorage)

      /// Unavailable: nothing here searches a store.
      @available(*, unavailable, message: "there is no search index on Linux; leave the option out")
      public static var spotlight: Option { Option(options: []) }
      /// Unavailable: a property that is not stored is transient.
      @available(*, unavailable, message: "mark a property that is not stored @Transient")
      public static var ephemeral: Option { Option(options: []) }
      /// Unavailable: nothing is sent to CloudKit.
      @available(*, unavailable, message: "there is no CloudKit on Linux; leave the option out")
      public static var allowsCloudEncryption: Option { Option(options: []) }
      /// Unavailable: a value is transformed by its type.
      @available(*, unavailable, message: "let the property's type be Codable and say there how it is stored")
      public static func transformable(by transformer: Any) -> Option { Option(options: []) }

      static func all(in options: AttributeOptions) -> [Option] {
        [.unique, .preserveValueOnDeletion, .externalStorage].filter { options.isSuperset(of: $0.options) }
      }
    }
  }

  /// A relationship of a model class.
  public struct Relationship: Sendable {
    /// The property's name.
    public let name: String
    /// The name of the class at the far end.
    public let destination: String
    /// Whether there may be none at the far end.
    public let isOptional: Bool
    /// Whether there is at most one object at the far end.
    public let isToOneRelationship: Bool
    /// What becomes of the far end when an object is deleted.
    public let deleteRule: DeleteRule

    /// What becomes of the objects at the far end when an object is deleted.
    public enum DeleteRule: String, Hashable, Sendable {
      /// They stay, and no longer point at the deleted object.
      case nullify
      /// They are deleted too.
      case cascade
      /// The deletion is refused unless they are deleted in the same save.
      case deny
      /// Nothing is done for them by this relationship.
      case noAction

      init(_ rule: Records.DeleteRule) {
        switch rule {
        case .nullify: self = .nullify
        case .cascade: self = .cascade
        case .deny: self = .deny
        case .noAction: self = .noAction
        }
      }

      var rule: Records.DeleteRule {
        switch self {
        case .nullify: .nullify
        case .cascade: .cascade
        case .deny: .deny
        case .noAction: .noAction
        }
      }
    }

    /// An option of a relationship. There is none: what exists elsewhere and would have no effect here does not compile.
    public struct Option: Hashable, Sendable {}
  }
}

extension Schema {
  /// Schemas are equal when they have the same classes, in the same order, and the same version.
  public static func == (left: Schema, right: Schema) -> Bool {
    left.explicitVersion == right.explicitVersion
      && left.modelTypes.map { ObjectIdentifier($0) } == right.modelTypes.map { ObjectIdentifier($0) }
  }

  /// Hashes the classes.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(modelTypes.map { ObjectIdentifier($0) })
  }

  /// The classes of another schema that this one does not have.
  func classesLacking(of other: Schema) -> [any PersistentModel.Type] {
    let own = Set(modelTypes.map { ObjectIdentifier($0) })
    return other.modelTypes.filter { !own.contains(ObjectIdentifier($0)) }
  }
}

extension [Schema.Attribute.Option] {
  var attributeOptions: AttributeOptions {
    AttributeOptions(rawValue: reduce(0) { $0 | $1.options.rawValue })
  }
}
