/// What an export writes beside the attributes.
public struct ExportOptions: Hashable, Sendable {
  /// How relationships are written.
  public var relationships: Relationships

  /// - Parameter relationships: how relationships are written; whole objects if nothing else is said.
  public init(relationships: Relationships = .nested) {
    self.relationships = relationships
  }

  /// An export without relationships.
  public static let excludedRelationships = ExportOptions(relationships: .excluded)

  /// How an export writes relationships. Each form is one that a sync reads, but for the last it changes no links.
  public enum Relationships: Hashable, Sendable {
    /// The objects at the far end, whole: `"project": {"id": 1, …}`, `"watchers": [{"id": 2, …}]`.
    case nested
    /// Their identities: `"project_id": 1`, `"watcher_ids": [2]`. A relationship to objects without an identity is left out.
    case identities
    /// Nothing.
    case excluded
  }
}
