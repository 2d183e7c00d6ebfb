import Foundation
import Records
import SyncEngine

/// Syncs as part of a unit of work.
///
/// Each of these saves what is unsaved in the context and syncs the payload, in one transaction: both are committed, or neither,
/// and then the context keeps its edits. Where a payload speaks of a row with unsaved edits, the payload comes later and counts.
/// The context's `author` is the author of all of it. Like `save()`, the transaction has the calling actor wait for it; a
/// `SyncContainer` has not, and suits large payloads better.
extension ModelContext {
  /// Makes the rows of a model equal to a payload that lists all of them, as `SyncContainer` does.
  ///
  /// - Parameters:
  ///   - payload: the rows, each a `[String: Any]`.
  ///   - model: their class.
  ///   - keyStyle: how the backend writes its keys.
  ///   - relationshipOperations: what may happen to links.
  ///   - isolation: the actor that the context belongs to.
  /// - Returns: what the sync did, and what it could not do as asked.
  /// - Throws: what a sync by a `SyncContainer` and what `save()` throws. The store is then as it was.
  @discardableResult
  public func sync<Model: SyncUpdatableModel>(
    payload: [Any], as model: Model.Type, keyStyle: KeyStyle = .snakeCase,
    relationshipOperations: SyncRelationshipOperations = .all, isolation: isolated (any Actor)? = #isolation
  ) async throws -> SyncReport {
    let terms = try terms(model, keyStyle, relationshipOperations)
    return try await sync(payload, as: .collection, terms, nil, isolation)
  }

  /// Inserts or updates one row, and leaves all others alone. See
  /// `sync(payload:as:keyStyle:relationshipOperations:isolation:)`.
  @discardableResult
  public func sync<Model: SyncUpdatableModel>(
    item: [String: Any], as model: Model.Type, keyStyle: KeyStyle = .snakeCase,
    relationshipOperations: SyncRelationshipOperations = .all, isolation: isolated (any Actor)? = #isolation
  ) async throws -> SyncReport {
    let terms = try terms(model, keyStyle, relationshipOperations)
    return try await sync(item, as: .item, terms, nil, isolation)
  }

  /// Makes the rows of a parent equal to a payload that lists all of them.
  ///
  /// - Parameters:
  ///   - payload: the rows, each a `[String: Any]`.
  ///   - model: their class.
  ///   - parent: an object that is saved, or one that is new in this context and is saved with it.
  ///   - relationship: the to-one relationship by which the rows lead to it.
  ///   - keyStyle: how the backend writes its keys.
  ///   - relationshipOperations: what may happen to links.
  ///   - isolation: the actor that the context belongs to.
  /// - Returns: what the sync did, and what it could not do as asked.
  /// - Throws: as `sync(payload:as:keyStyle:relationshipOperations:isolation:)`, and `SyncError.invalidPayload` for a parent
  ///   that is not in the store and not new in this context.
  @discardableResult
  public func sync<Model: SyncUpdatableModel, Parent: PersistentModel>(
    payload: [Any], as model: Model.Type, parent: Parent, relationship: ReferenceWritableKeyPath<Model, Parent?>,
    keyStyle: KeyStyle = .snakeCase, relationshipOperations: SyncRelationshipOperations = .all,
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> SyncReport {
    var terms = try terms(model, keyStyle, relationshipOperations)
    let new = try setParent(parent, relationship, of: &terms)
    return try await sync(payload, as: .collection, terms, new, isolation)
  }

  /// Inserts or updates one row of a parent. See
  /// `sync(payload:as:parent:relationship:keyStyle:relationshipOperations:isolation:)`.
  @discardableResult
  public func sync<Model: SyncUpdatableModel, Parent: PersistentModel>(
    item: [String: Any], as model: Model.Type, parent: Parent, relationship: ReferenceWritableKeyPath<Model, Parent?>,
    keyStyle: KeyStyle = .snakeCase, relationshipOperations: SyncRelationshipOperations = .all,
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> SyncReport {
    var terms = try terms(model, keyStyle, relationshipOperations)
    let new = try setParent(parent, relationship, of: &terms)
    return try await sync(item, as: .item, terms, new, isolation)
  }

  /// As `sync(payload:as:parent:relationship:keyStyle:relationshipOperations:isolation:)`, by a relationship that is not optional.
  @discardableResult
  public func sync<Model: SyncUpdatableModel, Parent: PersistentModel>(
    payload: [Any], as model: Model.Type, parent: Parent, relationship: ReferenceWritableKeyPath<Model, Parent>,
    keyStyle: KeyStyle = .snakeCase, relationshipOperations: SyncRelationshipOperations = .all,
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> SyncReport {
    var terms = try terms(model, keyStyle, relationshipOperations)
    let new = try setParent(parent, relationship, of: &terms)
    return try await sync(payload, as: .collection, terms, new, isolation)
  }

  /// As `sync(item:as:parent:relationship:keyStyle:relationshipOperations:isolation:)`, by a relationship that is not optional.
  @discardableResult
  public func sync<Model: SyncUpdatableModel, Parent: PersistentModel>(
    item: [String: Any], as model: Model.Type, parent: Parent, relationship: ReferenceWritableKeyPath<Model, Parent>,
    keyStyle: KeyStyle = .snakeCase, relationshipOperations: SyncRelationshipOperations = .all,
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> SyncReport {
    var terms = try terms(model, keyStyle, relationshipOperations)
    let new = try setParent(parent, relationship, of: &terms)
    return try await sync(item, as: .item, terms, new, isolation)
  }

  /// Syncs JSON text: an array lists all rows of the model, an object is a single item.
  ///
  /// - Parameters:
  ///   - json: UTF-8 text.
  ///   - model: the class of the rows.
  ///   - path: where the rows are in an envelope, as in `data.items`.
  ///   - keyStyle: how the backend writes its keys.
  ///   - relationshipOperations: what may happen to links.
  ///   - isolation: the actor that the context belongs to.
  /// - Returns: what the sync did, and what it could not do as asked.
  /// - Throws: as `sync(payload:as:keyStyle:relationshipOperations:isolation:)`; malformed text with the offset of the byte.
  @discardableResult
  public func sync<Model: SyncUpdatableModel>(
    json: Data, as model: Model.Type, at path: String = "", keyStyle: KeyStyle = .snakeCase,
    relationshipOperations: SyncRelationshipOperations = .all, isolation: isolated (any Actor)? = #isolation
  ) async throws -> SyncReport {
    let terms = try terms(model, keyStyle, relationshipOperations)
    let path = PayloadPath(path)
    let document = try await terms.parseElsewhere(json, rowsAt: path)
    return try await sync(terms.request(document, as: .collectionOrItem, at: path), nil, isolation)
  }

  // MARK: Running

  /// A parent that gets its row by the save which the sync is part of.
  private struct NewParent {
    let object: any PersistentModel
    let relationship: String
  }

  private func terms(
    _ model: any SyncUpdatableModel.Type, _ keyStyle: KeyStyle, _ operations: SyncRelationshipOperations
  ) throws -> SyncTerms {
    SyncTerms(
      core: core, binding: try core.binding(of: model), convention: MappingConvention(keyStyle: keyStyle),
      operations: operations)
  }

  private func setParent(
    _ parent: some PersistentModel, _ relationship: AnyKeyPath, of terms: inout SyncTerms
  ) throws -> NewParent? {
    guard parent._$backing.state == .inserted, parent._$backing.graph === graph else {
      try terms.setParent(parent, relationship)
      return nil
    }
    return NewParent(object: parent, relationship: try terms.name(of: relationship))
  }

  private func sync(
    _ values: Any, as form: SyncRequest.Form, _ terms: SyncTerms, _ newParent: NewParent? = nil,
    _ isolation: isolated (any Actor)?
  ) async throws -> SyncReport {
    let document = try terms.parse { () throws(PayloadError) in try PayloadDocument(values) }
    return try await sync(terms.request(document, as: form, at: PayloadPath()), newParent, isolation)
  }

  private func sync(
    _ request: SyncRequest, _ newParent: NewParent?, _ isolation: isolated (any Actor)?
  ) async throws -> SyncReport {
    if let model = core.modelsSyncedByObjects[request.entity] {
      return try await syncObjects(request, newParent, of: model, isolation)
    }
    let cancellation = Cancellation()
    let report = try await core.syncGate.entering(.shared, syncing: request.entity) {
      // Without a suspension: nobody edits the context between the plan of the save and its end.
      try await withTaskCancellationHandler {
        try save { try work(request, newParent, cancellation) }
      } onCancel: {
        cancellation.cancel()
      }
    }
    await core.refreshMainContext()
    return report
  }

  /// The same for models with code of their own, which may suspend.
  private func syncObjects<Model: SyncUpdatableModel>(
    _ request: SyncRequest, _ newParent: NewParent?, of model: Model.Type, _ isolation: isolated (any Actor)?
  ) async throws -> SyncReport {
    let report = try await core.syncGate.entering(.exclusive, syncing: request.entity) {
      var objects = try ObjectSyncRequest(request, of: Model.modelTable, in: core)
      if let newParent {
        objects.parent = Model.modelTable.properties.first { $0.name == newParent.relationship }.map {
          ObjectSyncRequest.Parent(relationship: $0, identifier: newParent.object.persistentModelID)
        }
      }
      return try await ObjectSync(objects, of: model, in: self).run()
    }
    await core.refreshMainContext()
    return report
  }

  private func work(
    _ request: SyncRequest, _ newParent: NewParent?, _ cancellation: Cancellation
  ) throws -> FurtherWork<SyncReport> {
    let plans = core.plans
    guard let newParent else {
      return { transaction, _ in try request.run(in: transaction, plans: plans) { cancellation.isCancelled } }
    }
    guard let position = unsaved.inserted.objects.firstIndex(where: { $0 === newParent.object }) else {
      throw SyncError.invalidPayload(
        model: request.entity, reason: "the parent must be resolved in the context used for the sync")
    }
    return { [relationship = newParent.relationship] transaction, rows in
      var request = request
      request.scope.parent = SyncScope.Parent(relationship: relationship, row: rows[position])
      return try request.run(in: transaction, plans: plans) { cancellation.isCancelled }
    }
  }
}
