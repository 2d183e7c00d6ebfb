/// The calls of a stack and of contexts, with these as parameters.
extension Sync {
  /// Syncs a payload into a stack, as `DataStack.sync(_:inEntityNamed:predicate:operations:)` does.
  @discardableResult
  public nonisolated(nonsending) static func changes(
    _ changes: [[String: Any]], inEntityNamed entityName: String, predicate: ObjectPredicate? = nil,
    dataStack: DataStack, operations: OperationOptions = .all
  ) async throws -> SyncReport {
    try await dataStack.sync(changes, inEntityNamed: entityName, predicate: predicate, operations: operations)
  }

  /// Syncs the children of an object into a stack, as
  /// `DataStack.sync(_:inEntityNamed:predicate:parent:parentRelationship:operations:)` does.
  @discardableResult
  public nonisolated(nonsending) static func changes(
    _ changes: [[String: Any]], inEntityNamed entityName: String, predicate: ObjectPredicate? = nil,
    parent: ManagedObject, parentRelationship: String? = nil, dataStack: DataStack,
    operations: OperationOptions = .all
  ) async throws -> SyncReport {
    try await dataStack.sync(
      changes, inEntityNamed: entityName, predicate: predicate, parent: parent, parentRelationship: parentRelationship,
      operations: operations)
  }

  /// Saves a context, and syncs a payload in the same transaction, as
  /// `ManagedObjectContext.sync(_:inEntityNamed:predicate:parent:parentRelationship:operations:)` does.
  @discardableResult
  public static func changes(
    _ changes: [[String: Any]], inEntityNamed entityName: String, predicate: ObjectPredicate? = nil,
    parent: ManagedObject? = nil, parentRelationship: String? = nil, inContext context: ManagedObjectContext,
    operations: OperationOptions = .all
  ) throws -> SyncReport {
    try context.sync(
      changes, inEntityNamed: entityName, predicate: predicate, parent: parent, parentRelationship: parentRelationship,
      operations: operations)
  }

  /// The object of an entity with a primary key, as `ManagedObjectContext.fetch(_:inEntityNamed:as:)` finds it.
  public static func fetch<Object: ManagedObject>(
    _ id: Any, inEntityNamed entityName: String, using context: ManagedObjectContext
  ) throws -> Object? {
    try context.fetch(id, inEntityNamed: entityName)
  }

  /// Makes or fills an object, as `ManagedObjectContext.insertOrUpdate(_:inEntityNamed:as:)` does.
  @discardableResult
  public static func insertOrUpdate<Object: ManagedObject>(
    _ changes: [String: Any], inEntityNamed entityName: String, using context: ManagedObjectContext
  ) throws -> Object {
    try context.insertOrUpdate(changes, inEntityNamed: entityName)
  }

  /// Fills an object, as `ManagedObjectContext.update(_:with:inEntityNamed:as:)` does.
  @discardableResult
  public static func update<Object: ManagedObject>(
    _ id: Any, with changes: [String: Any], inEntityNamed entityName: String, using context: ManagedObjectContext
  ) throws -> Object? {
    try context.update(id, with: changes, inEntityNamed: entityName)
  }

  /// Deletes an object, as `ManagedObjectContext.delete(_:inEntityNamed:)` does.
  public static func delete(
    _ id: Any, inEntityNamed entityName: String, using context: ManagedObjectContext
  ) throws {
    try context.delete(id, inEntityNamed: entityName)
  }
}
