import Foundation
import SyncEngine

// Payloads that are text, in memory or in a file.

extension SyncContainer {
  /// Syncs JSON text as a backend sends it: an array lists all rows of the model, an object is a single item.
  ///
  /// This is the fastest way in: nothing is made of the text but records. It is parsed off the caller's actor.
  ///
  /// - Parameters:
  ///   - json: UTF-8 text.
  ///   - model: the class of the rows.
  ///   - path: where the rows are in an envelope, as in `data.items`: keys, and positions in arrays.
  ///   - predicate: limits deletion: only rows of which it is true are deleted when the payload does not list them.
  ///   - missing: what becomes of rows that the payload does not list.
  ///   - relationshipOperations: what may happen to links.
  ///   - dryRun: true to get the report and write nothing.
  ///   - progress: hears how far the sync has come.
  /// - Returns: what was done, and what could not be done as asked.
  /// - Throws: as for payloads of values; `SyncError.invalidPayload` also for malformed text, with the offset of the byte.
  @discardableResult
  public nonisolated(nonsending) func sync<Model: SyncUpdatableModel>(
    json: Data, as model: Model.Type, at path: String = "",
    where predicate: Predicate<Model>? = nil, missing: MissingRows = .delete,
    relationshipOperations: SyncRelationshipOperations = .all, dryRun: Bool = false,
    progress: SyncProgressHandler? = nil
  ) async throws -> SyncReport {
    let terms = try terms(
      model, where: predicate, missing: missing, operations: relationshipOperations, isDryRun: dryRun,
      progress: progress)
    return try await sync(text: { .data(json) }, .json, at: path, terms)
  }

  /// Syncs newline-delimited JSON: each line that is not blank is a row, and together they are all rows of the model.
  ///
  /// - Parameters:
  ///   - ndjson: UTF-8 text.
  ///   - model: the class of the rows.
  ///   - predicate: limits deletion: only rows of which it is true are deleted when the payload does not list them.
  ///   - missing: what becomes of rows that the payload does not list.
  ///   - relationshipOperations: what may happen to links.
  ///   - dryRun: true to get the report and write nothing.
  ///   - progress: hears how far the sync has come.
  /// - Returns: what was done, and what could not be done as asked.
  /// - Throws: as for payloads of values; `SyncError.invalidPayload` also for malformed text, with the line and the offset of the byte.
  @discardableResult
  public nonisolated(nonsending) func sync<Model: SyncUpdatableModel>(
    ndjson: Data, as model: Model.Type, where predicate: Predicate<Model>? = nil, missing: MissingRows = .delete,
    relationshipOperations: SyncRelationshipOperations = .all, dryRun: Bool = false,
    progress: SyncProgressHandler? = nil
  ) async throws -> SyncReport {
    let terms = try terms(
      model, where: predicate, missing: missing, operations: relationshipOperations, isDryRun: dryRun,
      progress: progress)
    return try await sync(text: { .data(ndjson) }, .ndjson, at: "", terms)
  }

  /// Syncs the text of a file, which is mapped into memory and not read as a whole.
  ///
  /// Only some of its text is in memory at a time, if it is an array or lines of plain rows: see docs/sync.md.
  ///
  /// The file must not be changed meanwhile: what is cut off at its end cannot be read any more, and ends the process.
  ///
  /// - Parameters:
  ///   - file: the file, with UTF-8 text.
  ///   - model: the class of the rows.
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
  public nonisolated(nonsending) func sync<Model: SyncUpdatableModel>(
    contentsOf file: URL, as model: Model.Type, format: PayloadFormat = .json,
    at path: String = "", where predicate: Predicate<Model>? = nil, missing: MissingRows = .delete,
    relationshipOperations: SyncRelationshipOperations = .all, dryRun: Bool = false,
    progress: SyncProgressHandler? = nil
  ) async throws -> SyncReport {
    let terms = try terms(
      model, where: predicate, missing: missing, operations: relationshipOperations, isDryRun: dryRun,
      progress: progress)
    return try await sync(text: { try .file(file) }, format, at: path, terms)
  }
}
