import Foundation

/// Working through many objects without having them all in memory.
extension ModelContext {
  /// Calls a closure with every object that a descriptor describes, in its order, with `batchSize` of them in memory at a time.
  ///
  /// Which objects these are is that of the moment of the call; those whose rows are deleted meanwhile are passed over. The
  /// closure may save.
  ///
  /// - Parameters:
  ///   - fetch: Which objects.
  ///   - batchSize: How many objects are made at a time.
  ///   - allowEscapingMutations: Whether the closure may leave objects edited. The context keeps those until they are saved, so
  ///     that memory grows with them.
  ///   - block: Called with each object.
  /// - Throws: what `fetch` throws; what the closure throws; `FetchError.editedWhileEnumerating` after a batch in which objects
  ///   were left edited though that is not allowed. The edits are kept.
  public func enumerate<Model: PersistentModel>(
    _ fetch: FetchDescriptor<Model>, batchSize: Int = 5000, allowEscapingMutations: Bool = false,
    block: (_ model: Model) throws -> Void
  ) throws {
    let items = try answer(fetch) { try $0.items() }
    let batchSize = max(1, batchSize)
    for start in stride(from: 0, to: items.count, by: batchSize) {
      let models = Fetch<Model>.models(items[start..<min(items.count, start + batchSize)], in: self)
      var edited: [Model] = []
      for model in models where !model.isDeleted {
        let hadChanges = model.hasChanges
        try block(model)
        if !hadChanges, model.hasChanges { edited.append(model) }
      }
      try graph.throwFailure()
      if !allowEscapingMutations, edited.contains(where: \.hasChanges) {
        throw FetchError.editedWhileEnumerating(model: Model.modelTable.name)
      }
    }
  }

  /// Marks all objects of a model, or those that a predicate is true of, to be deleted by the next save, with what their delete
  /// rules say.
  ///
  /// - Parameters:
  ///   - model: Whose objects.
  ///   - predicate: Which of them; all if nil.
  ///   - includeSubclasses: Kept for source compatibility: a model has no subclasses.
  /// - Throws: what `fetch` throws. Nothing is marked then.
  public func delete<Model: PersistentModel>(
    model: Model.Type, where predicate: Predicate<Model>? = nil, includeSubclasses: Bool = true
  ) throws {
    for object in try fetch(FetchDescriptor(predicate: predicate)) { delete(object) }
  }
}
