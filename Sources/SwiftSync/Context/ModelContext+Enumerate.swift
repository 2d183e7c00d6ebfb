import Foundation

/// Working through many objects without having them all in memory.
extension ModelContext {
  /// Calls a closure with every object that a descriptor describes, in its order, with `batchSize` of them in memory at a time.
  ///
  /// Each batch is of one moment of the store. The closure may save, and other contexts may: an object that stays as it is is
  /// visited once; one that is changed in the middle at most once; one that is deleted before its batch, or made after the call,
  /// not at all.
  ///
  /// Besides the batch nothing is kept in memory where all rows are scanned in the order of their creation. Where an index or a
  /// relationship leads to the rows, or they are sorted, their numbers are kept.
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
    var batches = try Enumeration(fetch, in: self, batchSize: batchSize)
    while let models = try batches.next() {
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
