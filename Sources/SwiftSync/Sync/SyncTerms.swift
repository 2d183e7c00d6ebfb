import Foundation
import Records
import SyncEngine

/// What a call of `sync` asks for, beside its payload.
struct SyncTerms: Sendable {
  let core: ContainerCore
  let binding: ModelBinding
  let convention: MappingConvention
  var scope = SyncScope()
  var missing = MissingRows.delete
  var operations: SyncRelationshipOperations
  var conflicts = SyncConflictPolicy.localWins
  var isDryRun = false
  var hooks = SyncHooks()

  var model: String { binding.table.name }

  /// Limits the sync to the rows that a relationship leads from to an object.
  ///
  /// - Throws: `SyncError.invalidPayload` for an object that has no row in the store, or a key path that is no relationship.
  mutating func setParent(_ parent: some PersistentModel, _ relationship: AnyKeyPath) throws {
    let name = try name(of: relationship)
    let backing = parent._$backing
    guard let row = backing.storedRow, backing.state != .gone, backing.graph?.core === core else {
      throw SyncError.invalidPayload(
        model: model,
        reason:
          "the parent must be resolved in the context used for the sync: \(type(of: parent).modelTable.name) is not saved in this store"
      )
    }
    scope.parent = SyncScope.Parent(relationship: name, row: row)
  }

  /// The name of one of the model's relationships.
  ///
  /// - Throws: `SyncError.invalidPayload` for a key path that is none.
  func name(of relationship: AnyKeyPath) throws -> String {
    guard let property = binding.table.property(at: relationship), property.relationship != nil else {
      throw SyncError.invalidPayload(model: model, reason: "\(relationship) is no stored relationship")
    }
    return property.name
  }

  /// Limits deletion to the rows of which a predicate is true.
  ///
  /// - Throws: `SyncError.unsupportedPredicate`.
  mutating func setCondition<Model: PersistentModel>(_ predicate: Predicate<Model>) throws {
    let compiled = try CompiledPredicate(
      predicate, binding, on: .context(ModelContext(core: core)), .none)
    guard compiled.isExact else {
      throw SyncError.unsupportedPredicate(model: model, parts: compiled.evaluatedParts)
    }
    scope.condition = compiled.condition
  }

  /// The request for a payload.
  func request(_ document: PayloadDocument, as form: SyncRequest.Form, at path: PayloadPath) -> SyncRequest {
    SyncRequest(
      entity: model, document: document, form: form, at: path, scope: scope, missing: missing, convention: convention,
      operations: operations, conflicts: conflicts, isDryRun: isDryRun, hooks: hooks)
  }

  /// Parses text off the caller's actor, because that takes time.
  @concurrent func parseElsewhere(_ json: Data, rowsAt path: PayloadPath) async throws -> PayloadDocument {
    try parse { () throws(PayloadError) in try PayloadDocument(json: json, rowsAt: path) }
  }

  /// Parses a payload.
  ///
  /// - Throws: `SyncError.invalidPayload` with what is wrong with it, `SyncError.cancelled`.
  func parse(_ make: () throws(PayloadError) -> PayloadDocument) throws(SyncError) -> PayloadDocument {
    if Task.isCancelled { throw .cancelled }
    do {
      return try hooks.measure(.parse, make)
    } catch {
      throw .invalidPayload(model: model, reason: "\(error)")
    }
  }
}
