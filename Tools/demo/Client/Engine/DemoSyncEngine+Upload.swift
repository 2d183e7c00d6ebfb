import DemoWire
import SwiftSync

// How pending changes become requests, and answers become outcomes: docs/upload-endpoint.md.
extension DemoSyncEngine {
  /// So many changes go in one request.
  private static let batchCountMax = 100

  /// Sends changes in their order, and returns what became of those that were answered.
  ///
  /// - Throws: `TransportError` when not even the first request was answered.
  func upload(
    _ pending: SyncPendingChangeSet<SyncRowIdentity>
  ) async throws -> [SyncRowIdentity: SyncPushOutcome] {
    var outcomes: [SyncRowIdentity: SyncPushOutcome] = [:]
    var rest = pending.changes[...]
    while !rest.isEmpty {
      let batch = rest.prefix(Self.batchCountMax)
      rest = rest.dropFirst(batch.count)
      do {
        outcomes.merge(try await answers(to: batch)) { $1 }
      } catch let error as TransportError {
        // What has been answered is settled; the others stay pending.
        if outcomes.isEmpty { throw error }
        return outcomes
      }
    }
    return outcomes
  }

  private func answers(
    to changes: ArraySlice<SyncPendingChange<SyncRowIdentity>>
  ) async throws -> [SyncRowIdentity: SyncPushOutcome] {
    // A row that is gone by now is sent as a deletion by the next pass.
    let sent = try changes.compactMap { change in try operation(for: change).map { (change, $0) } }
    if sent.isEmpty { return [:] }
    let path = Request.path("sync", "upload")
    let body = try JSONSerialization.data(withJSONObject: ["operations": sent.map(\.1)], options: .sortedKeys)
    let answer = try await send(Request(.post, path, body: body))
    let json = try? JSONSerialization.jsonObject(with: answer) as? [String: Any]
    guard let results = json?["results"] as? [[String: Any]], results.count == sent.count else {
      throw TransportError.unreadable(path: path)
    }
    let outcomes = try zip(sent, results).map { sent, result in
      guard let outcome = try outcome(result) else { throw TransportError.unreadable(path: path) }
      return (sent.0.id, outcome)
    }
    return Dictionary(outcomes) { $1 }
  }

  /// A change as the endpoint takes it; nil if the row is gone.
  private func operation(for change: SyncPendingChange<SyncRowIdentity>) throws -> [String: Any]? {
    var operation: [String: Any] = [
      "operation": change.kind == .delete ? "delete" : "upsert",
      "type": change.id.model == "Task" ? "tasks" : "projects",
      "id": change.id.description, "key": change.idempotencyKey,
    ]
    guard change.kind != .delete else {
      operation["updatedAt"] = now.text
      return operation
    }
    let isPatch = change.kind == .update
    guard
      var row = try container.payload(
        of: change, onlyChanged: isPatch, using: ExportOptions(relationships: .identities))
    else { return nil }
    row["item_ids"] = nil
    if !isPatch || change.changedProperties.contains("items"), let id = change.id.id(of: Task.self) {
      row["items"] = try context.model(Task.self, id: id)?.items.map {
        container.export($0, using: .excludedRelationships)
      }
    }
    operation["updatedAt"] = row["updated_at"] ?? now.text
    operation["data"] = row
    return operation
  }

  /// What a result of the endpoint means; nil if it can't be read.
  private func outcome(_ result: [String: Any]) throws -> SyncPushOutcome? {
    switch result["status"] as? String {
    case "applied": .applied
    case "stale": .stale(try (result["server"] as? [String: Any]).map { try SyncJSON(dictionary: $0) })
    case "rejected":
      .rejected(reason: result["message"] as? String ?? "", code: result["code"] as? String)
    default: nil
    }
  }
}
