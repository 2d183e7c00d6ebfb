import DemoWire
import SwiftSync

// What is waiting, and what the server did not take.
extension DemoSyncEngine {
  /// How many rows have changes that are to be sent.
  package func pendingChangeCount() throws -> Int {
    try SwiftSync.pendingChangeSet(for: Project.self, in: context).changes.count
      + SwiftSync.pendingChangeSet(for: Task.self, in: context).changes.count
  }

  /// The changes that the server has rejected, oldest first.
  package func failedChanges() throws -> [SyncParkedChange] { try container.pushInbox() }

  /// Sends a rejected change again with the next push.
  package func retryFailedChange(_ change: SyncParkedChange) async throws {
    try await container.retry(change)
  }

  /// Gives a rejected change up for what the server has; offline, for what it had when it was last heard of.
  ///
  /// - Throws: `SyncPushError.baseUnknown` offline, where that was too long ago, `.dirtyRowsBelow` for a project with tasks that are to
  ///   be sent; what `send` throws.
  package func discardFailedChange(_ change: SyncParkedChange) async throws {
    if isOffline {
      try await container.discard(change)
      return
    }
    let path = Request.path(change.id.model == "Task" ? "tasks" : "projects", change.id.description)
    let row: Data
    do {
      row = try await send(Request(.get, path))
    } catch TransportError.refused(status: 404, _) {
      try await container.discard(change, adopting: nil)
      return
    }
    guard let json = try JSONSerialization.jsonObject(with: row) as? [String: Any] else {
      throw TransportError.unreadable(path: path)
    }
    try await container.discard(change, adopting: SyncJSON(dictionary: json))
  }
}
