/// Which rows of a model have local changes that no server has answered for, by their identities.
///
/// Each identity is in one list, in the order in which the rows were first changed.
public struct SyncPendingChanges: Sendable {
  /// Rows that no server knows.
  public let inserts: [String]
  /// Rows that were changed.
  public let updates: [String]
  /// Rows that were deleted.
  public let deletes: [String]

  /// Whether nothing is to be sent.
  public var isEmpty: Bool { inserts.isEmpty && updates.isEmpty && deletes.isEmpty }

  init(inserts: [String] = [], updates: [String] = [], deletes: [String] = []) {
    self.inserts = inserts
    self.updates = updates
    self.deletes = deletes
  }

  init(_ rows: [(id: String, kind: SyncChangeKind)]) {
    func ids(_ kind: SyncChangeKind) -> [String] { rows.filter { $0.kind == kind }.map(\.id) }
    self.init(inserts: ids(.insert), updates: ids(.update), deletes: ids(.delete))
  }

  init(_ changes: SyncPendingChangeSet<String>) {
    inserts = changes.inserts
    updates = changes.updates
    deletes = changes.deletes
  }
}

/// Why a row could not be sent.
public struct SyncPendingChangesFailure: Sendable {
  /// The row's identity.
  public let id: String
  /// What went wrong.
  public let error: any Error & Sendable

  /// Says that a row could not be sent.
  public init(id: String, error: any Error & Sendable) {
    self.id = id
    self.error = error
  }
}
