import Foundation
import Records
import SyncEngine
import Synchronization

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

  /// The author of what a sync writes, so that edits that came from a backend can be told from the application's own.
  static let inboundAuthor = "com.github.3lvis.SwiftSync.inbound"

  /// Opens the store for some classes and all that they reach through relationships, or creates it.
  ///
  /// - Parameters:
  ///   - modelTypes: the model classes.
  ///   - keyStyle: how the backend writes its keys.
  ///   - dateFormatter: how an export writes dates; nil for ISO 8601 with milliseconds, in UTC.
  ///   - unreadableValues: what a sync does with a value that cannot be read; the report lists it in any case.
  ///   - configurations: where the store is; the application's default store if none is given.
  /// - Throws: as `ModelContainer.init(for:configurations:)`.
  public convenience init(
    for modelTypes: any PersistentModel.Type..., keyStyle: KeyStyle = .snakeCase, dateFormatter: DateFormatter? = nil,
    unreadableValues: UnreadableValuePolicy = .replace, configurations: ModelConfiguration...
  ) throws {
    let container = try ModelContainer(for: Schema(modelTypes), configurations: configurations)
    self.init(
      container, keyStyle: keyStyle, dateFormatter: dateFormatter, unreadableValues: unreadableValues)
  }

  /// Syncs into an existing container. The other parameters are those of
  /// `init(for:keyStyle:dateFormatter:unreadableValues:configurations:)`.
  public init(
    _ modelContainer: ModelContainer, keyStyle: KeyStyle = .snakeCase, dateFormatter: DateFormatter? = nil,
    unreadableValues: UnreadableValuePolicy = .replace
  ) {
    self.modelContainer = modelContainer
    self.keyStyle = keyStyle
    self.dateFormatter = dateFormatter ?? .syncDefault()
    self.unreadableValues = unreadableValues
  }

  /// The context of the main actor.
  @MainActor public var mainContext: ModelContext { modelContainer.mainContext }

  /// Makes the rows of a model equal to a payload that lists all of them: rows are inserted, updated and linked, and rows
  /// that the payload does not list are deleted.
  ///
  /// - Parameters:
  ///   - payload: the rows, each a `[String: Any]`.
  ///   - model: their class.
  ///   - relationshipOperations: what may happen to links.
  /// - Returns: what was done, and what could not be done as asked.
  /// - Throws: `SyncError.invalidPayload` for a payload of the wrong shape, one in which no row has an identity, or a value
  ///   that is required and missing or unreadable; `SyncError.cancelled`; `ModelError.unknownModel`; `RecordError` and
  ///   `StoreError`. The store is then as it was.
  @discardableResult
  public nonisolated(nonsending) func sync<Model: SyncUpdatableModel>(
    payload: [Any], as model: Model.Type, relationshipOperations: SyncRelationshipOperations = .all
  ) async throws -> SyncReport {
    try await run(.collection, payload, model, relationshipOperations)
  }

  /// As `sync(payload:as:relationshipOperations:)`, for rows of a type of one's own.
  @discardableResult
  public nonisolated(nonsending) func sync<Model: SyncUpdatableModel, Payload: SyncPayloadConvertible>(
    payload: [Payload], as model: Model.Type, relationshipOperations: SyncRelationshipOperations = .all
  ) async throws -> SyncReport {
    try await run(.collection, payload.map { $0.toSyncPayloadDictionary() }, model, relationshipOperations)
  }

  /// Inserts or updates one row, and leaves all others alone.
  ///
  /// - Parameters:
  ///   - item: the row.
  ///   - model: its class.
  ///   - relationshipOperations: what may happen to links.
  /// - Returns: what was done. An item without identity is skipped, which the report says.
  /// - Throws: as `sync(payload:as:relationshipOperations:)`.
  @discardableResult
  public nonisolated(nonsending) func sync<Model: SyncUpdatableModel>(
    item: [String: Any], as model: Model.Type, relationshipOperations: SyncRelationshipOperations = .all
  ) async throws -> SyncReport {
    try await run(.item, item, model, relationshipOperations)
  }

  /// As `sync(item:as:relationshipOperations:)`, for a row of a type of one's own.
  @discardableResult
  public nonisolated(nonsending) func sync<Model: SyncUpdatableModel, Payload: SyncPayloadConvertible>(
    item: Payload, as model: Model.Type, relationshipOperations: SyncRelationshipOperations = .all
  ) async throws -> SyncReport {
    try await run(.item, item.toSyncPayloadDictionary(), model, relationshipOperations)
  }

  /// Syncs JSON text as a backend sends it: an array lists all rows of the model, an object is a single item.
  ///
  /// This is the fastest way in: nothing is made of the text but records. It is parsed off the caller's actor.
  /// - Parameters:
  ///   - json: UTF-8 text.
  ///   - model: the class of the rows.
  ///   - relationshipOperations: what may happen to links.
  /// - Returns: what was done, and what could not be done as asked.
  /// - Throws: as `sync(payload:as:relationshipOperations:)`; malformed text with the offset of the byte.
  @discardableResult
  @concurrent public func sync<Model: SyncUpdatableModel>(
    json: Data, as model: Model.Type, relationshipOperations: SyncRelationshipOperations = .all
  ) async throws -> SyncReport {
    let document = try Self.document(for: model) { () throws(PayloadError) in try PayloadDocument(json: json) }
    let isArray = document.read { $0.kind == .array }
    return try await run(isArray ? .collection : .item, document, model, relationshipOperations)
  }

  /// The object as the JSON object that a backend would send: see `ModelExporter`.
  public func export<Model: SyncUpdatableModel>(_ model: Model) -> [String: Any] {
    ModelExporter(keyStyle: keyStyle, dateFormatter: dateFormatter).export(model)
  }

  private nonisolated(nonsending) func run<Model: SyncUpdatableModel>(
    _ form: SyncRequest.Form, _ payload: Any, _ model: Model.Type, _ operations: SyncRelationshipOperations
  ) async throws -> SyncReport {
    let document = try Self.document(for: model) { () throws(PayloadError) in try PayloadDocument(payload) }
    return try await run(form, document, model, operations)
  }

  private static func document(
    for model: any PersistentModel.Type, _ make: () throws(PayloadError) -> PayloadDocument
  ) throws(SyncError) -> PayloadDocument {
    do {
      return try make()
    } catch {
      throw .invalidPayload(model: model.modelTable.name, reason: "\(error)")
    }
  }

  private nonisolated(nonsending) func run<Model: SyncUpdatableModel>(
    _ form: SyncRequest.Form, _ document: PayloadDocument, _ model: Model.Type,
    _ operations: SyncRelationshipOperations
  ) async throws -> SyncReport {
    let core = modelContainer.core
    let binding = try core.binding(of: model)
    let request = SyncRequest(
      entity: binding.table.name, document: document, form: form,
      convention: MappingConvention(keyStyle: keyStyle, unreadableValues: unreadableValues), operations: operations)
    let cancellation = Cancellation()
    let committed: Committed<SyncReport>
    do {
      committed = try await withTaskCancellationHandler {
        try await core.store.write(author: Self.inboundAuthor) { transaction in
          try request.run(in: transaction, plans: core.plans) { cancellation.isCancelled }
        }
      } onCancel: {
        cancellation.cancel()
      }
    } catch is CancellationError {
      // Cancelled while it waited for its turn to write.
      throw SyncError.cancelled
    }
    await core.refreshMainContext()
    return committed.result
  }
}

/// Carries a task's cancellation to the writer's thread.
private final class Cancellation: Sendable {
  private let cancelled = Atomic(false)

  var isCancelled: Bool { cancelled.load(ordering: .relaxed) }

  func cancel() {
    cancelled.store(true, ordering: .relaxed)
  }
}
