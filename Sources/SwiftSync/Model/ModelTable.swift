import Records
import SyncEngine

/// What the library knows of a model class: its properties, in declaration order, and its constraints.
///
/// `@Model` writes one per class, a line per property; the library interprets it. The position of a property in the table
/// is its *slot*, which the generated accessors name.
public final class ModelTable: Sendable {
  /// The class's name, which is its entity's name too.
  public let name: String
  /// The name that the class had in an earlier version of the schema.
  let originalName: String?
  let type: any PersistentModel.Type
  /// The class as one that `@Syncable` maps payloads to, if the table was built by code that knows it.
  private let knownMappedType: (any SyncMappedModel.Type)?
  let properties: [ModelProperty]
  let uniquenessConstraints: [[String]]
  let indexes: [[String]]
  /// What is wrong with the declaration and only shows at run time; thrown when a container is made.
  let problems: [String]

  init(
    name: String,
    originalName: String?,
    type: any PersistentModel.Type,
    mappedType: (any SyncMappedModel.Type)?,
    properties: [ModelProperty],
    uniquenessConstraints: [[String]],
    indexes: [[String]],
    problems: [String]
  ) {
    self.name = name
    self.originalName = originalName
    self.type = type
    knownMappedType = mappedType
    self.properties = properties
    self.uniquenessConstraints = uniquenessConstraints
    self.indexes = indexes
    self.problems = problems
  }

  // Asking the runtime for a conformance takes a good part of a millisecond's tenth, the first time, so it is asked only about classes
  // of which the table does not know.

  /// Whether payloads are mapped to the class by its declarations.
  var isMapped: Bool { knownMappedType != nil || type is any SyncMappedModel.Type }

  /// The class as one that has a sync identity, if it is one.
  var identifiedType: (any SyncModelable.Type)? { knownMappedType ?? type as? any SyncModelable.Type }

  /// The class as one that says by code of its own how payloads become objects, if it is one.
  var handWrittenType: (any SyncUpdatableModel.Type)? {
    isMapped ? nil : type as? any SyncUpdatableModel.Type
  }

  /// The property that holds the sync identity: the one that a hand-written model names, or the one marked `@PrimaryKey`, else
  /// `id`, else `remoteID` (contract, section 3.4).
  var identity: ModelProperty? {
    identifiedType.flatMap { property(at: $0.identityKeyPath) }
      ?? properties.first { $0.attribute?.isPrimaryKey == true }
      ?? properties.first { $0.name == "id" && $0.attribute != nil }
      ?? properties.first { $0.name == "remoteID" && $0.attribute != nil }
  }

  /// An attribute that has no value in an object whose row is gone: neither nil, nor the one that its declaration begins with, nor
  /// one that can be made of nothing. No container is made of a class that has one.
  var attributeWithoutStandIn: ModelProperty? {
    properties.first { property in
      guard let attribute = property.attribute, property.initialValue == nil else { return false }
      return !attribute.type.isOptional && !attribute.hasStandIn()
    }
  }

  /// The property at a key path, or nil if the path leads elsewhere (a computed property, a path through a relationship).
  func property(at keyPath: AnyKeyPath) -> ModelProperty? {
    properties.first { $0.keyPath == keyPath }
  }
}

/// One line of a model's table.
struct ModelProperty: Sendable {
  let name: String
  let slot: Int
  let keyPath: AnyKeyPath & Sendable
  let remoteKey: String?
  let isExported: Bool
  let originalName: String?
  let kind: Kind
  /// The value with which the declaration begins; nil when it gives none.
  var initialValue: (@Sendable () -> Any)?
  /// Tells observers of this property of one object that its value has changed.
  let notify: @Sendable (any PersistentModel) -> Void

  enum Kind: Sendable {
    case attribute(AttributeTrait)
    case relationship(RelationshipTrait)
  }

  var attribute: AttributeTrait? {
    if case .attribute(let trait) = kind { trait } else { nil }
  }

  var relationship: RelationshipTrait? {
    if case .relationship(let trait) = kind { trait } else { nil }
  }

  /// What rows get that were stored before the attribute was there, or before it had to have a value.
  var defaultValue: FieldValue? {
    guard let attribute, let value = initialValue?(), let field = attribute.field(value), field != .null else {
      return nil
    }
    return field
  }
}

/// What the table says of an attribute.
struct AttributeTrait: Sendable {
  let type: StoredType
  let options: AttributeOptions
  let isPrimaryKey: Bool
  let primaryKeyRemote: String?
  /// How a stored value reads as the property's type, where not every one does: an enum knows only some raw values, a
  /// struct only some JSON. Nil for attributes that are stored as they are.
  let reader: AttributeReader?
  /// Reads a stored value as the property's type, where that is not one that is stored as it is; nil for what it cannot read.
  let decode: (@Sendable (FieldValue) -> Any?)?
  /// The stored form of a value of the property's type; nil when there is none.
  let field: @Sendable (Any) -> FieldValue?
  /// Whether there is a value that stands in for one that cannot be read. One that has none, and begins with a value that its
  /// declaration gives, is read with its object, also from external storage.
  let hasStandIn: @Sendable () -> Bool
  /// Encodes a `Codable` value that is kept as JSON text; nil for attributes that are stored as they are.
  let encode: (@Sendable (Any) throws -> FieldValue)?
}

/// What the table says of a relationship.
struct RelationshipTrait: Sendable {
  /// The class at the far end. A closure, since two classes may name each other.
  let destination: @Sendable () -> any PersistentModel.Type
  let isToMany: Bool
  let isOptional: Bool
  let deleteRule: DeleteRule
  let inverse: (AnyKeyPath & Sendable)?
}
