import Foundation
import KeyValueStore
import Records

extension ModelContext {
  /// The objects that a descriptor describes, from one snapshot of the store and the unsaved state of this context: new
  /// objects are found, edited ones are judged by their edits, deleted ones are left out.
  ///
  /// Registered objects without edits are brought up to date.
  /// - Throws: `FetchError` for a predicate that cannot be evaluated, `ModelError.unknownModel`, `ModelError.unreadableValue`,
  ///   `StoreError` and `RecordError`; also why a relationship that was read since the last fetch or save was not readable.
  /// - Complexity: That of the plan, which `FetchDescriptor.explain(in:)` tells.
  public func fetch<Model: PersistentModel>(_ descriptor: FetchDescriptor<Model>) throws -> [Model] {
    try answer(descriptor) { try $0.objects() }
  }

  /// How many objects `fetch` would return. Makes no objects unless the predicate has to be evaluated on them.
  /// - Throws: what `fetch` throws.
  public func fetchCount<Model: PersistentModel>(_ descriptor: FetchDescriptor<Model>) throws -> Int {
    try answer(descriptor) { try $0.count() }
  }

  /// Like `fetch`, but only remembers which rows they are: the objects are made when they are asked for, `batchSize` at a time.
  /// - Throws: what `fetch` throws.
  public func fetch<Model: PersistentModel>(
    _ descriptor: FetchDescriptor<Model>, batchSize: Int
  ) throws -> FetchResultsCollection<Model> {
    let items = try answer(descriptor) { try $0.items() }
    return FetchResultsCollection(count: items.count, batchSize: batchSize) { positions in
      Fetch<Model>.models(items[positions], in: self)
    }
  }

  /// The identifiers of the objects that `fetch` would return. Makes no objects unless the predicate has to be evaluated on
  /// them or the order takes some to compare.
  /// - Throws: what `fetch` throws.
  public func fetchIdentifiers<Model: PersistentModel>(
    _ descriptor: FetchDescriptor<Model>
  ) throws -> [PersistentIdentifier] {
    try answer(descriptor) { try $0.items() }.map(identifier)
  }

  /// Like `fetchIdentifiers`, made as they are asked for, `batchSize` at a time.
  /// - Throws: what `fetch` throws.
  public func fetchIdentifiers<Model: PersistentModel>(
    _ descriptor: FetchDescriptor<Model>, batchSize: Int
  ) throws -> FetchResultsCollection<PersistentIdentifier> {
    let items = try answer(descriptor) { try $0.items() }
    return FetchResultsCollection(count: items.count, batchSize: batchSize) { positions in
      items[positions].map(self.identifier)
    }
  }

  private func identifier<Model: PersistentModel>(of item: Fetch<Model>.Item) -> PersistentIdentifier {
    switch item {
    case .row(let row):
      PersistentIdentifier(entityName: Model.modelTable.name, storeIdentifier: core.storeIdentifier, row: row)
    case .object(let model): model.persistentModelID
    }
  }

  /// Reads in one snapshot, and throws also why a relationship could not be read that a predicate or an order asked for.
  func answer<Model: PersistentModel, Result>(
    _ descriptor: FetchDescriptor<Model>, _ body: (Fetch<Model>) throws -> Result
  ) throws -> Result {
    try graph.throwFailure()
    let result = try read { snapshot in try body(Fetch(descriptor, in: self, snapshot)) }
    try graph.throwFailure()
    return result
  }

  /// The object of a row that has just been read: the registered one, brought up to date, or a new one.
  func current(
    _ row: RowNumber, _ record: RecordView, _ binding: ModelBinding, in snapshot: RecordSnapshot
  ) throws -> any PersistentModel {
    guard let known = graph.registered[row, binding.entity.id] else {
      return try graph.make(row, record, binding, in: snapshot)
    }
    try update(known, from: record, row, binding, in: snapshot)
    return known
  }
}
