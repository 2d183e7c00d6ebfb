import Records
import SyncEngine

/// One sync of an entity of a model.
package struct EntitySyncRequest: Sendable {
  /// What the payload is.
  package enum Form: Sendable, Equatable {
    /// An array of objects: all of the scope.
    case collection
    /// One object, which says nothing about others.
    case item
    /// One object, which is the object of a row whatever its key is. It gets the key that the payload has, if there is one.
    case itemOf(RowNumber)
    /// An array is a collection, an object an item.
    case collectionOrItem
  }

  /// The name of the entity.
  package var entity: String
  package var document: PayloadDocument
  package var form: Form
  /// Where in the document the objects are.
  package var path: PayloadPath
  /// Which stored objects are deleted when a collection doesn't list them; nil for all.
  package var predicate: ObjectPredicate?
  /// The object that all objects of the payload belong to.
  package var parent: ManagedObjectID?
  /// The name of the relationship by which they do. Nil if there is only one.
  package var parentRelationship: String?
  package var operations: Sync.OperationOptions
  package var isDryRun: Bool
  package var hooks: SyncHooks

  package init(
    entity: String, document: PayloadDocument, form: Form = .collection, at path: PayloadPath = PayloadPath(),
    predicate: ObjectPredicate? = nil, parent: ManagedObjectID? = nil, parentRelationship: String? = nil,
    operations: Sync.OperationOptions = .all, isDryRun: Bool = false, hooks: SyncHooks = SyncHooks()
  ) {
    self.entity = entity
    self.document = document
    self.form = form
    self.path = path
    self.predicate = predicate
    self.parent = parent
    self.parentRelationship = parentRelationship
    self.operations = operations
    self.isDryRun = isDryRun
    self.hooks = hooks
  }
}
