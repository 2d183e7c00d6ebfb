import Foundation
import SyncEngine

/// Bringing stored objects to what a server says.
///
/// A sync is one transaction: it does everything or, when it throws or its task is cancelled, nothing. Syncs of a store come one after
/// another. Contexts take in what a sync has changed like any other commit; it doesn't touch their unsaved edits, and
/// doesn't see them.
extension DataStack {
  /// Syncs a payload: objects that it has and the store hasn't are inserted, those that both have are updated, and those that only the
  /// store has are deleted.
  ///
  /// - Parameters:
  ///   - changes: The payload, as `JSONSerialization` makes it.
  ///   - entityName: The name of the objects' entity.
  ///   - predicate: Which stored objects may be deleted; nil for all. In an entity whose objects are a tree, nil stands for the
  ///     topmost ones.
  ///   - operations: What may be done.
  /// - Returns: What was done, and what could not be done as asked.
  /// - Throws: `EntitySyncError`, `SyncError`, `ObjectPredicateError`, `ValidationError`, `RecordError`, `StoreError`. Nothing has
  ///   changed then.
  @discardableResult
  public nonisolated(nonsending) func sync(
    _ changes: [[String: Any]], inEntityNamed entityName: String, predicate: ObjectPredicate? = nil,
    operations: Sync.OperationOptions = .all
  ) async throws -> SyncReport {
    try await run(
      EntitySyncRequest(
        entity: entityName, document: PayloadDocument(changes), predicate: predicate, operations: operations))
  }

  /// Syncs the children of an object: those that the payload doesn't list are deleted, and those of others are left alone.
  ///
  /// - Parameters:
  ///   - changes: The payload.
  ///   - entityName: The name of the children's entity.
  ///   - predicate: Which of the object's children may be deleted; nil for all.
  ///   - parent: The object, which must be saved. It may be one of any context.
  ///   - parentRelationship: The name of the children's relationship that leads to it. Nil if there is only one.
  ///   - operations: What may be done.
  /// - Returns: What was done, and what could not be done as asked.
  /// - Throws: As above.
  @discardableResult
  public nonisolated(nonsending) func sync(
    _ changes: [[String: Any]], inEntityNamed entityName: String, predicate: ObjectPredicate? = nil,
    parent: ManagedObject, parentRelationship: String? = nil, operations: Sync.OperationOptions = .all
  ) async throws -> SyncReport {
    try await run(
      EntitySyncRequest(
        entity: entityName, document: PayloadDocument(changes), predicate: predicate, parent: parent.objectID,
        parentRelationship: parentRelationship, operations: operations))
  }

  /// Syncs a payload that is JSON text: an array of objects, or one object, which says nothing about others.
  ///
  /// A large text is read in pieces, so it need not fit into memory twice.
  /// - Parameters:
  ///   - json: The payload's text.
  ///   - entityName: The name of the objects' entity.
  ///   - predicate: Which stored objects may be deleted; nil for all.
  ///   - parent: The object whose children they are; nil if they are nobody's.
  ///   - parentRelationship: The name of the children's relationship that leads to it. Nil if there is only one.
  ///   - operations: What may be done.
  ///   - dryRun: Whether nothing is to be done, so that the report says what would be.
  /// - Returns: What was done, and what could not be done as asked.
  /// - Throws: As above.
  @discardableResult
  public func sync(
    json: Data, inEntityNamed entityName: String, predicate: ObjectPredicate? = nil, parent: ManagedObjectID? = nil,
    parentRelationship: String? = nil, operations: Sync.OperationOptions = .all, dryRun: Bool = false
  ) async throws -> SyncReport {
    try await run(
      EntitySyncRequest(
        entity: entityName, document: PayloadDocument(json: json), form: .collectionOrItem, predicate: predicate,
        parent: parent, parentRelationship: parentRelationship, operations: operations, isDryRun: dryRun))
  }

  private nonisolated(nonsending) func run(
    _ request: @autoclosure () throws -> EntitySyncRequest
  ) async throws -> SyncReport {
    try await source.open().run(try request())
  }

  func run(_ request: EntitySyncRequest) async throws -> SyncReport { try await source.open().run(request) }
}

extension ObjectStore {
  /// Syncs a payload in a transaction of its own.
  func run(_ request: EntitySyncRequest) async throws -> SyncReport {
    do {
      return try await sync.run(request, in: records, author: nil)
    } catch let error as RecordError {
      throw error.inTermsOfModel
    }
  }
}
