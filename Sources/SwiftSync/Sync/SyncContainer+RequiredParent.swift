import Foundation
import SyncEngine

// Payloads that list the rows of one parent which they cannot be without: the relationship to it is not optional. A key path says
// that in its type, so these forms stand beside those for optional relationships.

extension SyncContainer {
  /// As `sync(payload:as:parent:relationship:where:missing:relationshipOperations:dryRun:progress:)`, by a relationship that is
  /// not optional.
  @discardableResult
  public nonisolated(nonsending) func sync<Model: SyncUpdatableModel, Parent: PersistentModel>(
    payload: [Any], as model: Model.Type, parent: Parent, relationship: ReferenceWritableKeyPath<Model, Parent>,
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

  /// As `sync(item:as:parent:relationship:relationshipOperations:dryRun:)`, by a relationship that is not optional.
  @discardableResult
  public nonisolated(nonsending) func sync<Model: SyncUpdatableModel, Parent: PersistentModel>(
    item: [String: Any], as model: Model.Type, parent: Parent, relationship: ReferenceWritableKeyPath<Model, Parent>,
    relationshipOperations: SyncRelationshipOperations = .all, dryRun: Bool = false
  ) async throws -> SyncReport {
    var terms = try terms(model, operations: relationshipOperations, isDryRun: dryRun)
    try terms.setParent(parent, relationship)
    return try await sync(values: item, as: .item, terms)
  }

  /// As `sync(json:as:parent:relationship:at:where:missing:relationshipOperations:dryRun:progress:)`, by a relationship that is
  /// not optional.
  @discardableResult
  public nonisolated(nonsending) func sync<Model: SyncUpdatableModel, Parent: PersistentModel>(
    json: Data, as model: Model.Type, parent: Parent, relationship: ReferenceWritableKeyPath<Model, Parent>,
    at path: String = "", where predicate: Predicate<Model>? = nil, missing: MissingRows = .delete,
    relationshipOperations: SyncRelationshipOperations = .all, dryRun: Bool = false,
    progress: SyncProgressHandler? = nil
  ) async throws -> SyncReport {
    var terms = try terms(
      model, where: predicate, missing: missing, operations: relationshipOperations, isDryRun: dryRun,
      progress: progress)
    try terms.setParent(parent, relationship)
    return try await sync(text: { json }, .json, at: path, terms)
  }
}
