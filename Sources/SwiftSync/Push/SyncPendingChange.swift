/// What is to be done to a row on the server.
public enum SyncChangeKind: String, Sendable, Hashable {
  /// No server knows the row.
  case insert
  /// The row was changed.
  case update
  /// The row was deleted.
  case delete
}

/// The local changes of one row that no server has answered for.
public struct SyncPendingChange<ID: Hashable & Sendable>: Sendable, Identifiable {
  /// The row's identity.
  public let id: ID
  /// What is to be done.
  public let kind: SyncChangeKind
  /// The identity by which the server knows the row, if the row was given another one here; nil otherwise. A server that can't rename a
  /// row is told to delete this one and to insert the other.
  public let previousID: ID?
  /// The names of the properties that differ from what the server was last known to have, in the order of their declaration: enough
  /// for a patch. All of an insertion, none of a deletion.
  ///
  /// An attribute or to-one relationship that was changed and changed back is not among them. A to-many relationship is, once it was
  /// changed, also where the change was made at its other end.
  public let changedProperties: [String]
  /// A text that is the same for each try to send this change, also after a restart, and another one after the next edit of the row. A
  /// server that remembers it does nothing twice.
  public let idempotencyKey: String
}

/// The rows of a model, or of several, with local changes that no server has answered for.
public struct SyncPendingChangeSet<ID: Hashable & Sendable>: Sendable {
  /// The changes, one for each row, in the order in which the rows were first changed.
  public let changes: [SyncPendingChange<ID>]

  /// Whether nothing is to be sent.
  public var isEmpty: Bool { changes.isEmpty }
  /// Rows that no server knows.
  public var inserts: [ID] { ids(.insert) }
  /// Rows that were changed.
  public var updates: [ID] { ids(.update) }
  /// Rows that were deleted.
  public var deletes: [ID] { ids(.delete) }

  /// The change of a row; nil if it has none.
  public subscript(id: ID) -> SyncPendingChange<ID>? { changes.first { $0.id == id } }

  private func ids(_ kind: SyncChangeKind) -> [ID] { changes.filter { $0.kind == kind }.map(\.id) }
}
