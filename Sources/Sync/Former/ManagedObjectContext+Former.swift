/// Look-ups that a sync did for itself, and let others do.
extension ManagedObjectContext {
  /// The object of an entity with a primary key, or, without a key, the one that a relationship of another object leads to.
  ///
  /// - Parameters:
  ///   - entityName: The name of the object's entity.
  ///   - localPrimaryKey: The key; nil for none.
  ///   - parent: The other object.
  ///   - parentRelationshipName: The name of its to-one relationship.
  /// - Returns: The object; nil if there is none.
  /// - Throws: What `fetch(_:inEntityNamed:as:)` throws; `ManagedObjectError` for a relationship that the parent doesn't have.
  @available(*, deprecated, message: "Use fetch(_:inEntityNamed:), or the relationship of the parent.")
  public func safeObject(
    _ entityName: String, localPrimaryKey: Any?, parent: ManagedObject?, parentRelationshipName: String?
  ) throws -> ManagedObject? {
    if let localPrimaryKey { return try fetch(localPrimaryKey, inEntityNamed: entityName) }
    guard let parent, let parentRelationshipName else { return nil }
    return try parent.object(parentRelationshipName)
  }

  /// The identifiers of an entity's objects, by the values of one of their attributes. Objects without a value are left out, and of
  /// several with one value one is named.
  ///
  /// - Parameters:
  ///   - entityName: The name of the objects' entity.
  ///   - attributeName: The name of the attribute.
  ///   - predicate: Which objects; nil for all.
  /// - Returns: The identifiers by values.
  /// - Throws: `ManagedObjectError.unknownProperty`, and what a fetch throws.
  @available(*, deprecated, message: "Use fetch(_:).")
  public func managedObjectIDs(
    in entityName: String, usingAsKey attributeName: String, predicate: ObjectPredicate? = nil
  ) throws -> [AnyHashable: ManagedObjectID] {
    guard try store().binding(entityName).entity.attribute(named: attributeName) != nil else {
      throw ManagedObjectError.unknownProperty(entity: entityName, property: attributeName)
    }
    var identifiers: [AnyHashable: ManagedObjectID] = [:]
    for object in try fetch(FetchRequest(entityName: entityName, predicate: predicate)) as [ManagedObject] {
      if let key = object[attributeName] as? AnyHashable { identifiers[key] = object.objectID }
    }
    return identifiers
  }
}
