import Foundation
import SyncEngine

// Payloads that are text and arrive in pieces.

extension SyncContainer {
  /// Syncs text while it arrives, such as a download, as one atomic sync when all of it is there.
  ///
  /// The chunks are kept in a temporary file that has no name and vanishes in any case. When the sequence throws or the task is
  /// cancelled, nothing is written to the store.
  ///
  /// - Parameters:
  ///   - chunks: the text in pieces of any size, such as `Data` or `[UInt8]`.
  ///   - model: the class of the rows.
  ///   - format: what the text consists of.
  ///   - path: where the rows are in an envelope.
  ///   - predicate: limits deletion: only rows of which it is true are deleted when the payload does not list them.
  ///   - missing: what becomes of rows that the payload does not list.
  ///   - relationshipOperations: what may happen to links.
  ///   - dryRun: true to get the report and write nothing.
  ///   - progress: hears how far the sync has come.
  /// - Returns: what was done, and what could not be done as asked.
  /// - Throws: what the sequence throws; `SyncError.temporaryFile`; otherwise as for text in memory.
  @discardableResult
  public nonisolated(nonsending) func sync<Model: SyncUpdatableModel, Chunks: AsyncSequence>(
    chunks: Chunks, as model: Model.Type, format: PayloadFormat = .json,
    at path: String = "", where predicate: Predicate<Model>? = nil, missing: MissingRows = .delete,
    relationshipOperations: SyncRelationshipOperations = .all, dryRun: Bool = false,
    progress: SyncProgressHandler? = nil
  ) async throws -> SyncReport where Chunks.Element: Sequence<UInt8> {
    let terms = try terms(
      model, where: predicate, missing: missing, operations: relationshipOperations, isDryRun: dryRun,
      progress: progress)
    let text = try await PayloadSpool.collect(chunks)
    return try await sync(text: { text }, format, at: path, terms)
  }

  /// Syncs text about the rows of a parent while it arrives, as one atomic sync when all of it is there. See the form without
  /// parent.
  ///
  /// - Parameters:
  ///   - chunks: the text in pieces of any size, such as `Data` or `[UInt8]`.
  ///   - model: the class of the rows.
  ///   - parent: a saved object, of whatever context.
  ///   - relationship: the to-one relationship by which the rows lead to it.
  ///   - format: what the text consists of.
  ///   - path: where the rows are in an envelope.
  ///   - predicate: limits deletion: only rows of which it is true are deleted when the payload does not list them.
  ///   - missing: what becomes of rows that the payload does not list.
  ///   - relationshipOperations: what may happen to links.
  ///   - dryRun: true to get the report and write nothing.
  ///   - progress: hears how far the sync has come.
  /// - Returns: what was done, and what could not be done as asked.
  /// - Throws: what the sequence throws; `SyncError.temporaryFile`; otherwise as for text in memory.
  @discardableResult
  public nonisolated(nonsending) func sync<Model: SyncUpdatableModel, Parent: PersistentModel, Chunks: AsyncSequence>(
    chunks: Chunks, as model: Model.Type, parent: Parent, relationship: ReferenceWritableKeyPath<Model, Parent?>,
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
