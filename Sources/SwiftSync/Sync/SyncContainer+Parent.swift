import Foundation
import SyncEngine

// Payloads that list the rows of one parent, as values.

extension SyncContainer {
  /// Makes the rows of a parent equal to a payload that lists all of them. Rows of other parents are left alone.
  ///
  /// A model with a unique identity has one row for each: one that another parent has is moved to this one. Where identities
  /// are not unique, each parent has its own. The parent is set whatever the payload says about the relationship.
  ///
  /// - Parameters:
  ///   - payload: the rows, each a `[String: Any]`.
  ///   - model: their class.
  ///   - parent: a saved object, of whatever context.
  ///   - relationship: the to-one relationship by which the rows lead to it.
  ///   - predicate: limits deletion: only rows of which it is true are deleted when the payload does not list them.
  ///   - missing: what becomes of rows that the payload does not list.
  ///   - relationshipOperations: what may happen to links.
  ///   - dryRun: true to get the report and write nothing.
  ///   - progress: hears how far the sync has come.
  /// - Returns: what was done, and what could not be done as asked.
  /// - Throws: as `sync(payload:as:where:missing:relationshipOperations:dryRun:progress:)`; `SyncError.invalidPayload` also
  ///   for a parent that is not stored.
  @discardableResult
  public nonisolated(nonsending) func sync<Model: SyncUpdatableModel, Parent: PersistentModel>(
    payload: [Any], as model: Model.Type, parent: Parent, relationship: ReferenceWritableKeyPath<Model, Parent?>,
    where predicate: Predicate<Model>? = nil, missing: MissingRows = .delete,
    relationshipOperations: SyncRelationshipOperations = .all, dryRun: Bool = false,
    progress: SyncProgressHandler? = nil
  ) async throws -> SyncReport {
    var terms = try terms(
      model, where: predicate, missing: missing, operations: relationshipOperations, isDryRun: dryRun,
      progress: progress)
    try terms.setParent(parent, relationship)
    return try await sync(values: payload, as: .collection, terms)
  }

  /// As `sync(payload:as:parent:relationship:where:missing:relationshipOperations:dryRun:progress:)`, for rows of a type of
  /// one's own.
  @discardableResult
  public nonisolated(nonsending) func sync<
    Model: SyncUpdatableModel, Payload: SyncPayloadConvertible, Parent: PersistentModel
  >(
    payload: [Payload], as model: Model.Type, parent: Parent, relationship: ReferenceWritableKeyPath<Model, Parent?>,
    where predicate: Predicate<Model>? = nil, missing: MissingRows = .delete,
    relationshipOperations: SyncRelationshipOperations = .all, dryRun: Bool = false,
    progress: SyncProgressHandler? = nil
  ) async throws -> SyncReport {
    var terms = try terms(
      model, where: predicate, missing: missing, operations: relationshipOperations, isDryRun: dryRun,
      progress: progress)
    try terms.setParent(parent, relationship)
    return try await sync(values: payload.map { $0.toSyncPayloadDictionary() }, as: .collection, terms)
  }

  /// Inserts or updates one row of a parent, and leaves all others alone. An identity means what it does in
  /// `sync(payload:as:parent:relationship:where:missing:relationshipOperations:dryRun:progress:)`.
  ///
  /// - Parameters:
  ///   - item: the row.
  ///   - model: its class.
  ///   - parent: a saved object, of whatever context.
  ///   - relationship: the to-one relationship by which it leads to the parent.
  ///   - relationshipOperations: what may happen to links.
  ///   - dryRun: true to get the report and write nothing.
  /// - Returns: what was done. An item without identity is skipped, which the report says.
  /// - Throws: as the form for several rows.
  @discardableResult
  public nonisolated(nonsending) func sync<Model: SyncUpdatableModel, Parent: PersistentModel>(
    item: [String: Any], as model: Model.Type, parent: Parent, relationship: ReferenceWritableKeyPath<Model, Parent?>,
    relationshipOperations: SyncRelationshipOperations = .all, dryRun: Bool = false
  ) async throws -> SyncReport {
    var terms = try terms(model, operations: relationshipOperations, isDryRun: dryRun)
    try terms.setParent(parent, relationship)
    return try await sync(values: item, as: .item, terms)
  }

  /// As `sync(item:as:parent:relationship:relationshipOperations:dryRun:)`, for a row of a type of one's own.
  @discardableResult
  public nonisolated(nonsending) func sync<
    Model: SyncUpdatableModel, Payload: SyncPayloadConvertible, Parent: PersistentModel
  >(
    item: Payload, as model: Model.Type, parent: Parent, relationship: ReferenceWritableKeyPath<Model, Parent?>,
    relationshipOperations: SyncRelationshipOperations = .all, dryRun: Bool = false
  ) async throws -> SyncReport {
    var terms = try terms(model, operations: relationshipOperations, isDryRun: dryRun)
    try terms.setParent(parent, relationship)
    return try await sync(values: item.toSyncPayloadDictionary(), as: .item, terms)
  }
}
