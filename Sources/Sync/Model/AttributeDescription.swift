/// A value that every object of an entity has.
public struct AttributeDescription: PropertyDescription, Hashable {
  /// The types that an attribute can have, by the names that they have in model files.
  public enum AttributeType: String, Sendable, Hashable, CaseIterable {
    /// A whole number of 16 bits.
    case integer16 = "Integer 16"
    /// A whole number of 32 bits.
    case integer32 = "Integer 32"
    /// A whole number of 64 bits.
    case integer64 = "Integer 64"
    /// A decimal number.
    case decimal = "Decimal"
    /// A floating-point number of 64 bits.
    case double = "Double"
    /// A floating-point number of 32 bits.
    case float = "Float"
    /// A text.
    case string = "String"
    /// A truth value.
    case boolean = "Boolean"
    /// A moment.
    case date = "Date"
    /// Bytes. In a sync it takes any JSON value.
    case binaryData = "Binary"
    /// A universally unique identifier.
    case uuid = "UUID"
    /// A URL.
    case uri = "URI"
    /// Whatever a value transformer makes of a value.
    case transformable = "Transformable"
  }

  /// The attribute's name.
  public let name: String
  /// What values it has.
  public let type: AttributeType
  /// Whether an object may be saved without a value.
  public let isOptional: Bool
  /// Whether values are kept by objects only, and never stored.
  public let isTransient: Bool
  /// The value that new objects have.
  public let defaultValue: AttributeValue?
  /// The least value that an object may be saved with; of a text the least number of characters.
  public let minimum: AttributeValue?
  /// The greatest value that an object may be saved with; of a text the greatest number of characters.
  public let maximum: AttributeValue?
  /// What a text has to match as a whole for its object to be saved.
  public let regularExpression: String?
  /// The name of the value transformer of a transformable attribute. `customTransformerName` is the one that syncs use.
  public let valueTransformerName: String?
  /// Whether large values may be kept outside of the record.
  public let allowsExternalStorage: Bool
  /// Whether the value outlives its object in the history.
  public let preservesValueInHistory: Bool
  /// Whether objects are looked for by this attribute often.
  public let isIndexed: Bool
  /// The name that the attribute had in an earlier version of the model.
  public let renamingIdentifier: String?
  /// What else the model says about the attribute.
  public let userInfo: [String: String]
  /// The name of the entity that declares it. Empty until it is part of a model.
  public internal(set) var entityName = ""

  /// Describes an attribute.
  ///
  /// What has to fit the type (the default, the bounds) is checked when a model is made of it.
  public init(
    _ name: String, _ type: AttributeType, isOptional: Bool = true, isTransient: Bool = false,
    default defaultValue: AttributeValue? = nil, minimum: AttributeValue? = nil, maximum: AttributeValue? = nil,
    regularExpression: String? = nil, valueTransformerName: String? = nil, allowsExternalStorage: Bool = false,
    preservesValueInHistory: Bool = false, isIndexed: Bool = false, renamingIdentifier: String? = nil,
    userInfo: [String: String] = [:]
  ) {
    self.name = name
    self.type = type
    self.isOptional = isOptional
    self.isTransient = isTransient
    self.defaultValue = defaultValue
    self.minimum = minimum
    self.maximum = maximum
    self.regularExpression = regularExpression
    self.valueTransformerName = valueTransformerName
    self.allowsExternalStorage = allowsExternalStorage
    self.preservesValueInHistory = preservesValueInHistory
    self.isIndexed = isIndexed
    self.renamingIdentifier = renamingIdentifier
    self.userInfo = userInfo
  }
}
