import SyncEngine

/// Applying relationships of a mapped model by hand, by the rules of a sync.
extension SyncMappedModel {
  /// Takes over the relationships that the payload has, by their keys and shapes, as far as the operations allow.
  ///
  /// Objects that the payload nests are made and changed, with the relationships that they have themselves; those of hand-written
  /// models have to wait for a sync, because applying them may suspend. Objects that are linked to are looked for in the context.
  ///
  /// - Returns: whether anything is different now.
  /// - Throws: `SyncError.invalidPayload` for a nested object that cannot be made or read, and what finding objects throws.
  @discardableResult
  public func syncApplyGeneratedRelationships(
    _ payload: SyncPayload, in context: ModelContext, operations: SyncRelationshipOperations = .all
  ) throws -> Bool {
    try LinkApplication(payload, in: context, operations: operations).run { try $0.applyAll(to: self) }
  }

  /// `syncApplyGeneratedRelationships` with all operations.
  public func applyRelationships(
    _ payload: SyncPayload, in context: ModelContext, isolation: isolated (any Actor)? = #isolation
  ) async throws -> Bool {
    try syncApplyGeneratedRelationships(payload, in: context)
  }
}
