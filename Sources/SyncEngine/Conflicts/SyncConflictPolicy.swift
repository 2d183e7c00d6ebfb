/// What becomes of a row that was changed here and on the server, when a pull brings the server's version before the local
/// changes were pushed.
///
/// It is asked where the two differ in something that the server has changed. Rows that are *dirty*, changed here and not pushed yet, are
/// otherwise left alone by pulls whatever the policy: their attributes, their relationships, and that they are there or not.
public enum SyncConflictPolicy: Sendable {
  /// The row stays as it is here, whole, until it has been pushed.
  case localWins
  /// The row becomes what the server has, and what was changed here is not pushed any more as far as the server's version speaks of
  /// it. A row that was deleted here comes back; one that was changed here, and the server does not list, goes.
  case serverWins
  /// Attribute by attribute: what only one side has changed is taken from that side; what both have changed is taken from the
  /// side whose timestamp is newer, and from here when they are equal. To-one relationships count as attributes; lists stay as they are
  /// here. A model without the timestamp attribute, and a deletion, are as with `localWins`; a timestamp that no model with local changes
  /// has is an error (`SyncError.schemaValidation`).
  case newestByAttribute(timestamp: String = "updatedAt")
  /// The closure decides each conflict. It is called on the thread that writes and must not use the store.
  case custom(@Sendable (SyncReport.Conflict) -> SyncConflictResolution)
}

/// Which side a conflict is decided for.
public enum SyncConflictResolution: Sendable, Equatable {
  /// Everything stays as it is here, and remains to be pushed.
  case local
  /// The row becomes what the server has.
  case server
  /// These properties become what the server has, the others stay as they are here, and lists in any case. Of a row that one side has
  /// deleted it is the same as `local`. A name that no model with local changes has ends the sync with `SyncError.schemaValidation`.
  case merge(server: Set<String>)
}
