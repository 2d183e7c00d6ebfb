import Contexts
import Records
import SyncEngine

/// Single objects by their primary keys. What is unsaved in the context is found, and is saved together with the change.
extension ManagedObjectContext {
  /// Makes the object of a payload, or fills it if its primary key is stored, and saves the context, in one transaction.
  ///
  /// Nested objects are synced as they are in a sync with all operations: children that the object no longer lists are deleted.
  /// - Parameters:
  ///   - changes: The object, as `JSONSerialization` makes it. What it doesn't have is left as it is; null clears.
  ///   - entityName: The name of the object's entity.
  ///   - type: The object's class.
  /// - Returns: The object.
  /// - Throws: `EntitySyncError`, `SyncError` for a payload without a primary key, and what `save()` throws. Nothing has changed then.
  @discardableResult
  public func insertOrUpdate<Object: ManagedObject>(
    _ changes: [String: Any], inEntityNamed entityName: String, as type: Object.Type = Object.self
  ) throws -> Object {
    let request = EntitySyncRequest(entity: entityName, document: try PayloadDocument(changes), form: .item)
    let sync = try store().sync
    let row = try save { transaction, _ in try sync.run(request, in: transaction).itemRow }
    return try typed(storedObject(in: entityName, row))
  }

  /// Fills the object with a primary key from a payload, and saves the context, in one transaction. The payload may give it another key.
  ///
  /// - Parameters:
  ///   - id: The primary key, in its own type or another that it can be made of.
  ///   - changes: What becomes of the object. What it doesn't have is left as it is; null clears.
  ///   - entityName: The name of the object's entity.
  ///   - type: The object's class.
  /// - Returns: The object; nil if there is none with the key. Nothing is done then.
  /// - Throws: `EntitySyncError`, `SyncError`, `RecordError.uniqueConflict` for a new key that another object has, and what `fetch`
  ///   and `save()` throw. Nothing has changed then.
  @discardableResult
  public func update<Object: ManagedObject>(
    _ id: Any, with changes: [String: Any], inEntityNamed entityName: String, as type: Object.Type = Object.self
  ) throws -> Object? {
    guard let object = try fetch(id, inEntityNamed: entityName, as: type) else { return nil }
    let document = try PayloadDocument(changes)
    let position = unsaved.inserted.objects.firstIndex(of: object)
    let (name, storedRow, sync) = (object.entity.name, object.row, try store().sync)
    try save { transaction, rows in
      let row = position.map { rows[$0] } ?? storedRow
      let request = EntitySyncRequest(entity: name, document: document, form: .itemOf(row))
      _ = try sync.run(request, in: transaction)
    }
    return object
  }

  /// Deletes the object with a primary key, following its delete rules, and saves the context. Without such an object nothing is done.
  ///
  /// - Throws: What `fetch` and `save()` throw. Nothing has changed then, but the object is still to be deleted, until a rollback.
  public func delete(_ id: Any, inEntityNamed entityName: String) throws {
    guard let object: ManagedObject = try fetch(id, inEntityNamed: entityName) else { return }
    delete(object)
    try save()
  }

  private func storedObject(in entityName: String, _ row: RowNumber?) throws -> ManagedObject {
    guard let row, let table = try store().binding(entityName).table, let object = try object(row, in: table) else {
      // A payload that has no row is refused before it comes to this.
      throw EntitySyncError.noPrimaryKey(entity: entityName)
    }
    return object
  }
}
