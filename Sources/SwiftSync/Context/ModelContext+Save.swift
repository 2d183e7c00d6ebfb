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
    try graph.throwFailure()
    if hasChanges, !isPostingWillSave {
      isPostingWillSave = true
      defer { isPostingWillSave = false }
      postWillSave()
    }
    insertReachable()
    guard hasChanges else { return catchUp() }
    if let refusal { throw refusal }
    let plan = try SavePlan(of: self)
    let committed = try core.store.write(author: author, durability: durability) { try SaveRun.run(plan, in: $0) }
    saveCount += 1
    announcing {
      settle(rows: committed.result)
      catchUp()
    }
    core.refreshMainContextIfCurrent()
    postDidSave(committed.changes)
  }

  private func insertReachable() {
    for model in inserted.objects + edited.objects {
      for related in model._$backing.relatedObjects where related._$backing.state == .unmanaged { insertAny(related) }
    }
  }

  /// Makes what was unsaved stored. Nothing that an object shows changes by it, so observers are not told.
  private func settle(rows: [RowNumber]) {
    let written = inserted.objects + edited.objects + touched.objects
    for (model, row) in zip(inserted.objects, rows) {
      model._$backing.settle(
        as: PersistentIdentifier(
          entityName: type(of: model).modelTable.name, storeIdentifier: core.storeIdentifier, row: row))
      guard let entity = model._$backing.binding?.entity.id else { continue }
      retire(row, entity)
      graph.registered[row, entity] = model
    }
    for model in deleted.objects {
      model._$backing.state = .gone
      model._$backing.forgetLinks()
    }
    forgetChanges()
    reload(written)
    for model in written { model._$backing.forgetEdits() }
  }
}
