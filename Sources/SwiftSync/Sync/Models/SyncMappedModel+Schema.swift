import Foundation

/// What a mapped model says of itself, read off its table.
extension SyncMappedModel {
  /// The key of the identity that an annotation gives or its name is, and the usual names behind it.
  public static var syncIdentityRemoteKeys: [String] {
    let usual = ["id", "remote_id", "remoteID"]
    guard let identity = modelTable.identity else { return usual }
    let explicitKey = modelTable.explicitIdentityKey
    if explicitKey == nil, usual.contains(identity.name) { return usual }
    let own = explicitKey ?? identity.name
    return [own] + usual.filter { $0 != own }
  }

  /// The classes at the far ends of the relationships, each once, in the order of declaration.
  public static var syncDefaultRefreshModelTypes: [any PersistentModel.Type] {
    var seen: Set<ObjectIdentifier> = []
    return modelTable.properties.compactMap { $0.relationship?.destination() }
      .filter { seen.insert(ObjectIdentifier($0)).inserted }
  }

  /// The class at the far end of a relationship; nil for anything else.
  public static func syncRelatedModelType(for keyPath: PartialKeyPath<Self>) -> (any PersistentModel.Type)? {
    modelTable.property(at: keyPath)?.relationship?.destination()
  }

  /// The relationships of the class.
  public static var syncRelationshipSchemaDescriptors: [SyncRelationshipSchemaDescriptor] {
    modelTable.properties.compactMap { property in
      property.relationship.map { relationship in
        SyncRelationshipSchemaDescriptor(
          propertyName: property.name, relatedTypeName: String(reflecting: relationship.destination()),
          isToMany: relationship.isToMany, hasExplicitInverseAnchor: relationship.inverse != nil)
      }
    }
  }

  /// True of the object with the identity. Answered by an index.
  public static func syncIdentityPredicate(matching identity: SyncID) -> Predicate<Self>? {
    ModelPredicates.identity(of: Self.self, equals: identity)
  }

  /// True of the objects with one of the identities. Answered by an index.
  public static func syncIdentityPredicate(matchingAny identities: [SyncID]) -> Predicate<Self>? {
    ModelPredicates.identity(of: Self.self, isAmong: identities)
  }

  /// True of the objects whose to-one relationship leads to the parent; nil for what is no such relationship.
  public static func syncParentPredicate(
    parentPersistentID: PersistentIdentifier, relationship: PartialKeyPath<Self>
  ) -> Predicate<Self>? {
    ModelPredicates.destination(of: relationship, is: parentPersistentID)
  }
}
