import Foundation
import Records
import SyncEngine

/// Giving up the local changes of a row for what the server has of it.
struct PushAdoption: Sendable {
  let model: OfflineModel
  let row: PendingRow
  /// Local changes behind this token count as edits that came meanwhile, and are not given up.
  let through: Records.HistoryToken
  /// Whether somebody has decided to give the change up. What the server's row doesn't mention is then as it was before.
  let isGivenUp: Bool

  init(model: OfflineModel, row: PendingRow, through token: Records.HistoryToken, isGivenUp: Bool = false) {
    self.model = model
    self.row = row
    through = token
    self.isGivenUp = isGivenUp
  }

  /// Adopts the server's row; nil stands for none. It is done to its end even when the task is cancelled: the answer has come.
  ///
  /// - Returns: False if the row was edited meanwhile. Then nothing is adopted, and it is as dirty as it was.
  /// - Throws: `SyncPushError.dirtyRowsBelow`; `SyncError`, `RecordError`, and what hand-written models throw, for a row that can't be
  ///   stored. Nothing has changed then.
  nonisolated(nonsending) func run(
    _ server: (any SyncPayloadConvertible)?, in container: SyncContainer
  ) async throws -> Bool {
    try await Task {
      guard let server else { return try await write { try model.delete(row, in: $0) } }
      guard let type = model.binding.table.type as? any SyncUpdatableModel.Type else { return false }
      return try await adopt(server, as: type, in: container)
    }.value
  }

  private func adopt<Model: SyncUpdatableModel>(
    _ server: any SyncPayloadConvertible, as type: Model.Type, in container: SyncContainer
  ) async throws -> Bool {
    let core = model.core
    let terms = try container.terms(type, operations: .all, isDryRun: false)
    if let json = server as? SyncJSON, !json.isObject { throw refusal("is no object") }
    let values = server.toSyncPayloadDictionary()
    let identity = identity(in: SyncPayload(values: values, keyStyle: terms.convention.keyStyle), type)
    let entity = core.modelsSyncedByObjects[terms.model]
    // Objects are found by the identity that they have.
    let isFormer = identity != nil && identity?.value == row.formerIdentity && entity == nil
    guard isFormer || identity?.value == row.identity else {
      throw refusal("has " + (identity.map { "the identity \($0)" } ?? "no identity"))
    }
    let document = try terms.parse { () throws(PayloadError) in try PayloadDocument(values) }
    let request = terms.request(document, as: .item, at: PayloadPath())
    let isReverted = row.kind == .update && row.base != nil && entity == nil && (isGivenUp || isFormer)
    try checkContent(of: request, isReverted: isReverted)
    if let entity { return try await run(request, as: entity) }
    let (plans, model, row) = (core.plans, model, row)
    return try await core.syncGate.entering(.shared, syncing: request.entity) {
      try await write { transaction in
        if isReverted, let base = row.base { try transaction.revert(row.decisive.row, of: model.entity, to: base) }
        _ = try request.run(in: transaction, plans: plans)
      }
    }
  }

  private func identity<Model: SyncUpdatableModel>(in payload: SyncPayload, _ type: Model.Type) -> SyncRowIdentity? {
    IdentityDirectory<Model>(in: ModelContext(core: model.core)).identity(in: payload)
      .flatMap { SyncRowIdentity(type, $0) }
  }

  /// - Throws: `SyncError.invalidPayload` for a row that says nothing, or nothing of what was changed here. What it doesn't mention stays
  ///   as it is, so the change would be here, and not on the server, and never be sent.
  private func checkContent(of request: SyncRequest, isReverted: Bool) throws {
    let (entity, catalog) = (model.entity, model.core.store.catalog)
    let mentioned = try request.mentionedProperties(in: catalog, plans: model.core.plans)
    if mentioned.isEmpty, model.binding.table.properties.count > 1 { throw refusal("has nothing but its identity") }
    // Of one that is new or gone here there is nothing in particular that it has to mention.
    if row.kind != .update || isReverted { return }
    var missing = row.changed(of: entity, in: catalog)
    missing.subtract(mentioned)
    if let identity = entity.identity { missing.subtract(PropertySet([identity.propertyIndex])) }
    if missing.isEmpty { return }
    let names = model.binding.names(of: missing).joined(separator: ", ")
    throw refusal("says nothing of what was changed here: \(names)")
  }

  private func refusal(_ words: String) -> SyncError {
    .invalidPayload(model: model.name, reason: "the server's row for \(model.rowIdentity(row.identity)) \(words)")
  }

  /// Makes the row clean and changes it in one transaction, so that no edit can come between.
  private nonisolated(nonsending) func write(
    _ change: @escaping @Sendable (RecordTransaction) throws -> Void
  ) async throws -> Bool {
    try await model.core.settlePush { transaction in
      guard try forget(in: transaction) else { return false }
      try change(transaction)
      return true
    }
  }

  /// Rows of models with code of their own are read before they are written. The transaction that writes finds out whether an edit has
  /// come between.
  private nonisolated(nonsending) func run(
    _ request: SyncRequest, as type: any SyncUpdatableModel.Type
  ) async throws -> Bool {
    let core = model.core
    if try core.store.read({ try wasEdited(in: $0) }) { return false }
    do {
      _ = try await core.syncGate.entering(.exclusive, syncing: request.entity) {
        try await core.syncObjects(request, as: type, author: InboundAuthor.name) { transaction in
          guard try forget(in: transaction) else { throw EditedMeanwhile() }
        }
      }
    } catch is EditedMeanwhile {
      return false
    }
    // Where the row was as the server has it already, nothing was written.
    return try await write { _ in }
  }

  private struct EditedMeanwhile: Error {}

  /// Makes the row clean; false, and it stays as it is, if it was edited meanwhile.
  private func forget(in transaction: RecordTransaction) throws -> Bool {
    if try wasEdited(in: transaction) { return false }
    for entry in row.entries { try transaction.forgetPush(of: entry.row, model.entity) }
    return true
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
}

extension OfflineModel {
  /// Deletes a row that no server has.
  ///
  /// - Throws: `SyncPushError.dirtyRowsBelow`: what would go with it was not sent yet, and is nobody else's to give up.
  func delete(_ row: PendingRow, in transaction: RecordTransaction) throws {
    let below = try transaction.dirtyRows(below: row.decisive.row, of: entity)
    guard below.isEmpty else {
      throw SyncPushError.dirtyRowsBelow(
        model: name, identity: rowIdentity(row.identity).description,
        below.map { "\($0.entity.name) \(SyncRowIdentity(model: $0.entity.name, value: $0.identity))" })
    }
    _ = try transaction.delete(row.decisive.row, of: entity)
  }
}

extension PushAdoption {
  /// The code of a change that waits in the inbox because what the server has of its row can't be stored.
  static let refusalCode = "unstorable_server_row"

  /// Whether an error says that what the server has of this row can't be stored, and not that nothing can.
  static func isRefusal(_ error: any Error) -> Bool {
    switch error {
    case is StoreError, SyncError.cancelled, SyncError.syncInsideSync: false
    case RecordError.damagedRecord, RecordError.damagedContent, RecordError.damagedEntry, RecordError.damagedIndexEntry,
      RecordError.schemaChanged:
      false
    default: true
    }
  }
}
