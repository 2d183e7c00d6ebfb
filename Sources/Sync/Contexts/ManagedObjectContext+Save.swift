import Contexts
import Records

extension ManagedObjectContext {
  /// Writes everything that is unsaved in one atomic transaction, which has survived a power cut when this returns.
  ///
  /// Objects are validated first. Of an attribute or a to-one relationship that another context has changed meanwhile, the edit of
  /// this one wins; members that others have added or removed stay so. Edits of a row that somebody has deleted are dropped.
  ///
  /// - Throws: `ValidationError`, `RecordError.uniqueConflict`, what reading a relationship could not throw before, and what the store
  ///   throws. Nothing is written then, and the context keeps its edits.
  public func save() throws {
    if isDisposable {
      rollback()
      return
    }
    try throwFailure()
    guard hasChanges else {
      catchUp()
      return
    }
    try save { _, _ in }
  }

  /// Saves, and does more in the same transaction: both are committed, or neither.
  ///
  /// - Parameter work: Is given the rows of the objects that were inserted, in their order.
  /// - Returns: What the work returns.
  /// - Throws: As `save()`, and what the work throws.
  func save<Result: Sendable>(
    doing work: @Sendable (RecordTransaction, [RowNumber]) throws -> Result
  ) throws -> Result {
    try throwFailure()
    let store = try store()
    let plan = try SavePlan(of: self)
    let committed: Committed<(rows: [RowNumber], result: Result)>
    do {
      committed = try store.records.write(author: author) { transaction in
        let rows = try SaveRun.run(plan, in: transaction)
        return (rows: rows, result: try work(transaction, rows))
      }
    } catch let error as RecordError {
      throw error.inTermsOfModel
    }
    announcing { settle(committed.result.rows) }
    return committed.result.result
  }

  /// Makes what was unsaved stored.
  private func settle(_ rows: [RowNumber]) {
    let inserted = unsaved.inserted.objects
    let written = inserted + unsaved.updated.objects
    for (object, row) in zip(inserted, rows) {
      guard let table = object.binding.table?.id else { continue }
      // A new object with the primary key of a stored row stands for that row from now on.
      if let other = registered[row, table], other !== object { retire(other, row, table) }
      object.settle(at: row)
      registered.insert(object, row, table)
    }
    for object in unsaved.deleted.objects {
      if let row = object.storedRow, let table = object.binding.table?.id { registered.remove(row, table) }
      object.retire()
    }
    unsaved = Unsaved()
    for object in written { object.forgetEdits() }
    // What the first of these shows of others is taken in by the second.
    reload(written)
    catchUp()
  }
}
