import Records

extension SyncPass {
  /// Deletes the rows that the payload doesn't list.
  ///
  /// A row that is only mentioned inside of another row is listed too: the payload shows that it exists, and it would be made
  /// anew the next time.
  func deleteMissingRows() throws {
    var listed: Set<RowNumber> = []
    listed.reserveCapacity(target.items.count)
    target.forEachRow { slot, _ in
      if let row = target.slot(slot)?.row { listed.insert(row) }
    }
    guard try transaction.count(of: target.entity) > listed.count else { return }
    var missing: [RowNumber] = []
    try transaction.forEachRecord(of: target.entity) { row, _ in
      if !listed.contains(row) { missing.append(row) }
      return .continue
    }
    for row in missing {
      try checkCancellation()
      // A row may be gone already, by a cascade from one before it.
      _ = try transaction.delete(row, of: target.entity)
    }
  }
}
