import Foundation
import SyncEngine

// What all forms of `sync` end in.

extension SyncContainer {
  func terms<Model: SyncUpdatableModel>(
    _ model: Model.Type, where predicate: Predicate<Model>? = nil, missing: MissingRows = .delete,
    operations: SyncRelationshipOperations, isDryRun: Bool, progress: SyncProgressHandler? = nil
  ) throws -> SyncTerms {
    let core = modelContainer.core
    try core.schema.validate(conflicts)
    var terms = SyncTerms(
      core: core, binding: try core.binding(of: model),
      convention: MappingConvention(keyStyle: keyStyle, unreadableValues: unreadableValues), missing: missing,
      operations: operations, conflicts: conflicts, isDryRun: isDryRun,
      hooks: SyncHooks(progress: progress, phase: onPhase))
    if let predicate { try terms.setCondition(predicate) }
    return terms
  }

  nonisolated(nonsending) func sync(
    values: Any, as form: SyncRequest.Form, _ terms: SyncTerms
  ) async throws -> SyncReport {
    let document = try terms.parse { () throws(PayloadError) in try PayloadDocument(values) }
    return try await sync(document, as: form, at: PayloadPath(), terms)
  }

  /// Off the caller's actor, because parsing takes time.
  @concurrent func sync(
    text: @Sendable () throws -> PayloadText, _ format: PayloadFormat, at path: String, _ terms: SyncTerms
  ) async throws -> SyncReport {
    let text = try text()
    let path = PayloadPath(path)
    let document = try terms.parse { () throws(PayloadError) in
      try PayloadDocument(text, format, rowsAt: path)
    }
    return try await sync(document, as: .collectionOrItem, at: path, terms)
  }

  private nonisolated(nonsending) func sync(
    _ document: PayloadDocument, as form: SyncRequest.Form, at path: PayloadPath, _ terms: SyncTerms
  ) async throws -> SyncReport {
    let core = terms.core
    let request = terms.request(document, as: form, at: path)
    let report =
      if let model = core.modelsSyncedByObjects[request.entity] {
        try await core.syncGate.entering(.exclusive, syncing: request.entity) {
          try await core.syncObjects(request, as: model, author: Self.inboundAuthor)
        }
      } else {
        try await core.syncGate.entering(.shared, syncing: request.entity) {
          try await request.run(in: core.store, author: Self.inboundAuthor, plans: core.plans)
        }
      }
    if !terms.isDryRun { await core.refreshMainContext() }
    return report
  }
}
