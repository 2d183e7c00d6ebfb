import Foundation
import SyncEngine

// Payloads that are values: dictionaries as `JSONSerialization` makes them, and types of one's own.

extension SyncContainer {
  /// Makes the rows of a model equal to a payload that lists all of them: rows are inserted, updated and linked, and rows
  /// that the payload does not list are deleted.
  ///
  /// - Parameters:
  ///   - payload: the rows, each a `[String: Any]`.
  ///   - model: their class.
  ///   - predicate: limits deletion: only rows of which it is true are deleted when the payload does not list them.
  ///   - missing: what becomes of rows that the payload does not list.
  ///   - relationshipOperations: what may happen to links.
  ///   - dryRun: true to get the report and write nothing.
  ///   - progress: hears how far the sync has come.
  /// - Returns: what was done, and what could not be done as asked.
  /// - Throws: `SyncError.invalidPayload` for a payload of the wrong shape, one in which no row has an identity, or a value
  ///   that is required and missing or unreadable; `SyncError.unsupportedPredicate`; `SyncError.cancelled`;
  ///   `ModelError.unknownModel`; `RecordError` and `StoreError`. The store is then as it was.
  @discardableResult
  public nonisolated(nonsending) func sync<Model: SyncUpdatableModel>(
    payload: [Any], as model: Model.Type, where predicate: Predicate<Model>? = nil, missing: MissingRows = .delete,
    relationshipOperations: SyncRelationshipOperations = .all, dryRun: Bool = false,
    progress: SyncProgressHandler? = nil
  ) async throws -> SyncReport {
    let terms = try terms(
      model, where: predicate, missing: missing, operations: relationshipOperations, isDryRun: dryRun,
      progress: progress)
    return try await sync(values: payload, as: .collection, terms)
  }

  /// As `sync(payload:as:where:missing:relationshipOperations:dryRun:progress:)`, for rows of a type of one's own.
  @discardableResult
  public nonisolated(nonsending) func sync<Model: SyncUpdatableModel, Payload: SyncPayloadConvertible>(
    payload: [Payload], as model: Model.Type, where predicate: Predicate<Model>? = nil, missing: MissingRows = .delete,
    relationshipOperations: SyncRelationshipOperations = .all, dryRun: Bool = false,
    progress: SyncProgressHandler? = nil
  ) async throws -> SyncReport {
    let terms = try terms(
      model, where: predicate, missing: missing, operations: relationshipOperations, isDryRun: dryRun,
      progress: progress)
    return try await sync(values: payload.map { $0.toSyncPayloadDictionary() }, as: .collection, terms)
  }

  /// Inserts or updates one row, and leaves all others alone.
  ///
  /// - Parameters:
  ///   - item: the row.
  ///   - model: its class.
  ///   - relationshipOperations: what may happen to links.
  ///   - dryRun: true to get the report and write nothing.
  /// - Returns: what was done. An item without identity is skipped, which the report says.
  /// - Throws: as `sync(payload:as:where:missing:relationshipOperations:dryRun:progress:)`.
  @discardableResult
  public nonisolated(nonsending) func sync<Model: SyncUpdatableModel>(
    item: [String: Any], as model: Model.Type, relationshipOperations: SyncRelationshipOperations = .all,
    dryRun: Bool = false
  ) async throws -> SyncReport {
    try await sync(values: item, as: .item, terms(model, operations: relationshipOperations, isDryRun: dryRun))
  }

  /// As `sync(item:as:relationshipOperations:dryRun:)`, for a row of a type of one's own.
  @discardableResult
  public nonisolated(nonsending) func sync<Model: SyncUpdatableModel, Payload: SyncPayloadConvertible>(
    item: Payload, as model: Model.Type, relationshipOperations: SyncRelationshipOperations = .all, dryRun: Bool = false
  ) async throws -> SyncReport {
    try await sync(
      values: item.toSyncPayloadDictionary(), as: .item,
      terms(model, operations: relationshipOperations, isDryRun: dryRun))
  }
}
