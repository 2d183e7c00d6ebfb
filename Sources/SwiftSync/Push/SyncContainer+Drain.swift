import SyncEngine

extension SyncContainer {
  /// Pushes a model again and again, for what is saved while changes are sent, until nothing is pending or something has no outcome.
  ///
  /// - Parameters:
  ///   - model: the model.
  ///   - process: sends the changes, and returns what the server said.
  ///   - afterPass: called after each pass, and once if there is nothing to send.
  /// - Returns: what came of the last pass.
  /// - Throws: as `push(_:process:)`; what `afterPass` throws; `SyncError.cancelled` between two passes. What was settled stays so.
  @discardableResult
  public nonisolated(nonsending) func drain<Model: SyncUpdatableModel>(
    _ model: Model.Type,
    process:
      nonisolated(nonsending) (SyncPendingChangeSet<Model.SyncID>) async throws -> [Model.SyncID:
      SyncPushOutcome],
    afterPass: nonisolated(nonsending) (SyncPushReport<Model.SyncID>) async throws -> Void = { _ in }
  ) async throws -> SyncPushReport<Model.SyncID> {
    try await drain(afterPass: { try await afterPass($0) }) { try await push(model) { try await process($0) } }
  }

  /// As `drain(_:process:afterPass:)` of one model, for several in the order of `push(_:process:)`.
  @discardableResult
  public nonisolated(nonsending) func drain(
    _ models: [any SyncUpdatableModel.Type],
    process:
      nonisolated(nonsending) (SyncPendingChangeSet<SyncRowIdentity>) async throws -> [SyncRowIdentity:
      SyncPushOutcome],
    afterPass: nonisolated(nonsending) (SyncPushReport<SyncRowIdentity>) async throws -> Void = { _ in }
  ) async throws -> SyncPushReport<SyncRowIdentity> {
    try await drain(afterPass: { try await afterPass($0) }) { try await push(models) { try await process($0) } }
  }

  private nonisolated(nonsending) func drain<ID>(
    afterPass: nonisolated(nonsending) (SyncPushReport<ID>) async throws -> Void,
    _ push: nonisolated(nonsending) () async throws -> SyncPushReport<ID>
  ) async throws -> SyncPushReport<ID> {
    var last = SyncPushReport<ID>()
    while true {
      let report = try await push()
      if report.isEmpty, !last.isEmpty { return last }
      try await afterPass(report)
      // Without an outcome a row would be sent again and again.
      if report.isEmpty || !report.unanswered.isEmpty { return report }
      if Task.isCancelled { throw SyncError.cancelled }
      last = report
    }
  }
}
