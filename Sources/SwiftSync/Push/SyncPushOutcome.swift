import Foundation

/// What a server said to one change.
public enum SyncPushOutcome: Sendable {
  /// It has the change, now or since an earlier try.
  case applied
  /// It has something newer: its row, which takes the place of the local one, unless that was edited meanwhile. Nil stands for no row: it
  /// was deleted there, and is here.
  case stale((any SyncPayloadConvertible)?)
  /// It will not take the change as it is, for a reason in words and perhaps a code. The change waits in the inbox
  /// (`SyncContainer.pushInbox()`), and is not sent again until somebody edits the row or asks for it.
  case rejected(reason: String, code: String? = nil)

  /// It will not take the change as it is, for a reason that an error says.
  public static func rejected(_ error: any Error, code: String? = nil) -> SyncPushOutcome {
    .rejected(reason: (error as? any LocalizedError)?.errorDescription ?? "\(error)", code: code)
  }
}

/// What came of a push, row by row. Each row is in one of the first four lists.
public struct SyncPushReport<ID: Hashable & Sendable>: Sendable {
  /// Rows whose changes the server has.
  public internal(set) var applied: [ID] = []
  /// Rows of which the server had something newer.
  public internal(set) var stale: [ID] = []
  /// Rows that wait in the inbox.
  public internal(set) var rejected: [ID] = []
  /// Rows that have no outcome. They are still pending.
  public internal(set) var unanswered: [ID] = []
  /// Those of all of them that were edited while they were sent, and are pending for that.
  public internal(set) var editedMeanwhile: [ID] = []

  /// Whether there was nothing to send.
  public var isEmpty: Bool { applied.isEmpty && stale.isEmpty && rejected.isEmpty && unanswered.isEmpty }
}
