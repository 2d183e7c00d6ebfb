import Foundation
import Records
import SyncEngine

extension Schema {
  /// The models, by name, of which syncs have to go by way of objects: they, or models that their relationships can reach, are
  /// synced by code of their own, which the engine knows nothing of.
  var modelsSyncedByObjects: [String: any SyncUpdatableModel.Type] {
    guard modelTypes.contains(where: Self.isHandWritten) else { return [:] }
    var result: [String: any SyncUpdatableModel.Type] = [:]
    for case let model as any SyncUpdatableModel.Type in modelTypes
    where Schema([model]).modelTypes.contains(where: Self.isHandWritten) {
      result[model.modelTable.name] = model
    }
    return result
  }

  private static func isHandWritten(_ model: any PersistentModel.Type) -> Bool {
    let table = model.modelTable
    if ObjectIdentifier(table.type) == ObjectIdentifier(model) { return table.handWrittenType != nil }
    return model is any SyncUpdatableModel.Type && !(model is any SyncMappedModel.Type)
  }
}

extension ContainerCore {
  /// Syncs objects in a context of its own, off every actor. `noting` is called in the transaction that saves, if there is something
  /// to save, and keeps it from being saved by throwing.
  ///
  /// - Throws: as `ObjectSync.run`.
  @concurrent func syncObjects<Model: SyncUpdatableModel>(
    _ request: SyncRequest, as model: Model.Type, author: String?,
    noting: @escaping @Sendable (RecordTransaction) throws -> Void = { _ in }
  ) async throws -> SyncReport {
    let context = ModelContext(core: self)
    context.author = author
    var objects = try ObjectSyncRequest(request, of: model.modelTable, in: self)
    objects.noting = noting
    return try await ObjectSync(objects, of: model, in: context).run()
  }
}
