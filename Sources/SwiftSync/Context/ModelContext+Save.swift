import Contexts
import Records

extension ModelContext {
  /// Writes everything that has changed in one atomic transaction, which is as durable as the container's configuration
  /// says when this returns.
  ///
  /// New objects that stored ones point at are inserted too. A new object with the identity of a stored row becomes
  /// that row, with the new object's values; the object that stood for the row before is gone. Edits of a row that
  /// another context has deleted are dropped, and links to it too.
  ///
  /// - Throws: `ModelError` for a value or relationship that cannot be stored, `RecordError.uniqueConflict`,
  ///   `RecordError.deleteDenied` for a deletion that a stored row is in the way of, `RecordError.missingDestination` for a
  ///   stored row that lost what a relationship must lead to, `StoreError` when the medium fails. The store is then as it
  ///   was, and the context keeps its edits.
  public func save() throws {
    try save(durability: nil)
  }

  /// Like `save()`, with a durability of its own: what the changes have survived when this returns. Nil stands for what the
  /// configuration says.
  public func save(durability: Durability?) throws {
    try save(durability: durability) { _ in }
  }

  /// Like `save(durability:)`, and writes in the same transaction what else is to be noted, if there is something to save.
  ///
  /// - Returns: Whether there was.
  @discardableResult
  func save(durability: Durability?, noting note: @Sendable (RecordTransaction) throws -> Void) throws -> Bool {
    try prepareSave()
    guard hasChanges else {
      catchUp()
      return false
    }
    _ = try write(durability: durability, changingRows: false) { transaction, _ in try note(transaction) }
    return true
  }

  /// What a save does in its transaction when the edits are written. It is given the rows of the objects that were inserted, in
  /// their order.
  typealias FurtherWork<Result> = @Sendable (RecordTransaction, [RowNumber]) throws -> Result

  /// Saves, and changes more rows in the same transaction: both are committed, or neither.
  ///
  /// - Parameter makeWork: Is called when it is known what will be saved.
  /// - Returns: What the work returns.
  /// - Throws: What `save()` and the work throw.
  func save<Result: Sendable>(doing makeWork: () throws -> FurtherWork<Result>) throws -> Result {
    try prepareSave()
    return try write(durability: nil, changingRows: true, makeWork())
  }

  /// What a save would write.
  struct RehearsedSave: Error {
    let changes: ChangeSet
    /// Where the inserted objects would be.
    let rows: [ObjectIdentifier: RowNumber]
    /// The identities of the first rows that cascades would delete.
    let cascaded: [EntityID: [FieldValue]]
  }

  /// Does what a save does, judges whether it could be committed, and undoes it.
  ///
  /// - Throws: What `save()` throws, except for what only a commit can run into.
  func rehearseSave() throws -> RehearsedSave {
    try prepareSave()
    let plan = try SavePlan(of: self)
    let inserted = unsaved.inserted.objects.map { ObjectIdentifier($0) }
    do {
      let committed: Committed<Never> = try core.store.write(author: author) { transaction in
        let rows = try plan.carryOut(in: transaction)
        try transaction.validate()
        throw RehearsedSave(
          changes: transaction.changes, rows: Dictionary(uniqueKeysWithValues: zip(inserted, rows)),
          cascaded: transaction.cascadedIdentities)
      }
      switch committed.result {}
    } catch let rehearsed as RehearsedSave {
      return rehearsed
    }
  }

  /// Tells observers that a save is about to come, and takes in what new objects it reaches.
  private func prepareSave() throws {
    try graph.throwFailure()
    if hasChanges, !isPostingWillSave {
      isPostingWillSave = true
      defer { isPostingWillSave = false }
      postWillSave()
    }
    insertReachable()
    if let refusal = unsaved.refusal { throw refusal }
  }

  // Where the further work changes rows, what the objects show is not what is stored.
  private func write<Result: Sendable>(
    durability: Durability?, changingRows changesRows: Bool, _ work: FurtherWork<Result>
  ) throws -> Result {
    let isAnnounced = hasChanges
    let plan = try SavePlan(of: self)
    let committed = try core.store.write(author: author, durability: durability) { transaction in
      let rows = try plan.carryOut(in: transaction)
      return (rows: rows, result: try work(transaction, rows), cascaded: transaction.cascadedIdentities)
    }
    saveCount += 1
    announcing {
      settle(committed.changes, rows: committed.result.rows)
      if changesRows { readMembers = nil }
      catchUp(after: committed.changes)
    }
    core.refreshMainContextIfCurrent()
    if isAnnounced || !committed.changes.isEmpty {
      onSave?(committed.changes, committed.result.cascaded)
      postDidSave(committed.changes)
    }
    return committed.result.result
  }

  private func insertReachable() {
    for model in unsaved.inserted.objects + unsaved.edited.objects {
      for related in model._$backing.relatedObjects where related._$backing.state == .unmanaged { insertAny(related) }
    }
  }

  /// Makes what was unsaved stored. Nothing that an object shows changes by it, so observers are not told.
  private func settle(_ changes: ChangeSet, rows: [RowNumber]) {
    let written = unsaved.inserted.objects + unsaved.edited.objects + unsaved.touched.objects
    for (model, row) in zip(unsaved.inserted.objects, rows) {
      model._$backing.settle(at: row)
      guard let entity = model._$backing.binding?.entity.id else { continue }
      retire(row, entity)
      graph.registered.insert(model, row, entity)
    }
    for model in unsaved.deleted.objects {
      model._$backing.state = .gone
      model._$backing.forgetLinks()
    }
    let members = membersKnown(after: changes)
    forgetChanges()
    reload(written)
    for model in written { model._$backing.forgetEdits() }
    readMembers = members
  }
}
