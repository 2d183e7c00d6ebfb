/// Single objects by their primary keys, in the main context.
extension DataStack {
  /// The object of an entity with a primary key; nil if there is none. Unsaved objects of the main context are found too.
  ///
  /// - Parameters:
  ///   - id: The primary key, in its own type or another that it can be made of.
  ///   - entityName: The name of the object's entity.
  /// - Returns: The object.
  /// - Throws: `ManagedObjectError.unknownEntity`, `.missingPrimaryKey`, `.wrongClass`, and what opening and reading the store throw.
  @MainActor public func fetch<Object: ManagedObject>(
    _ id: Any, inEntityNamed entityName: String
  ) throws -> Object? {
    try mainContext.fetch(id, inEntityNamed: entityName)
  }

  /// Makes the object of a payload, or fills it if its primary key is stored, and saves the main context.
  ///
  /// `ManagedObjectContext.insertOrUpdate(_:inEntityNamed:as:)` has the details.
  @MainActor @discardableResult public func insertOrUpdate<Object: ManagedObject>(
    _ changes: [String: Any], inEntityNamed entityName: String
  ) throws -> Object {
    try mainContext.insertOrUpdate(changes, inEntityNamed: entityName)
  }

  /// Fills the object with a primary key from a payload, and saves the main context. Nil, and nothing is done, if there is none.
  ///
  /// `ManagedObjectContext.update(_:with:inEntityNamed:as:)` has the details.
  @MainActor @discardableResult public func update<Object: ManagedObject>(
    _ id: Any, with changes: [String: Any], inEntityNamed entityName: String
  ) throws -> Object? {
    try mainContext.update(id, with: changes, inEntityNamed: entityName)
  }

  /// Deletes the object with a primary key, and saves the main context.
  ///
  /// `ManagedObjectContext.delete(_:inEntityNamed:)` has the details.
  @MainActor public func delete(_ id: Any, inEntityNamed entityName: String) throws {
    try mainContext.delete(id, inEntityNamed: entityName)
  }
}
