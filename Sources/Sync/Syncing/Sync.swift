import SyncEngine

/// Syncs payloads into data stacks.
public enum Sync {
  /// What a sync may do: with the objects of the payload, and with what is nested in them, at every depth.
  ///
  /// | | the payload's own objects | nested objects, at every depth |
  /// |---|---|---|
  /// | new objects are made | `insert` | `insertRelationships` |
  /// | stored objects take over what the payload says, attributes and links | `update` | `updateRelationships` |
  /// | stored objects that aren't listed go | `delete` | `deleteRelationships` |
  ///
  /// Without `deleteRelationships` no link is removed either: null and shorter lists leave what is linked as it is. A link that
  /// leads elsewhere is changed by whatever changes its object.
  public struct OperationOptions: OptionSet, Sendable, Hashable {
    /// The operations as bits.
    public let rawValue: Int

    /// Makes a set from its bits.
    public init(rawValue: Int) {
      self.rawValue = rawValue
    }

    /// Objects of the payload that aren't stored are made.
    public static let insert = OperationOptions(rawValue: 1)
    /// Stored objects take over what the payload says.
    public static let update = OperationOptions(rawValue: 2)
    /// Stored objects that the payload doesn't list are deleted.
    public static let delete = OperationOptions(rawValue: 4)
    /// Nested objects that aren't stored are made.
    public static let insertRelationships = OperationOptions(rawValue: 8)
    /// Stored objects take over what nested objects say.
    public static let updateRelationships = OperationOptions(rawValue: 16)
    /// Links that the payload doesn't show are removed, and with them the objects of one-to-many relationships.
    public static let deleteRelationships = OperationOptions(rawValue: 32)
    /// Everything.
    public static let all: OperationOptions = [
      .insert, .update, .delete, .insertRelationships, .updateRelationships, .deleteRelationships,
    ]
  }
}

extension Sync.OperationOptions {
  /// The same for the engine.
  var rules: SyncRules {
    var rules = SyncRules()
    rules.insertsRows = contains(.insert)
    rules.updatesRows = contains(.update)
    rules.insertsNestedRows = contains(.insertRelationships)
    rules.updatesNestedRows = contains(.updateRelationships)
    rules.linksStoredRows = contains(.update)
    rules.linksStoredNestedRows = contains(.updateRelationships)
    rules.canUnlink = contains(.deleteRelationships)
    rules.deletesOrphans = contains(.deleteRelationships)
    rules.isNestingStrict = false
    return rules
  }
}
