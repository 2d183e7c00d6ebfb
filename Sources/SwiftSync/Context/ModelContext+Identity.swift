import Records

/// Finding an object by what identifies it for the server.
extension ModelContext {
  /// The object with a sync identity; nil when there is none.
  ///
  /// ```swift
  /// let task = try context.model(Task.self, id: 17)
  /// ```
  ///
  /// It is what a fetch of `#Predicate { $0.id == id }` with a limit of one gives, without a predicate and a plan: a look-up in the
  /// identity's index, and one of the row. What is unsaved in this context counts: a new object is found, an edited one by the identity
  /// that it has now, a deleted one not any more. A registered object without edits is brought up to date.
  ///
  /// Of several objects with the identity, which only one that isn't `@Attribute(.unique)` allows, it is one of them.
  /// - Throws: what `fetch` throws.
  public func model<Model: SyncModelable>(_ type: Model.Type, id: Model.SyncID) throws -> Model? {
    let binding = try core.binding(of: type)
    guard let identity = binding.identity, identity.isSyncIdentity, let value = identity.field(id) else {
      // An identity of a class that was written by hand may be any property.
      return try fetch(FetchDescriptor<Model>()).first { $0[keyPath: Model.syncIdentity] == id }
    }
    return try model(identity, value, binding)
  }

  /// The same for an identity that is stored as it is.
  /// - Throws: what `fetch` throws.
  public func model<Model: SyncModelable>(_ type: Model.Type, id: Model.SyncID) throws -> Model?
  where Model.SyncID: PersistentAttribute {
    let binding = try core.binding(of: type)
    guard let identity = binding.identity, identity.isSyncIdentity, identity.isStored(as: Model.SyncID.storedType)
    else {
      return try fetch(FetchDescriptor<Model>()).first { $0[keyPath: Model.syncIdentity] == id }
    }
    return try model(identity, id.storedValue.field, binding)
  }

  private func model<Model: SyncModelable>(
    _ identity: ModelBinding.Identity, _ value: FieldValue, _ binding: ModelBinding
  ) throws -> Model? {
    guard unsaved.hasObjects else { return binding.model(try storedModel(identity, value, binding)) }
    try graph.throwFailure()
    let found: Model? = try read { try unsavedOrStored(identity, value, binding, in: $0) }
    try graph.throwFailure()
    return found
  }

  /// The object with an identity while nothing is unsaved. Not generic, so that nothing in it is looked up at run time.
  private func storedModel(
    _ identity: ModelBinding.Identity, _ value: FieldValue, _ binding: ModelBinding
  ) throws -> (any PersistentModel)? {
    try graph.throwFailure()
    let found = try read { snapshot in
      try snapshot.withFirstRecord(where: identity.index, equals: value, of: binding.entity) { row, record in
        try current(row, record, binding, in: snapshot)
      }
    }
    try graph.throwFailure()
    return found
  }

  private func unsavedOrStored<Model: PersistentModel>(
    _ identity: ModelBinding.Identity, _ value: FieldValue, _ binding: ModelBinding, in snapshot: RecordSnapshot
  ) throws -> Model? {
    let all = try Fetch(FetchDescriptor<Model>(), in: self, snapshot)
    let unsaved = try all.unsavedMatches()
    if let model = unsaved.first(where: { $0._$backing.field(in: identity.property.slot) == value }) { return model }
    let excluded = all.query().excluding
    let rows = try snapshot.rows(where: identity.index, equals: [value])
    guard let row = rows.first(where: { !excluded.contains($0) }) else { return nil }
    return try snapshot.withRecord(row, of: binding.entity) {
      binding.model(try current(row, $0, binding, in: snapshot))
    } ?? nil
  }
}
