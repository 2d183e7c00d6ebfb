import Foundation

/// A model that payload rows are matched with by an identity. Apply `@Syncable` to an `@Model` class to conform it.
///
/// By hand it takes the identity alone; `docs/hand-written-models.md` says when to.
///
/// ```swift
/// extension Track: SyncModelable {
///   static var syncIdentity: KeyPath<Track, String> { \.code }
/// }
/// ```
public protocol SyncModelable: PersistentModel {
  /// The type of the identity.
  associatedtype SyncID: Hashable & Codable & Sendable
  /// The property that holds the identity. Rows are found by an index if it is a stored property.
  static var syncIdentity: KeyPath<Self, SyncID> { get }
  /// The Swift name of that property; empty where it does not matter.
  static var syncIdentityPropertyName: String { get }
  /// A predicate that is true of the object with an identity; nil where there is none.
  static func syncIdentityPredicate(matching identity: SyncID) -> Predicate<Self>?
  /// A predicate that is true of the objects with one of some identities; nil where there is none.
  static func syncIdentityPredicate(matchingAny identities: [SyncID]) -> Predicate<Self>?
  /// A predicate that is true of the objects whose to-one relationship leads to a parent; nil where there is none, and for what
  /// is no to-one relationship.
  static func syncParentPredicate(
    parentPersistentID: PersistentIdentifier, relationship: PartialKeyPath<Self>
  ) -> Predicate<Self>?
  /// The payload keys that the identity is looked for under, in order.
  static var syncIdentityRemoteKeys: [String] { get }
  /// The models whose changes concern whoever shows objects of this one, because relationships lead there.
  static var syncDefaultRefreshModelTypes: [any PersistentModel.Type] { get }
  /// The model that a relationship leads to; nil for what is no relationship.
  static func syncRelatedModelType(for keyPath: PartialKeyPath<Self>) -> (any PersistentModel.Type)?
  /// The relationships, in the order of their declaration.
  static var syncRelationshipSchemaDescriptors: [SyncRelationshipSchemaDescriptor] { get }
}

extension SyncModelable {
  /// Empty: not said.
  public static var syncIdentityPropertyName: String { "" }

  /// None.
  public static func syncIdentityPredicate(matching identity: SyncID) -> Predicate<Self>? { nil }

  /// None.
  public static func syncIdentityPredicate(matchingAny identities: [SyncID]) -> Predicate<Self>? { nil }

  /// None.
  public static func syncParentPredicate(
    parentPersistentID: PersistentIdentifier, relationship: PartialKeyPath<Self>
  ) -> Predicate<Self>? { nil }

  /// The usual names of an identity.
  public static var syncIdentityRemoteKeys: [String] { ["id", "remote_id", "remoteID"] }

  /// None.
  public static var syncDefaultRefreshModelTypes: [any PersistentModel.Type] { [] }

  /// None.
  public static func syncRelatedModelType(for keyPath: PartialKeyPath<Self>) -> (any PersistentModel.Type)? { nil }

  /// None.
  public static var syncRelationshipSchemaDescriptors: [SyncRelationshipSchemaDescriptor] { [] }

  /// The names of `syncDefaultRefreshModelTypes`, with their modules.
  public static var syncDefaultRefreshModelTypeNames: Set<String> {
    Set(syncDefaultRefreshModelTypes.map { String(reflecting: $0) })
  }

  /// The models that some relationships lead to, each once. What is no relationship counts for nothing.
  public static func syncRefreshModelTypes(for keyPaths: [PartialKeyPath<Self>]) -> [any PersistentModel.Type] {
    var seen: Set<ObjectIdentifier> = []
    return keyPaths.compactMap { syncRelatedModelType(for: $0) }.filter { seen.insert(ObjectIdentifier($0)).inserted }
  }

  /// The names of the models that some relationships lead to, with their modules.
  public static func syncRefreshModelTypeNames(for keyPaths: [PartialKeyPath<Self>]) -> Set<String> {
    Set(syncRefreshModelTypes(for: keyPaths).map { String(reflecting: $0) })
  }
}

/// What a model says of one of its relationships.
public struct SyncRelationshipSchemaDescriptor: Sendable {
  /// The name of the property.
  public let propertyName: String
  /// The name of the model that it leads to, with its module: `String(reflecting:)`.
  public let relatedTypeName: String
  /// Whether it leads to many objects.
  public let isToMany: Bool
  /// Whether its declaration names the other direction.
  public let hasExplicitInverseAnchor: Bool

  /// Describes a relationship.
  public init(propertyName: String, relatedTypeName: String, isToMany: Bool, hasExplicitInverseAnchor: Bool) {
    self.propertyName = propertyName
    self.relatedTypeName = relatedTypeName
    self.isToMany = isToMany
    self.hasExplicitInverseAnchor = hasExplicitInverseAnchor
  }
}
