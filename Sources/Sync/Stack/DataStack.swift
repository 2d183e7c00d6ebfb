import Contexts
import Foundation
import Records

/// Where a stack keeps its objects.
public enum DataStackStoreType: Sendable, Hashable {
  /// In memory, as long as the stack is there.
  case inMemory
  /// In a folder. The name is the one that this has always had; there is no SQLite in it.
  case sqLite
}

/// A model, the store of its objects, and the contexts that read and edit them.
///
/// ```swift
/// let dataStack = DataStack(modelName: "MyModel")
/// try await dataStack.sync(json, inEntityNamed: "User")
/// let user: ManagedObject? = try dataStack.fetch(6, inEntityNamed: "User")
/// ```
///
/// Making a stack opens nothing yet. The model is read and the store opened when they are first used, and that is where it is thrown
/// if either can't be; `open()` does it at a time of one's own. Nothing that is stored is ever thrown away to make a store open.
public final class DataStack: Sendable {
  let source: StoreSource
  private let mainContextHolder = MainContextHolder()

  /// Makes a stack for the model of a name, which is looked for in a bundle's resources: `NAME.xcdatamodeld` or `NAME.xcdatamodel`.
  ///
  /// If there is a store beside it, `STORENAME.store`, and none yet where the stack keeps its own, that one begins as its copy.
  /// - Parameters:
  ///   - modelName: The model's name.
  ///   - bundle: Where the model file is.
  ///   - storeType: Where objects are kept.
  ///   - storeName: The store is the folder `STORENAME.store`; the model's name if it is nil.
  ///   - containerURL: The folder that the store's folder is in; one in the user's application support folder if it is nil.
  ///   - classes: Classes of the application for the objects of entities, by the names of these.
  public convenience init(
    modelName: String, bundle: Bundle = .main, storeType: DataStackStoreType = .sqLite, storeName: String? = nil,
    containerURL: URL? = nil, classes: [String: ManagedObject.Type] = [:]
  ) {
    // Bundles are found anew by their path: they can't be handed from one thread to another.
    let resources = [bundle.resourceURL ?? bundle.bundleURL, bundle.bundleURL]
    let preload = PreloadedStore(folders: resources)
    self.init(storeType, named: storeName ?? modelName, in: containerURL, classes, preload: preload) {
      try ManagedObjectModel(contentsOf: ModelLocation.find(modelName, in: resources))
    }
  }

  /// Makes a stack for the model of a name in a folder, which may have a store to begin with, too.
  public convenience init(
    modelName: String, folder: URL, storeType: DataStackStoreType = .sqLite, storeName: String? = nil,
    containerURL: URL? = nil, classes: [String: ManagedObject.Type] = [:]
  ) {
    let preload = PreloadedStore(folders: [folder])
    self.init(storeType, named: storeName ?? modelName, in: containerURL, classes, preload: preload) {
      try ManagedObjectModel(named: modelName, in: folder)
    }
  }

  /// Makes a stack for a model file: an `.xcdatamodeld`, an `.xcdatamodel`, or the `contents` of one.
  public convenience init(
    modelURL: URL, storeType: DataStackStoreType = .sqLite, storeName: String? = nil, containerURL: URL? = nil,
    classes: [String: ManagedObject.Type] = [:]
  ) {
    let name = storeName ?? modelURL.deletingPathExtension().lastPathComponent
    self.init(storeType, named: name, in: containerURL, classes) { try ManagedObjectModel(contentsOf: modelURL) }
  }

  /// Makes a stack for a model. Without a name its store is called as the program is.
  public convenience init(
    model: ManagedObjectModel, storeType: DataStackStoreType = .sqLite, storeName: String? = nil,
    containerURL: URL? = nil, classes: [String: ManagedObject.Type] = [:]
  ) {
    let name = storeName ?? ProcessInfo.processInfo.processName
    self.init(storeType, named: name, in: containerURL, classes) { model }
  }

  /// Makes a stack for a model and the folder of its store, whatever that is called.
  public convenience init(model: ManagedObjectModel, storeURL: URL, classes: [String: ManagedObject.Type] = [:]) {
    self.init(StoreSource(.folder(storeURL), classes: classes) { model })
  }

  private convenience init(
    _ type: DataStackStoreType, named name: String, in folder: URL?, _ classes: [String: ManagedObject.Type],
    preload: PreloadedStore? = nil,
    model: @escaping @Sendable () throws -> ManagedObjectModel
  ) {
    let url = folder?.appendingPathComponent("\(name).store") ?? .applicationStore(name)
    let place = type == .inMemory ? StoreSource.Place.memory : .folder(url)
    self.init(StoreSource(place, preload: preload, classes: classes, model: model))
  }

  init(_ source: StoreSource) {
    self.source = source
  }

  /// Reads the model and opens the store, if that has not been done.
  ///
  /// A store that was made with another version of the model takes this one over, where that is possible by itself.
  /// - Throws: `ModelFileError` and `ModelError` for the model; `StoreError` and `RecordError` for the store: a foreign, damaged or
  ///   locked folder, a full disk, a model that can't take over what is stored. The store is then as it was.
  public func open() throws {
    _ = try source.open()
  }

  /// The model.
  /// - Throws: What `open()` throws.
  public var model: ManagedObjectModel {
    get throws { try source.open().model }
  }

  /// The folder of the store; nil if it is in memory.
  public var storeURL: URL? { source.url }

  /// Ends the use of the store. Whatever uses the stack or its contexts afterwards throws.
  ///
  /// Without this call the store is closed when the stack and its contexts are gone.
  public func close() { source.close() }

  /// The context of the main actor, made on first use and kept as long as the stack.
  @MainActor public var mainContext: ManagedObjectContext { mainContextHolder.context(of: source) }

  /// The same as `mainContext`.
  @MainActor public var viewContext: ManagedObjectContext { mainContext }

  /// Deletes all objects, in one transaction. Contexts are told like of any other deletion, and the stack can be used afterwards.
  ///
  /// - Throws: What opening the store and writing throw. Nothing is deleted then.
  public func drop() async throws {
    let store = try source.open()
    try await store.records.write { transaction in
      for table in transaction.catalog.entities {
        var rows: [RowNumber] = []
        try transaction.forEachRow(of: table) { rows.append($0) }
        for row in rows { _ = try transaction.delete(row, of: table) }
      }
    }
  }
}

/// Keeps the main context alive for a stack. It takes in by itself what is committed.
@MainActor
private final class MainContextHolder {
  private var context: ManagedObjectContext?

  nonisolated init() {}

  func context(of source: StoreSource) -> ManagedObjectContext {
    if let context { return context }
    // The job stands in the main actor's queue before whatever the writer resumes there.
    let mailbox = ChangeMailbox { [weak self] in
      Task { @MainActor in self?.context?.processPendingChanges() }
    }
    let made = ManagedObjectContext(source, mailbox: mailbox)
    context = made
    return made
  }
}
