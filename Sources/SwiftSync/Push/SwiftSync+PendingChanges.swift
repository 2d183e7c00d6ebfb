import Records
import SyncEngine

extension SwiftSync {
  /// Which rows of a model have local changes that no server has answered for.
  ///
  /// Local is what any author but a sync has saved; what is unsaved in the context is not pending yet. The model is enabled for it by
  /// `@Attribute(.unique, .preserveValueOnDeletion)` on its identity.
  ///
  /// - Throws: `SyncError.schemaValidation` if the model is not enabled; `HistoryError.notKept`; `RecordError` for damage.
  /// - Complexity: O(pending rows); O(1) if there are none.
  public static func pendingChanges<Model: SyncUpdatableModel>(
    for model: Model.Type, in context: ModelContext
  ) throws -> SyncPendingChanges where Model.SyncID == String {
    SyncPendingChanges(try OfflineModel(model, in: context.core).pendingIdentities(String.self))
  }

  /// The local changes of a model's rows that no server has answered for, for identities of any type, with what differs in each row.
  ///
  /// - Throws: As `pendingChanges(for:in:)`.
  /// - Complexity: O(pending rows); O(1) if there are none.
  public static func pendingChangeSet<Model: SyncUpdatableModel>(
    for model: Model.Type, in context: ModelContext
  ) throws -> SyncPendingChangeSet<Model.SyncID> {
    try OfflineModel(model, in: context.core).pending().changeSet(for: model)
  }

  /// Passes what is pending of a model to a closure that sends it, and settles all of it if none of it failed.
  ///
  /// The closure is not called if there is nothing. It may suspend and save; what is saved while it runs stays pending. If it throws, or
  /// returns a failure, everything stays pending, and is passed again the next time: the server hears of a change at least once.
  /// `SyncContainer.push(_:process:)` settles row by row.
  ///
  /// The context's unsaved edits are left as they are.
  ///
  /// - Parameters:
  ///   - model: the model.
  ///   - context: a context of the store.
  ///   - isolation: the actor that the closure runs on.
  ///   - process: sends the changes, and returns what failed.
  /// - Returns: what the closure returned.
  /// - Throws: what the closure throws; as `pendingChanges(for:in:)`; `StoreError.readOnly` before anything.
  @discardableResult
  public static func withPendingChanges<Model: SyncUpdatableModel>(
    for model: Model.Type, in context: ModelContext, isolation: isolated (any Actor)? = #isolation,
    process: (SyncPendingChanges) async throws -> [SyncPendingChangesFailure]
  ) async throws -> [SyncPendingChangesFailure] where Model.SyncID == String {
    let batch = try OfflineModel(model, in: context.core).begin()
    let changes = SyncPendingChanges(batch.changeSet(for: model))
    if changes.isEmpty { return [] }
    try await batch.handOut()
    let failures = try await process(changes)
    if failures.isEmpty {
      _ = try await batch.model.core.settlePush { try PushSettlement.everything(of: batch).settle(in: $0) }
    }
    return failures
  }

  /// Passes what is pending of a model to a closure until nothing is, or something has failed: `withPendingChanges(for:in:process:)` again
  /// and again, for what is saved while changes are sent.
  ///
  /// - Parameters:
  ///   - model: the model.
  ///   - context: a context of the store.
  ///   - isolation: the actor that the closures run on.
  ///   - process: sends the changes, and returns what failed.
  ///   - afterPass: called after each pass that has come to its end with what failed in it, and once if there is nothing to send.
  /// - Returns: what failed in the last pass.
  /// - Throws: what the closures throw; as `withPendingChanges(for:in:process:)`; `SyncError.cancelled` between two passes. What earlier
  ///   passes have settled stays settled.
  @discardableResult
  public static func drainPendingChanges<Model: SyncUpdatableModel>(
    for model: Model.Type, in context: ModelContext, isolation: isolated (any Actor)? = #isolation,
    process: (SyncPendingChanges) async throws -> [SyncPendingChangesFailure],
    afterPass: ([SyncPendingChangesFailure]) async throws -> Void = { _ in }
  ) async throws -> [SyncPendingChangesFailure] where Model.SyncID == String {
    while true {
      let failures = try await withPendingChanges(for: model, in: context, process: process)
      try await afterPass(failures)
      if try !failures.isEmpty || pendingChanges(for: model, in: context).isEmpty { return failures }
      if Task.isCancelled { throw SyncError.cancelled }
    }
  }
}

extension OfflineModel {
  /// What is to be sent.
  func begin() throws -> PendingBatch {
    try checkWritable()
    return try pending()
  }
}

extension PendingBatch {
  func changeSet<Model: SyncUpdatableModel>(for type: Model.Type) -> SyncPendingChangeSet<Model.SyncID> {
    SyncPendingChangeSet(
      changes: changes { PreservedValue.read($0, as: Model.SyncID.self) as? Model.SyncID })
  }

  /// Notes what a server may have from now on, if it may not have it already.
  nonisolated(nonsending) func handOut() async throws {
    let catalog = model.core.store.catalog
    let new = rows.filter { $0.kind != .delete && !$0.decisive.isHandedOut }
      .map { (row: $0.decisive.row, sent: $0.changed(of: model.entity, in: catalog)) }
    if new.isEmpty { return }
    try await model.core.noteForPush { [entity = model.entity, token] in
      try $0.noteHandedOut(new, of: entity, through: token)
    }
  }
}
