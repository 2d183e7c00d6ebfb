/// How payloads are read: what is the same for all syncs of a container.
package struct MappingConvention: Sendable, Hashable {
  /// The style of the payload's keys.
  package var keyStyle: KeyStyle
  package var unreadableValues: UnreadableValuePolicy

  package init(keyStyle: KeyStyle = .snakeCase, unreadableValues: UnreadableValuePolicy = .replace) {
    self.keyStyle = keyStyle
    self.unreadableValues = unreadableValues
  }
}

/// What becomes of a payload value that can't be converted to its attribute's type, or is null where the attribute isn't
/// optional. Whatever it is, the sync's report lists the value.
public enum UnreadableValuePolicy: Sendable, Hashable {
  /// An optional attribute becomes nil. For another one null becomes the default of its type, an unreadable date becomes
  /// the epoch, and every other unreadable value makes the sync fail.
  case replace
  /// The stored value stays. A new row has none, so for it this is the same as `replace`.
  case keep
  /// The sync fails, and nothing is written.
  case reject
}
