import Foundation
import Records
import SyncEngine

extension SyncContainer {
  /// The changes of all models that a server will not take as they are, those that wait longest first. They outlive the process. An edit of
  /// a row takes its change out of here, and has it sent again.
  ///
  /// - Throws: `RecordError` for damage.
  public func pushInbox() throws -> [SyncParkedChange] {
    let core = modelContainer.core
    let models = core.schema.modelTypes.compactMap { ($0 as? any SyncUpdatableModel.Type).flatMap { offline($0) } }
    return try core.store.read { snapshot in try models.flatMap { try $0.parked(in: snapshot) } }
      .sorted { $0.since < $1.since }
  }

  /// The changes of a model that a server will not take as they are, those that wait longest first.
  ///
  /// - Throws: `SyncError.schemaValidation` for a model that is not enabled for offline push; `RecordError` for damage.
  public func pushInbox<Model: SyncUpdatableModel>(for model: Model.Type) throws -> [SyncParkedChange] {
    let offline = try OfflineModel(model, in: modelContainer.core)
    return try offline.core.store.read { try offline.parked(in: $0) }.sorted { $0.since < $1.since }
  }

  /// Has a parked change sent again with the next push, with the same idempotency key.
  ///
  /// - Returns: False if it doesn't wait any more, because somebody has edited the row or decided already.
  /// - Throws: As `save()`.
  @discardableResult
  public nonisolated(nonsending) func retry(_ change: SyncParkedChange) async throws -> Bool {
    guard let model = offline(named: change.id.model) else { return false }
    return try await model.core.settlePush { transaction in
      guard let row = try model.row(of: change, in: transaction) else { return false }
      return try transaction.unparkPush(of: row.decisive.row, model.entity)
    }
  }

  /// Gives a parked change up: a row that was made here is deleted, one that was changed gets the attributes and to-one relationships back that the
  /// server was last known to have, and one that was deleted is there again, with these.
  ///
  /// What the server has by now comes with the next pull, as do to-many relationships and contents in external storage.
  ///
  /// - Returns: False if it doesn't wait any more, because somebody has edited the row or decided already.
  /// - Throws: `SyncPushError.baseUnknown` where `discard(_:adopting:)` is needed, `.dirtyRowsBelow` for a row that others would go with;
  ///   `RecordError` for a row that can't be as it was, because what it led to is gone. Nothing has changed then.
  @discardableResult
  public nonisolated(nonsending) func discard(_ change: SyncParkedChange) async throws -> Bool {
    guard let model = offline(named: change.id.model) else { return false }
    let isDone = try await model.core.settlePush { transaction in
      guard let row = try model.row(of: change, in: transaction) else { return false }
      try model.giveUp(row, in: transaction)
      return true
    }
    await model.core.refreshMainContext()
    return isDone
  }

  /// Gives a parked change up for what the server has of the row: nil stands for no row. What was changed here, and the server's row
  /// doesn't mention, becomes what the server was last known to have, as by `discard(_:)`.
  ///
  /// - Returns: False if it doesn't wait any more, because somebody has edited the row or decided already.
  /// - Throws: As `sync(item:as:)`; `SyncError.invalidPayload` for what is not this row, or has nothing but its identity;
  ///   `SyncPushError.dirtyRowsBelow`. Nothing has changed then.
  @discardableResult
  public nonisolated(nonsending) func discard(
    _ change: SyncParkedChange, adopting server: (any SyncPayloadConvertible)?
  ) async throws -> Bool {
    guard let model = offline(named: change.id.model),
      let row = try model.core.store.read({ snapshot in
        try model.row(of: change, in: snapshot).map { try snapshot.reading($0, of: model.entity) }
      })
    else { return false }
    let isDone = try await PushAdoption(model: model, row: row, through: row.last, isGivenUp: true).run(
      server, in: self)
    await model.core.refreshMainContext()
    return isDone
  }

  private func offline(_ type: any SyncUpdatableModel.Type) -> OfflineModel? {
    try? OfflineModel(type, in: modelContainer.core)
  }

  private func offline(named name: String) -> OfflineModel? {
    modelContainer.core.schema.modelTypes.first { $0.modelTable.name == name }
      .flatMap { ($0 as? any SyncUpdatableModel.Type).flatMap { offline($0) } }
  }
}

extension OfflineModel {
  fileprivate func parked(in snapshot: RecordSnapshot) throws -> [SyncParkedChange] {
    try snapshot.pendingRows(of: entity).filter(\.isParked).compactMap { row in
      guard let refusal = try snapshot.pushRefusal(of: row.decisive.row, entity) else { return nil }
      let row = try snapshot.reading(row, of: entity)
      return SyncParkedChange(
        id: rowIdentity(row.identity), kind: row.kind,
        changedProperties: binding.names(of: row.changed(of: entity, in: core.store.catalog)),
        reason: refusal.reason, code: refusal.code, attempts: refusal.attempts, since: refusal.since,
        idempotencyKey: row.idempotencyKey(entity, in: core.storeIdentifier))
    }
  }

  /// The row of a parked change, if it is still the same one and waits.
  fileprivate func row(of change: SyncParkedChange, in snapshot: RecordSnapshot) throws -> PendingRow? {
    try snapshot.pendingRows(of: entity).first { row in
      row.isParked && row.identity == change.id.value
        && row.idempotencyKey(entity, in: core.storeIdentifier) == change.idempotencyKey
    }
  }

  fileprivate func giveUp(_ row: PendingRow, in transaction: RecordTransaction) throws {
    if row.kind == .insert {
      try delete(row, in: transaction)
    } else if let base = try transaction.pushBase(of: row.known.row, entity) {
      if row.kind == .update {
        try transaction.revert(row.decisive.row, of: entity, to: base)
      } else {
        _ = try transaction.restore(base, of: entity)
      }
    } else {
      throw SyncPushError.baseUnknown(model: name, identity: rowIdentity(row.identity).description)
    }
    for entry in row.entries { try transaction.forgetPush(of: entry.row, entity) }
  }
}
