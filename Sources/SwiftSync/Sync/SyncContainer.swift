import Foundation
import SyncEngine

/// A container that payloads are synced into.
///
/// A sync takes the rows that a backend sent, inserts, updates, deletes and links rows by convention in one atomic
/// transaction off the main actor, and brings the main context's objects up to date before it returns.
public final class SyncContainer: Sendable {
  /// The container with the store and the model classes.
  public let modelContainer: ModelContainer
  /// How the backend writes its keys.
  public let keyStyle: KeyStyle
  /// How an export writes dates; the default is ISO 8601 with milliseconds, in UTC.
  public let dateFormatter: DateFormatter
  /// What a sync does with a value that cannot be read, or is null where something is required.
  public let unreadableValues: UnreadableValuePolicy
  /// Hears how long each phase of each sync took, for signposts and logs.
  let onPhase: SyncPhaseHandler?

  /// The author of what a sync writes, so that edits that came from a backend can be told from the application's own.
  static let inboundAuthor = "com.github.3lvis.SwiftSync.inbound"

  /// Opens the store for some classes and all that they reach through relationships, or creates it.
  ///
  /// - Parameters:
  ///   - modelTypes: the model classes.
  ///   - keyStyle: how the backend writes its keys.
  ///   - dateFormatter: how an export writes dates; nil for ISO 8601 with milliseconds, in UTC.
  ///   - unreadableValues: what a sync does with a value that cannot be read; the report lists it in any case.
  ///   - onPhase: is called at the end of each phase of each sync, on the thread that did the work and waits for it.
  ///   - configurations: where the store is; the application's default store if none is given.
  /// - Throws: as `ModelContainer.init(for:configurations:)`.
  public convenience init(
    for modelTypes: any PersistentModel.Type..., keyStyle: KeyStyle = .snakeCase, dateFormatter: DateFormatter? = nil,
    unreadableValues: UnreadableValuePolicy = .replace, onPhase: SyncPhaseHandler? = nil,
    configurations: ModelConfiguration...
  ) throws {
    let container = try ModelContainer(for: Schema(modelTypes), configurations: configurations)
    self.init(
      container, keyStyle: keyStyle, dateFormatter: dateFormatter, unreadableValues: unreadableValues, onPhase: onPhase)
  }

  /// Syncs into an existing container. The other parameters are those of
  /// `init(for:keyStyle:dateFormatter:unreadableValues:onPhase:configurations:)`.
  public init(
    _ modelContainer: ModelContainer, keyStyle: KeyStyle = .snakeCase, dateFormatter: DateFormatter? = nil,
    unreadableValues: UnreadableValuePolicy = .replace, onPhase: SyncPhaseHandler? = nil
  ) {
    self.modelContainer = modelContainer
    self.keyStyle = keyStyle
    self.dateFormatter = dateFormatter ?? .syncDefault()
    self.unreadableValues = unreadableValues
    self.onPhase = onPhase
  }

  /// The context of the main actor.
  @MainActor public var mainContext: ModelContext { modelContainer.mainContext }

  /// The object as the JSON object that a backend would send, with the container's key style and formatter.
  public func export<Model: SyncUpdatableModel>(_ model: Model) -> [String: Any] {
    model.export(keyStyle: keyStyle, dateFormatter: dateFormatter)
  }
}
