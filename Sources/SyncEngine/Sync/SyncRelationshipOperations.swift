/// What a sync may do to the links between rows.
///
/// | | `insert` | `update` | `delete` |
/// |---|---|---|---|
/// | relationships of new rows | processed | - | - |
/// | relationships of existing rows | - | processed | processed |
/// | add links | yes | yes | - |
/// | remove links | - | - | yes |
/// | create rows from nested objects | yes | - | - |
/// | change existing rows from nested objects | - | yes | - |
public struct SyncRelationshipOperations: OptionSet, Sendable {
  /// The operations as bits.
  public let rawValue: Int

  /// Makes a set from its bits.
  public init(rawValue: Int) {
    self.rawValue = rawValue
  }

  /// Relationships of new rows, and new rows from nested objects.
  public static let insert = SyncRelationshipOperations(rawValue: 1)
  /// Relationships of existing rows, and changes to existing rows from nested objects.
  public static let update = SyncRelationshipOperations(rawValue: 2)
  /// Removal of links.
  public static let delete = SyncRelationshipOperations(rawValue: 4)
  /// Everything.
  public static let all: SyncRelationshipOperations = [.insert, .update, .delete]

  /// Whether links may be added.
  package var canLink: Bool { !isDisjoint(with: [.insert, .update]) }

  /// Whether the relationships of a row are processed at all.
  package func includesRelationships(ofNewRow isNew: Bool) -> Bool {
    isNew ? contains(.insert) : !isDisjoint(with: [.update, .delete])
  }
}
