import Records

extension SyncPass {
  /// Deletes the rows of the scope that the payload doesn't list.
  ///
  /// A row that is only mentioned inside of another row is listed too: the payload shows that it exists, and it would be made
  /// anew the next time.
  func deleteMissingRows() throws {
    guard rows.isCollection, request.missing == .delete else { return }
    var listed: Set<RowNumber> = []
    listed.reserveCapacity(target.items.count)
    target.forEachRow { slot, _ in
      if let row = target.slot(slot)?.row { listed.insert(row) }
    }
    for row in try candidates(listed: listed) {
      try checkCancellation()
      if target.deletedIdentities.count < SyncReport.detailsMax, let identity = try identityText(ofRow: row, in: target)
      {
        target.deletedIdentities.append(identity)
      }
      // A row may be gone already, by a cascade from one before it.
      _ = try transaction.delete(row, of: target.entity)
    }
  }

  private func candidates(listed: Set<RowNumber>) throws -> [RowNumber] {
    if let candidates = scope.candidates { return candidates.filter { !listed.contains($0) } }
    guard try transaction.count(of: target.entity) > listed.count else { return [] }
    var missing: [RowNumber] = []
    try transaction.forEachRecord(of: target.entity) { row, _ in
      if !listed.contains(row) { missing.append(row) }
      return .continue
    }
    return missing
  }
}
