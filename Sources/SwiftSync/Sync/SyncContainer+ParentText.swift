import Foundation
import SyncEngine

// Payloads that are text, in memory or in a file, of the rows of one parent.

extension SyncContainer {
  /// Syncs JSON text about the rows of a parent: an array lists all of them, an object is a single item. See
  /// `sync(payload:as:parent:relationship:where:missing:relationshipOperations:dryRun:progress:)`.
  ///
  /// - Parameters:
  ///   - json: UTF-8 text.
  ///   - model: the class of the rows.
  ///   - parent: a saved object, of whatever context.
  ///   - relationship: the to-one relationship by which the rows lead to it.
  ///   - path: where the rows are in an envelope, as in `data.items`: keys, and positions in arrays.
  ///   - predicate: limits deletion: only rows of which it is true are deleted when the payload does not list them.
  ///   - missing: what becomes of rows that the payload does not list.
  ///   - relationshipOperations: what may happen to links.
  ///   - dryRun: true to get the report and write nothing.
  ///   - progress: hears how far the sync has come.
  /// - Returns: what was done, and what could not be done as asked.
  /// - Throws: as for payloads of values; `SyncError.invalidPayload` also for malformed text, with the offset of the byte.
  @discardableResult
  public nonisolated(nonsending) func sync<Model: SyncUpdatableModel, Parent: PersistentModel>(
    json: Data, as model: Model.Type, parent: Parent, relationship: ReferenceWritableKeyPath<Model, Parent?>,
    at path: String = "",
    where predicate: Predicate<Model>? = nil, missing: MissingRows = .delete,
    relationshipOperations: SyncRelationshipOperations = .all, dryRun: Bool = false,
    progress: SyncProgressHandler? = nil
  ) async throws -> SyncReport {
    var terms = try terms(
      model, where: predicate, missing: missing, operations: relationshipOperations, isDryRun: dryRun,
      progress: progress)
    try terms.setParent(parent, relationship)
    return try await sync(text: { .data(json) }, .json, at: path, terms)
  }

  /// Syncs newline-delimited JSON: each line that is not blank is a row, and together they are all rows of the parent.
  ///
  /// - Parameters:
  ///   - ndjson: UTF-8 text.
  ///   - model: the class of the rows.
  ///   - parent: a saved object, of whatever context.
  ///   - relationship: the to-one relationship by which the rows lead to it.
  ///   - predicate: limits deletion: only rows of which it is true are deleted when the payload does not list them.
  ///   - missing: what becomes of rows that the payload does not list.
  ///   - relationshipOperations: what may happen to links.
  ///   - dryRun: true to get the report and write nothing.
  ///   - progress: hears how far the sync has come.
  /// - Returns: what was done, and what could not be done as asked.
  /// - Throws: as for payloads of values; `SyncError.invalidPayload` also for malformed text, with the line and the offset of the byte.
  @discardableResult
  public nonisolated(nonsending) func sync<Model: SyncUpdatableModel, Parent: PersistentModel>(
    ndjson: Data, as model: Model.Type, parent: Parent, relationship: ReferenceWritableKeyPath<Model, Parent?>,
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

  /// Syncs the text of a file, which is mapped into memory and not read as a whole.
  ///
  /// The file must not be changed meanwhile: what is cut off at its end cannot be read any more, and ends the process.
  ///
  /// - Parameters:
  ///   - file: the file, with UTF-8 text.
  ///   - model: the class of the rows.
  ///   - parent: a saved object, of whatever context.
  ///   - relationship: the to-one relationship by which the rows lead to it.
  ///   - format: what the text consists of.
  ///   - path: where the rows are in an envelope, as in `data.items`: keys, and positions in arrays.
  ///   - predicate: limits deletion: only rows of which it is true are deleted when the payload does not list them.
  ///   - missing: what becomes of rows that the payload does not list.
  ///   - relationshipOperations: what may happen to links.
  ///   - dryRun: true to get the report and write nothing.
  ///   - progress: hears how far the sync has come.
  /// - Returns: what was done, and what could not be done as asked.
  /// - Throws: as for payloads of values; `SyncError.invalidPayload` also for malformed text, with the offset of the byte.
  ///   What opening the file throws.
  @discardableResult
  public nonisolated(nonsending) func sync<Model: SyncUpdatableModel, Parent: PersistentModel>(
    contentsOf file: URL, as model: Model.Type, parent: Parent, relationship: ReferenceWritableKeyPath<Model, Parent?>,
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
}
