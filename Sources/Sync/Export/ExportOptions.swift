import Foundation

/// How an export writes keys.
public enum InflectionType: Sendable, Hashable {
  /// `first_name`.
  case snakeCase
  /// `firstName`: as names are in the model.
  case camelCase
}

/// How an export writes relationships.
public enum RelationshipType: Sendable, Hashable {
  /// An object at the far end as an object, several as an array.
  case array
  /// In the style of Rails: under `notes_attributes`, several objects as an object with the keys `0`, `1` and so on.
  case nested
  /// Not at all.
  case none
}

/// How objects are exported as JSON.
public struct ExportOptions: Sendable {
  /// How keys are written that the model doesn't give.
  public var inflectionType = InflectionType.snakeCase
  /// How relationships are written.
  public var relationshipType = RelationshipType.array
  /// What dates are written with. Nil stands for ISO 8601 with milliseconds, in UTC, which a sync reads back without loss.
  public var dateFormatter: DateFormatter?

  /// Keys in snake case, relationships as objects and arrays, dates by ISO 8601.
  public init() {}

  /// The usual options with keys in camel case.
  public static var camelCase: ExportOptions {
    var options = ExportOptions()
    options.inflectionType = .camelCase
    return options
  }

  /// The usual options without relationships.
  public static var excludedRelationships: ExportOptions {
    var options = ExportOptions()
    options.relationshipType = .none
    return options
  }
}
