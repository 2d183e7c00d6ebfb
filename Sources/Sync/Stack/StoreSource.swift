import Foundation
import KeyValueStore
import Records
import Synchronization

/// Where a stack's model and store are, and the store once it is opened.
final class StoreSource: Sendable {
  /// Where a store is.
  enum Place: Sendable {
    case memory
    case folder(URL)
  }

  private let place: Place
  private let preload: PreloadedStore?
  private let classes: [String: ManagedObject.Type]
  private let makeModel: @Sendable () throws -> ManagedObjectModel
  private let opened = Mutex<ObjectStore?>(nil)

  init(
    _ place: Place, preload: PreloadedStore? = nil, classes: [String: ManagedObject.Type],
    model makeModel: @escaping @Sendable () throws -> ManagedObjectModel
  ) {
    self.place = place
    self.preload = preload
    self.classes = classes
    self.makeModel = makeModel
  }

  /// The store, opened if it isn't yet. What could not be opened is tried again the next time.
  func open() throws -> ObjectStore {
    try opened.withLock { opened in
      if let opened { return opened }
      let model = try makeModel()
      if let unknown = classes.keys.sorted().first(where: { model.entity(named: $0) == nil }) {
        throw ManagedObjectError.unknownEntity(unknown)
      }
      let store = ObjectStore(model, try records(of: model), classes: classes)
      opened = store
      return store
    }
  }

  private func records(of model: ManagedObjectModel) throws -> RecordStore {
    switch place {
    case .memory:
      return try RecordStore.temporary(schema: model.storage.schema)
    case .folder(let url):
      guard url.isFileURL else { throw DataStackError.notAFileURL(url) }
      try preload?.copy(to: url)
      let moves = EntityMoves(model: model)
      let goal = SchemaGoal.schema(model.storage.schema, version: nil, willMigrate: moves.settle)
      let store = try RecordStore(at: url.path, reaching: goal)
      do {
        // Not every change of a model is one of its schema.
        try moves.settle(store)
      } catch {
        store.close()
        throw error
      }
      return store
    }
  }

  /// The folder of the store; nil if it is in memory.
  var url: URL? {
    if case .folder(let url) = place { url } else { nil }
  }

  /// Another store of the same model, in memory.
  func inMemory() -> StoreSource {
    StoreSource(.memory, classes: classes) { try self.open().model }
  }

  /// Closes the store, if it is open.
  func close() { opened.withLock { $0 }?.close() }
}
