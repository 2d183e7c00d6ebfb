import Records
import SyncEngine

extension SyncContainer {
  /// Passes what is pending of a model to a closure that sends it, and settles each row by what the closure says of it.
  ///
  /// ```swift
  /// try await container.push(Task.self) { changes in
  ///   var outcomes: [String: SyncPushOutcome] = [:]
  ///   for change in changes.changes { outcomes[change.id] = try await server.send(change) }
  ///   return outcomes
  /// }
  /// ```
  ///
  /// The closure is not called if there is nothing. A row that it says nothing of stays pending; one that was edited while it was sent is
  /// pending for the edit. What is settled is not sent again, whatever becomes of the others. If the closure throws, everything stays
  /// pending: the server may hear of a change twice, with the same `idempotencyKey`.
  ///
  /// - Parameters:
  ///   - model: a model with `@Attribute(.unique, .preserveValueOnDeletion)` on its identity.
  ///   - process: sends the changes, and returns what the server said.
  /// - Returns: what came of each row.
  /// - Throws: what the closure throws; `SyncError.schemaValidation` for a model that is not enabled, `StoreError.readOnly` and
  ///   `HistoryError.notKept`, before it is called; `SyncPushError.unknownIdentities`, with nothing settled.
  @discardableResult
  public nonisolated(nonsending) func push<Model: SyncUpdatableModel>(
    _ model: Model.Type,
    process:
      nonisolated(nonsending) (SyncPendingChangeSet<Model.SyncID>) async throws -> [Model.SyncID: SyncPushOutcome]
  ) async throws -> SyncPushReport<Model.SyncID> {
    let batch = try OfflineModel(model, in: modelContainer.core).begin()
    let items = batch.rows.indices.compactMap { place in
      batch.change(of: batch.rows[place]) { PreservedValue.read($0, as: Model.SyncID.self) as? Model.SyncID }.map {
        PushPass<Model.SyncID>.Item(change: $0, batch: 0, place: place)
      }
    }
    return try await run(PushPass(container: self, batches: [batch], items: items)) { try await process($0) }
  }

  /// Passes what is pending of several models to a closure in one list, in the order in which a server that checks references can take it:
  /// insertions and updates, parents before children, and then deletions, children before parents.
  ///
  /// A parent is what a to-one relationship leads to. Models that lead to each other come in the order in which they are given.
  ///
  /// - Parameters:
  ///   - models: each once.
  ///   - process: sends the changes, and returns what the server said.
  /// - Returns: what came of each row.
  /// - Throws: as for one model; `SyncPushError.repeatedModel`.
  @discardableResult
  public nonisolated(nonsending) func push(
    _ models: [any SyncUpdatableModel.Type],
    process:
      nonisolated(nonsending) (SyncPendingChangeSet<SyncRowIdentity>) async throws -> [SyncRowIdentity:
      SyncPushOutcome]
  ) async throws -> SyncPushReport<SyncRowIdentity> {
    let batches = try begin(models)
    let items = PushOrder(batches).rows.compactMap { number, place in
      let batch = batches[number]
      return batch.change(of: batch.rows[place]) { batch.model.rowIdentity($0) }.map {
        PushPass<SyncRowIdentity>.Item(change: $0, batch: number, place: place)
      }
    }
    return try await run(PushPass(container: self, batches: batches, items: items)) { try await process($0) }
  }

  /// What is pending of several models, at one moment.
  private func begin(_ models: [any SyncUpdatableModel.Type]) throws -> [PendingBatch] {
    let core = modelContainer.core
    let offline = try models.map { try OfflineModel($0, in: core) }
    for (place, model) in offline.enumerated() where offline[..<place].contains(where: { $0.name == model.name }) {
      throw SyncPushError.repeatedModel(model.name)
    }
    try offline.first?.checkWritable()
    return try core.store.read { snapshot in try offline.map { try PendingBatch(of: $0, in: snapshot) } }
  }

  private nonisolated(nonsending) func run<ID>(
    _ pass: PushPass<ID>,
    _ process: nonisolated(nonsending) (SyncPendingChangeSet<ID>) async throws -> [ID: SyncPushOutcome]
  ) async throws -> SyncPushReport<ID> {
    if pass.items.isEmpty { return SyncPushReport() }
    try await pass.handOut()
    return try await pass.settle(process(SyncPendingChangeSet(changes: pass.changes)))
  }
}
