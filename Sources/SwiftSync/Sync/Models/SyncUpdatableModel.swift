import Foundation

/// A model that payloads create and update. Apply `@Syncable` to an `@Model` class to conform it, or write by hand what should
/// be done otherwise than by convention: at least `make` and `apply`, and `applyRelationships` if it has any.
///
/// ```swift
/// extension Track: SyncUpdatableModel {
///   static var syncIdentity: KeyPath<Track, String> { \.code }
///
///   static func make(from payload: SyncPayload) throws -> Track {
///     Track(code: try payload.required(for: "id"), title: try payload.required(for: "title"))
///   }
///
///   func apply(_ payload: SyncPayload) throws -> Bool {
///     guard let title: String = payload.value(for: "title"), title != self.title else { return false }
///     self.title = title
///     return true
///   }
///
///   func applyRelationships(
///     _ payload: SyncPayload, in context: ModelContext, operations: SyncRelationshipOperations,
///     isolation: isolated (any Actor)? = #isolation
///   ) async throws -> Bool {
///     try SwiftSync.syncApplyToOneForeignKey(
///       self, relationship: \.album, payload: payload, keys: ["album_id"], in: context, operations: operations)
///   }
/// }
/// ```
///
/// A sync calls them on the actor of its context. Whatever they throw makes the whole sync fail, and leaves no trace.
public protocol SyncUpdatableModel: SyncModelable {
  /// Makes an object of a payload row, with its attributes. The sync inserts it and applies its relationships.
  ///
  /// - Throws: whatever makes the sync fail; `SyncPayload.required` throws `SyncError.invalidPayload`.
  static func make(from payload: SyncPayload) throws -> Self
  /// Takes over the attributes that the payload has, and leaves the others alone.
  ///
  /// - Returns: whether anything is different now.
  func apply(_ payload: SyncPayload) throws -> Bool
  /// Takes over the relationships that the payload has, whatever the operations are. A sync calls the other form.
  ///
  /// - Returns: whether anything is different now.
  func applyRelationships(
    _ payload: SyncPayload, in context: ModelContext, isolation: isolated (any Actor)?
  ) async throws -> Bool
  /// Takes over the relationships that the payload has, as far as the operations allow. It may suspend; other syncs of the
  /// container wait meanwhile.
  ///
  /// - Returns: whether anything is different now.
  func applyRelationships(
    _ payload: SyncPayload, in context: ModelContext, operations: SyncRelationshipOperations,
    isolation: isolated (any Actor)?
  ) async throws -> Bool
  /// The object as the JSON object that a backend would send.
  func export(keyStyle: KeyStyle, dateFormatter: DateFormatter) -> [String: Any]
  /// Has the next save write the object, although only a relationship to many objects has changed. The relationship helpers
  /// call it once for each such change.
  func syncMarkChanged()
}

extension SyncUpdatableModel {
  /// Leaves all relationships alone.
  public func applyRelationships(
    _ payload: SyncPayload, in context: ModelContext, isolation: isolated (any Actor)? = #isolation
  ) async throws -> Bool {
    false
  }

  /// Applies all relationships, whatever the operations are.
  public func applyRelationships(
    _ payload: SyncPayload, in context: ModelContext, operations: SyncRelationshipOperations,
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> Bool {
    try await applyRelationships(payload, in: context, isolation: isolation)
  }

  /// Nothing.
  public func export(keyStyle: KeyStyle, dateFormatter: DateFormatter) -> [String: Any] { [:] }

  /// Does nothing: the store knows by itself which rows a change of members concerns.
  public func syncMarkChanged() {}
}

/// A model whose table the library interprets, as `@Syncable` makes it.
public protocol SyncMappedModel: SyncUpdatableModel {}
