/// A model that payload rows are matched with by an identity. Apply `@Syncable` to an `@Model` class to conform it.
public protocol SyncModelable: PersistentModel {
  /// The type of the identity.
  associatedtype SyncID: Hashable & Codable & Sendable
  /// The property that holds the identity.
  static var syncIdentity: KeyPath<Self, SyncID> { get }
  /// The Swift name of that property.
  static var syncIdentityPropertyName: String { get }
}

/// A model that payloads create and update. Apply `@Syncable` to an `@Model` class to conform it.
public protocol SyncUpdatableModel: SyncModelable {}

/// A model whose table the library interprets, as `@Syncable` makes it.
public protocol SyncMappedModel: SyncUpdatableModel {}
