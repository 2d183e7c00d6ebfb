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

  /// As `sync(payload:as:parent:relationship:where:missing:relationshipOperations:dryRun:progress:)`, for rows of a type of one's
  /// own and by a relationship that is not optional.
  @discardableResult
  public nonisolated(nonsending) func sync<
    Model: SyncUpdatableModel, Payload: SyncPayloadConvertible, Parent: PersistentModel
  >(
    payload: [Payload], as model: Model.Type, parent: Parent, relationship: ReferenceWritableKeyPath<Model, Parent>,
    where predicate: Predicate<Model>? = nil, missing: MissingRows = .delete,
    relationshipOperations: SyncRelationshipOperations = .all, dryRun: Bool = false,
    progress: SyncProgressHandler? = nil
  ) async throws -> SyncReport {
    try await sync(
      payload: payload.map { $0.toSyncPayloadDictionary() } as [Any], as: model, parent: parent,
      relationship: relationship, where: predicate, missing: missing, relationshipOperations: relationshipOperations,
      dryRun: dryRun, progress: progress)
  }

  /// As `sync(item:as:parent:relationship:relationshipOperations:dryRun:)`, for a row of a type of one's own and by a relationship
  /// that is not optional.
  @discardableResult
  public nonisolated(nonsending) func sync<
    Model: SyncUpdatableModel, Payload: SyncPayloadConvertible, Parent: PersistentModel
  >(
    item: Payload, as model: Model.Type, parent: Parent, relationship: ReferenceWritableKeyPath<Model, Parent>,
    relationshipOperations: SyncRelationshipOperations = .all, dryRun: Bool = false
  ) async throws -> SyncReport {
    try await sync(
      item: item.toSyncPayloadDictionary(), as: model, parent: parent, relationship: relationship,
      relationshipOperations: relationshipOperations, dryRun: dryRun)
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
    return try await sync(text: { .data(json) }, .json, at: path, terms)
  }

  /// As `sync(ndjson:as:parent:relationship:where:missing:relationshipOperations:dryRun:progress:)`, by a relationship that is not
  /// optional.
  @discardableResult
  public nonisolated(nonsending) func sync<Model: SyncUpdatableModel, Parent: PersistentModel>(
    ndjson: Data, as model: Model.Type, parent: Parent, relationship: ReferenceWritableKeyPath<Model, Parent>,
    where predicate: Predicate<Model>? = nil, missing: MissingRows = .delete,
    relationshipOperations: SyncRelationshipOperations = .all, dryRun: Bool = false,
    progress: SyncProgressHandler? = nil
  ) async throws -> SyncReport {
    var terms = try terms(
      model, where: predicate, missing: missing, operations: relationshipOperations, isDryRun: dryRun,
      progress: progress)
    try terms.setParent(parent, relationship)
    return try await sync(text: { .data(ndjson) }, .ndjson, at: "", terms)
  }

  /// As `sync(contentsOf:as:parent:relationship:format:at:where:missing:relationshipOperations:dryRun:progress:)`, by a
  /// relationship that is not optional.
  @discardableResult
  public nonisolated(nonsending) func sync<Model: SyncUpdatableModel, Parent: PersistentModel>(
    contentsOf file: URL, as model: Model.Type, parent: Parent, relationship: ReferenceWritableKeyPath<Model, Parent>,
    format: PayloadFormat = .json,
    at path: String = "", where predicate: Predicate<Model>? = nil, missing: MissingRows = .delete,
    relationshipOperations: SyncRelationshipOperations = .all, dryRun: Bool = false,
    progress: SyncProgressHandler? = nil
  ) async throws -> SyncReport {
    var terms = try terms(
      model, where: predicate, missing: missing, operations: relationshipOperations, isDryRun: dryRun,
      progress: progress)
    try terms.setParent(parent, relationship)
    return try await sync(text: { try .file(file) }, format, at: path, terms)
  }

  /// As `sync(chunks:as:parent:relationship:format:at:where:missing:relationshipOperations:dryRun:progress:)`, by a relationship
  /// that is not optional.
  @discardableResult
  public nonisolated(nonsending) func sync<Model: SyncUpdatableModel, Parent: PersistentModel, Chunks: AsyncSequence>(
    chunks: Chunks, as model: Model.Type, parent: Parent, relationship: ReferenceWritableKeyPath<Model, Parent>,
    format: PayloadFormat = .json,
    at path: String = "", where predicate: Predicate<Model>? = nil, missing: MissingRows = .delete,
    relationshipOperations: SyncRelationshipOperations = .all, dryRun: Bool = false,
    progress: SyncProgressHandler? = nil
  ) async throws -> SyncReport where Chunks.Element: Sequence<UInt8> {
    var terms = try terms(
      model, where: predicate, missing: missing, operations: relationshipOperations, isDryRun: dryRun,
      progress: progress)
    try terms.setParent(parent, relationship)
    let text = try await PayloadSpool.collect(chunks)
    return try await sync(text: { text }, format, at: path, terms)
  }
}
