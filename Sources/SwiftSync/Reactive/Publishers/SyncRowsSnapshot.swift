import Records

/// What a live query had at one moment: its rows in order, and which of them had changed since when.
///
/// The list is of one committed state of the store and stays as it is. The objects in it are the context's own, which go on to show
/// what is stored later.
public struct SyncRowsSnapshot<Model: PersistentModel> {
  /// The number of this value among those of the query. A later one has a greater number; some may never be delivered.
  public let version: Int
  /// The objects, in order.
  public let rows: [Model]
  /// Why the last fetch failed, or that the store is closed: the rows are those from before. Nil if all is well.
  public let failure: (any Error)?
  let rowNumbers: [RowNumber]
  /// In which version a row, or what is shown with it, was last changed; those that were not since the query began are missing.
  let rowVersions: [RowNumber: Int]

  /// The identifiers of the objects.
  public var identifiers: [PersistentIdentifier] { rows.map(\.persistentModelID) }

  /// The first object: the one there is, if the query is about a single row.
  public var row: Model? { rows.first }

  /// What turns an earlier value of the same query into this one, as views of lists want to be told. It is computed by this call, in
  /// O(n log n).
  public func difference(from earlier: SyncRowsSnapshot) -> SyncRowsDifference {
    SyncRowsDifference(from: earlier.rowNumbers, to: rowNumbers) { (rowVersions[$0] ?? 0) > earlier.version }
  }
}
