import Records
import SyncEngine

/// Giving up the local changes of a row for what the server has of it.
struct PushAdoption: Sendable {
  /// The code of a change that waits in the inbox because the server's newer row can't be stored.
  static let refusalCode = "unstorable_server_row"

  let model: OfflineModel
  let row: PendingRow
  /// Local changes behind this token count as edits that came meanwhile, and are not given up.
  let through: Records.HistoryToken

  init(model: OfflineModel, row: PendingRow, through token: Records.HistoryToken) {
    self.model = model
    self.row = row
    through = token
  }

  /// Adopts the server's row; nil stands for none.
  ///
  /// - Returns: False if the row was edited meanwhile. Then nothing is adopted, and it is as dirty as it was.
  /// - Throws: `SyncError` and `RecordError` for a row that can't be stored. Nothing has changed then.
  nonisolated(nonsending) func run(
    _ server: (any SyncPayloadConvertible)?, in container: SyncContainer
  ) async throws -> Bool {
    guard let server else { return try await write { try delete(in: $0) } }
    guard let type = model.binding.table.type as? any SyncUpdatableModel.Type else { return false }
    let request = try request(for: server, of: type, in: container)
    let core = model.core
    if let type = core.modelsSyncedByObjects[request.entity] { return try await run(request, as: type) }
    let plans = core.plans
    return try await core.syncGate.entering(.shared, syncing: request.entity) {
      try await write { transaction in _ = try request.run(in: transaction, plans: plans) }
    }
  }

  private func request<Model: SyncUpdatableModel>(
    for server: any SyncPayloadConvertible, of type: Model.Type, in container: SyncContainer
  ) throws -> SyncRequest {
    let terms = try container.terms(type, operations: .all, isDryRun: false)
    let document = try terms.parse { () throws(PayloadError) in
      try PayloadDocument(server.toSyncPayloadDictionary())
    }
    return terms.request(document, as: .item, at: PayloadPath())
  }

  /// Makes the row clean and changes it in one transaction, so that no edit can come between.
  private nonisolated(nonsending) func write(
    _ change: @escaping @Sendable (RecordTransaction) throws -> Void
  ) async throws -> Bool {
    try await model.core.settlePush { transaction in
      guard try !wasEdited(in: transaction) else { return false }
      for entry in row.entries { try transaction.forgetPush(of: entry.row, model.entity) }
      try change(transaction)
      return true
    }
  }

  /// Rows of models with code of their own are changed in several steps, so an edit that comes between is lost.
  private nonisolated(nonsending) func run(
    _ request: SyncRequest, as type: any SyncUpdatableModel.Type
  ) async throws -> Bool {
    let core = model.core
    if try core.store.read({ try wasEdited(in: $0) }) { return false }
    _ = try await core.syncGate.entering(.exclusive, syncing: request.entity) {
      try await core.syncObjects(request, as: type, author: InboundAuthor.name)
    }
    return try await write { _ in }
  }

  /// Whether the row was edited, or one with its identity was made, behind the token.
  private func wasEdited(in snapshot: RecordSnapshot) throws -> Bool {
    var rows = Set(row.entries.map(\.row))
    if let index = model.entity.identityIndex {
      rows.formUnion(try snapshot.rows(where: index, equals: [row.identity]))
    }
    return try rows.contains { row in
      try snapshot.pushEntry(of: row, model.entity).map { $0.last > through } ?? false
    }
  }

  private func delete(in transaction: RecordTransaction) throws {
    _ = try transaction.delete(row.decisive.row, of: model.entity)
  }
}
