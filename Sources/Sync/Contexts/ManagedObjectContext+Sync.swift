import Contexts
import Foundation
import Records
import SyncEngine

/// Syncs in a context: on the caller's thread, together with what is unsaved in the context.
extension ManagedObjectContext {
  /// Saves the context, and syncs a payload in the same transaction.
  ///
  /// - Parameters:
  ///   - changes: The payload, as `JSONSerialization` makes it.
  ///   - entityName: The name of the objects' entity.
  ///   - predicate: Which stored objects may be deleted; nil for all.
  ///   - parent: The object whose children they are; nil if they are nobody's. It may be one that is unsaved in this context.
  ///   - parentRelationship: The name of the children's relationship that leads to it. Nil if there is only one.
  ///   - operations: What may be done.
  /// - Returns: What was done, and what could not be done as asked.
  /// - Throws: What `save()` and `DataStack.sync` throw. Nothing has changed then.
  @discardableResult
  public func sync(
    _ changes: [[String: Any]], inEntityNamed entityName: String, predicate: ObjectPredicate? = nil,
    parent: ManagedObject? = nil, parentRelationship: String? = nil, operations: Sync.OperationOptions = .all
  ) throws -> SyncReport {
    try sync(
      PayloadDocument(changes), .collection, inEntityNamed: entityName, predicate: predicate, parent: parent,
      parentRelationship: parentRelationship, operations: operations)
  }

  /// Saves the context, and syncs a payload that is JSON text in the same transaction: an array of objects, or one object, which says
  /// nothing about others.
  ///
  /// - Parameters:
  ///   - json: The payload's text.
  ///   - entityName: The name of the objects' entity.
  ///   - predicate: Which stored objects may be deleted; nil for all.
  ///   - parent: The object whose children they are; nil if they are nobody's. It may be one that is unsaved in this context.
  ///   - parentRelationship: The name of the children's relationship that leads to it. Nil if there is only one.
  ///   - operations: What may be done.
  /// - Returns: What was done, and what could not be done as asked.
  /// - Throws: As above.
  @discardableResult
  public func sync(
    json: Data, inEntityNamed entityName: String, predicate: ObjectPredicate? = nil, parent: ManagedObject? = nil,
    parentRelationship: String? = nil, operations: Sync.OperationOptions = .all
  ) throws -> SyncReport {
    try sync(
      PayloadDocument(json: json), .collectionOrItem, inEntityNamed: entityName, predicate: predicate, parent: parent,
      parentRelationship: parentRelationship, operations: operations)
  }

  private func sync(
    _ document: PayloadDocument, _ form: EntitySyncRequest.Form, inEntityNamed entityName: String,
    predicate: ObjectPredicate?, parent: ManagedObject?, parentRelationship: String?,
    operations: Sync.OperationOptions
  ) throws -> SyncReport {
    let request = EntitySyncRequest(
      entity: entityName, document: document, form: form, predicate: predicate, parent: parent?.objectID,
      parentRelationship: parentRelationship, operations: operations)
    let position = parent.flatMap { unsaved.inserted.objects.firstIndex(of: $0) }
    let sync = try store().sync
    return try save { transaction, rows in
      var request = request
      if let position, let name = request.parent?.entityName {
        request.parent = ManagedObjectID(entityName: name, row: rows[position], store: request.parent?.store)
      }
      return try sync.run(request, in: transaction)
    }
  }
}
