import KeyValueStore
import Records
import SyncEngine

/// Syncs payloads into a store by the rules of a model. One for each store.
package final class EntitySync: Sendable {
  private let model: ManagedObjectModel
  private let store: StoreIdentifier?
  private let unreadableValues: UnreadableValuePolicy
  private let plans: MappingPlans
  private let check: ObjectCheck

  /// - Parameters:
  ///   - model: The model of the store.
  ///   - store: The store, which objects in requests have to be of; nil if that is not known.
  ///   - unreadableValues: What becomes of values that can't be stored.
  package init(
    _ model: ManagedObjectModel, of store: StoreIdentifier? = nil, unreadableValues: UnreadableValuePolicy = .keep
  ) {
    self.model = model
    self.store = store
    self.unreadableValues = unreadableValues
    plans = MappingPlans(rules: ModelMapping(model: model))
    check = ObjectCheck(model)
  }

  /// Syncs a payload in a transaction.
  ///
  /// - Parameters:
  ///   - request: The sync.
  ///   - transaction: Where it is written. If this throws, it must not be committed.
  ///   - isCancelled: Asked between objects.
  /// - Returns: What was done, by the names of the model.
  /// - Throws: `EntitySyncError`, `ObjectPredicateError`, `SyncError`, `ValidationError`, and what the transaction throws.
  package func run(
    _ request: EntitySyncRequest, in transaction: RecordTransaction, isCancelled: () -> Bool = { false }
  ) throws -> SyncReport {
    try self.request(request, in: transaction.catalog)
      .run(in: transaction, plans: plans, isCancelled: isCancelled)
  }

  /// Syncs a payload in a transaction of its own, and suspends until it is committed.
  ///
  /// - Parameters:
  ///   - request: The sync.
  ///   - store: Where it is written. When this throws, it is as it was.
  ///   - author: Whom the history names.
  /// - Returns: What was done, by the names of the model.
  /// - Throws: As `run(_:in:isCancelled:)`, and what a commit throws.
  package func run(_ request: EntitySyncRequest, in store: RecordStore, author: String?) async throws -> SyncReport {
    try await self.request(request, in: store.catalog)
      .run(in: store, author: author, plans: plans)
  }

  /// Reads what an object says about the attributes of an entity, without a sync.
  ///
  /// - Returns: The values by the names of the model, as they would be stored.
  /// - Throws: `EntitySyncError.unknownEntity`; `SyncError.invalidPayload` for what is no object.
  package func attributes(
    of document: PayloadDocument, as entity: String, in catalog: Catalog
  ) throws -> ReadAttributes {
    guard model.entity(named: entity) != nil else { throw EntitySyncError.unknownEntity(entity) }
    guard let attributes = plans.readAttributes(of: document, as: entity, in: catalog) else {
      throw SyncError.invalidPayload(model: entity, reason: "Expected a dictionary")
    }
    return attributes
  }

  private func request(_ request: EntitySyncRequest, in catalog: Catalog) throws -> SyncRequest {
    guard let entity = model.entity(named: request.entity) else { throw EntitySyncError.unknownEntity(request.entity) }
    guard entity.primaryKeyAttribute != nil else { throw EntitySyncError.noPrimaryKey(entity: entity.name) }
    let tables = model.storage.tables[entity.name] ?? []
    guard let stored = tables.first, tables.count == 1, let table = catalog.entity(named: stored.table) else {
      throw EntitySyncError.abstractEntity(entity.name)
    }
    return SyncRequest(
      entity: entity.name, document: request.document, form: request.engineForm, at: request.path,
      scope: try scope(of: request, entity, stored, table, catalog),
      missing: request.operations.contains(.delete) ? .delete : .keep,
      convention: MappingConvention(unreadableValues: unreadableValues), rules: request.operations.rules,
      isDryRun: request.isDryRun, hooks: request.hooks, check: check.check)
  }

  private func scope(
    of request: EntitySyncRequest, _ entity: EntityDescription, _ stored: StoredEntity, _ table: Entity,
    _ catalog: Catalog
  ) throws -> SyncScope {
    var scope = SyncScope()
    if case .itemOf(let row) = request.form { scope.row = row }
    if let parent = request.parent {
      if let store, !parent.isOf(store) {
        throw EntitySyncError.foreignParent(entity: entity.name, parent: parent.entityName)
      }
      if parent.isTemporaryID { throw EntitySyncError.unsavedParent(entity: entity.name, parent: parent.entityName) }
      let relationship = try entity.relationship(
        toParent: parent.entityName, named: request.parentRelationship, in: model)
      scope.parent = SyncScope.Parent(
        relationship: stored.name(of: relationship.name), row: parent.row,
        isOrdered: model.inverse(of: relationship)?.isOrdered == true)
    }
    let conditions = try PredicateCompiler.conditions(
      request.predicate, of: entity.name, in: model, catalog, store: store)
    var parts = conditions.map(\.condition)
    if request.parent == nil, request.predicate == nil, let tree = entity.treeParent,
      let relationship = table.relationship(named: stored.name(of: tree.name))
    {
      // A list that nests objects has only the topmost ones at its top, and one that doesn't is not for deleting the others.
      parts.append(.not(.destination(relationship, .always)))
    }
    parts.removeAll { if case .always = $0 { true } else { false } }
    scope.condition = parts.isEmpty ? .always : .all(parts)
    return scope
  }
}

extension EntitySyncRequest {
  fileprivate var engineForm: SyncRequest.Form {
    switch form {
    case .collection: .collection
    case .item, .itemOf: .item
    case .collectionOrItem: .collectionOrItem
    }
  }
}

extension EntityDescription {
  /// The relationship by which objects of the entity are a tree: the first that leads from one of them to one other.
  fileprivate var treeParent: RelationshipDescription? {
    relationships.first { !$0.isToMany && $0.destination == name }
  }

  /// The relationship that leads to a parent.
  fileprivate func relationship(
    toParent parent: String, named relationship: String?, in model: ManagedObjectModel
  ) throws(EntitySyncError) -> RelationshipDescription {
    guard let parentEntity = model.entity(named: parent) else { throw .unknownEntity(parent) }
    let candidates = relationships.filter { !$0.isToMany && parentEntity.isKind(of: $0.destination) }
    if let name = relationship {
      guard let found = candidates.first(where: { $0.name == name }) else {
        throw .unsuitableParentRelationship(entity: self.name, relationship: name, parent: parent)
      }
      return found
    }
    guard let first = candidates.first else { throw .noParentRelationship(entity: name, parent: parent) }
    if candidates.count > 1 {
      throw .ambiguousParentRelationship(entity: name, parent: parent, candidates: candidates.map(\.name))
    }
    return first
  }
}
