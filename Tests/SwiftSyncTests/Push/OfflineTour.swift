// The code of docs/offline.md, word for word. `OfflineTourTests` compares them, so the examples keep compiling.

import Foundation
import SwiftSync

@Syncable @Model final class Chore {
  @Attribute(.unique, .preserveValueOnDeletion) var id: String
  var title: String
  var isDone: Bool
  var place: ChorePlace?

  init(id: String = UUID().uuidString, title: String, place: ChorePlace? = nil) {
    self.id = id
    self.title = title
    self.isDone = false
    self.place = place
  }
}

@Syncable @Model final class ChorePlace {
  @Attribute(.unique, .preserveValueOnDeletion) var id: Int
  var name: String
  @Relationship(inverse: \Chore.place) var chores: [Chore]

  init(id: Int, name: String) {
    self.id = id
    self.name = name
    self.chores = []
  }
}

struct ChoreRequest: Sendable {
  let method: String
  let path: String
  let key: String
  var body = Data()
}

struct ChoreResponse: Sendable {
  let status: Int
  let body: Data
}

/// Sends a request, and throws if there is no answer.
typealias ChoreTransport = @Sendable (ChoreRequest) async throws -> ChoreResponse

func pushChores(of container: SyncContainer, over send: ChoreTransport) async throws -> SyncPushReport<String> {
  try await container.push(Chore.self) { changes in
    var outcomes: [String: SyncPushOutcome] = [:]
    for change in changes.changes {
      guard let request = try choreRequest(for: change, of: container) else { continue }
      // Without an answer it stays pending, as do those behind it.
      guard let response = try? await send(request) else { break }
      outcomes[change.id] = outcome(of: response, to: change.kind)
    }
    return outcomes
  }
}

func choreRequest(for change: SyncPendingChange<String>, of container: SyncContainer) throws -> ChoreRequest? {
  // The server knows a row by its previous identity, if that was changed here.
  let path = "/chores/\(change.previousID ?? change.id)"
  var request: ChoreRequest
  switch change.kind {
  case .insert: request = ChoreRequest(method: "POST", path: "/chores", key: change.idempotencyKey)
  case .update: request = ChoreRequest(method: "PATCH", path: path, key: change.idempotencyKey)
  case .delete: return ChoreRequest(method: "DELETE", path: path, key: change.idempotencyKey)
  }
  let isPatch = change.kind == .update
  // Nil if the row was deleted since: the next push says so.
  guard let row = try container.payload(of: change, as: Chore.self, onlyChanged: isPatch) else { return nil }
  request.body = try JSONSerialization.data(withJSONObject: row)
  return request
}

func outcome(of response: ChoreResponse, to kind: SyncChangeKind) -> SyncPushOutcome? {
  let text = String(decoding: response.body, as: UTF8.self)
  switch response.status {
  case 200..<300: return .applied
  // Nothing is left to delete. Of a row that is to be changed, it may as well be a wrong address.
  case 404 where kind == .delete: return .applied
  case 410: return .stale(nil)
  case 409:
    // The body is the row as the server has it.
    let row = try? SyncJSON(try JSONSerialization.jsonObject(with: response.body))
    return row.map { .stale($0) } ?? .rejected(reason: text, code: "409")
  case 400..<500: return .rejected(reason: text, code: "\(response.status)")
  // The server is in trouble: the next push tries again.
  default: return nil
  }
}

func pushPlacesAndChores(
  of container: SyncContainer, over send: ChoreTransport
) async throws -> SyncPushReport<SyncRowIdentity> {
  try await container.drain([ChorePlace.self, Chore.self]) { changes in
    var outcomes: [SyncRowIdentity: SyncPushOutcome] = [:]
    for change in changes.changes {
      let method = change.kind == .delete ? "DELETE" : "PUT"
      let row = try container.payload(of: change)
      if row == nil, change.kind != .delete { continue }
      let request = ChoreRequest(
        method: method, path: "/\(change.id.model)/\(change.id)", key: change.idempotencyKey,
        body: try row.map { try JSONSerialization.data(withJSONObject: $0) } ?? Data())
      guard let response = try? await send(request) else { break }
      outcomes[change.id] = outcome(of: response, to: change.kind)
    }
    return outcomes
  }
}

@MainActor func uploadAll(
  of container: SyncContainer, sending upload: ([String], [String], [String]) async throws -> [String: any Error]
) async throws -> Bool {
  let failures = try await SwiftSync.withPendingChanges(for: Chore.self, in: container.mainContext) { changes in
    try await upload(changes.inserts, changes.updates, changes.deletes)
      .map { SyncPendingChangesFailure(id: $0.key, error: $0.value) }
  }
  return failures.isEmpty
}

func lookThroughInbox(of container: SyncContainer, serverHas rows: [String: SyncJSON]) async throws {
  for change in try container.pushInbox(for: Chore.self) {
    print(change.id, change.kind, change.reason, change.attempts)
    if change.attempts < 3 {
      try await container.retry(change)  // with the next push, with the same key
    } else if let row = rows[change.id.description] {
      try await container.discard(change, adopting: row)  // to what the server has now
    } else {
      try await container.discard(change)  // to what it was last known to have
    }
  }
}

@MainActor func unsentChores(in container: SyncContainer) throws -> String {
  let badge = PendingChangesPublisher(Chore.self, in: container)  // observable; a view keeps it
  if let failure = badge.failure { return "unknown: \(failure)" }
  let pending = badge.pendingChanges
  let parked = try container.pushInbox(for: Chore.self).count
  return "\(pending.inserts.count + pending.updates.count + pending.deletes.count) to send, \(parked) to look at"
}

/// Conflicts that nobody was told of yet. `known` has those of the last pull.
func newConflicts(in report: SyncReport, known: inout Set<String>) -> [SyncReport.Conflict] {
  let lasting = report.conflicts.filter { $0.kind == .missingOnServer || $0.kind == .ownerMissingOnServer }
  let new = lasting.filter { !known.contains("\($0.entity) \($0.identity)") }
  known = Set(lasting.map { "\($0.entity) \($0.identity)" })
  return report.conflicts.filter { $0.kind != .missingOnServer && $0.kind != .ownerMissingOnServer } + new
}

@MainActor func touchChores(in context: ModelContext) throws {
  for chore in try context.fetch(FetchDescriptor<Chore>()) { chore.title = chore.title }
  try context.save()
}
