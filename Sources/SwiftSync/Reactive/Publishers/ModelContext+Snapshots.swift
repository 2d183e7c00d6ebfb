import Foundation

extension ModelContext {
  /// The values of a live query of this context, for programs and actors without a screen.
  ///
  /// ```swift
  /// for await snapshot in try context.snapshots(of: SyncQueryShape(Task.self, predicate: #Predicate { !$0.isDone })) {
  ///   print(snapshot.rows.map(\.title))
  /// }
  /// ```
  ///
  /// The loop runs on the context's actor, and the query is kept up to date as long as it does.
  /// - Throws: What the first fetch throws; `SyncReadError` for a key path that leads along no relationship.
  public func snapshots<Model: PersistentModel>(of shape: SyncQueryShape<Model>) throws -> SyncSnapshots<Model> {
    let query = try LiveRows(shape, in: core)
    keepUpToDate(query)
    if let failure = query.failure { throw failure }
    return SyncSnapshots(keeping: query, in: self)
  }

  /// The same for a fetch descriptor. What is stored counts, whatever its `includePendingChanges` says.
  /// - Throws: as `snapshots(of:)` for a shape.
  public func snapshots<Model: PersistentModel>(
    of descriptor: FetchDescriptor<Model>
  ) throws -> SyncSnapshots<Model> {
    try snapshots(
      of: SyncQueryShape(
        predicate: descriptor.predicate, sortBy: descriptor.sortBy, limit: descriptor.fetchLimit,
        offset: descriptor.fetchOffset))
  }
}
