import Records

extension SyncPass {
  /// Deletes the rows of the scope that the payload doesn't list.
  ///
  /// A row that is only mentioned inside of another row is listed too: the payload shows that it exists, and it would be made
  /// anew the next time.
  func deleteMissingRows() throws {
    guard rows.isCollection, request.missing == .delete else { return }
    let listed = ListedRows(target, and: digests.known)
    // What an object stands for must be there afterwards, whatever leads to it.
    let shown = rules.isNestingStrict ? [:] : listedRows()
    // What shares its identity with a row that is listed is listed too: the payload doesn't say otherwise.
    let namesakes = target.identities.namesakes
    let localLinks = try LocalLinks(in: transaction)
    for row in try candidates(listed: listed) where !namesakes.contains(row) {
      try checkCancellation()
      if try isKept(missing: row) { continue }
      if target.deletedIdentities.count < SyncReport.detailsMax, let identity = try identityText(ofRow: row, in: target)
      {
        target.deletedIdentities.append(identity)
      }
      try deleteMissing(
        row, localLinks, sparing: shown.isEmpty ? nil : { shown[$0]?.contains($1) == true })
    }
  }

  private func candidates(listed: ListedRows) throws -> [RowNumber] {
    if let candidates = scope?.candidates { return candidates.filter { !listed.contains($0) } }
    guard try transaction.count(of: target.entity) > listed.rows.count else { return [] }
    var missing: [RowNumber] = []
    var listed = listed.rows[...]
    try transaction.forEachRow(of: target.entity) { row in
      while let next = listed.first, next < row { listed.removeFirst() }
      if listed.first != row { missing.append(row) }
    }
    return missing
  }
}

/// The rows that a payload shows to exist, each once, in ascending order.
private struct ListedRows {
  private(set) var rows: [RowNumber] = []

  init(_ pass: EntityPass, and known: KnownRows) {
    rows = known.found
    rows.reserveCapacity(rows.count + pass.listed.count)
    for listed in pass.listed {
      if let row = pass.slot(Int(listed.slot)).row { rows.append(row) }
    }
    // The two parts have no row in common, and no slot has another's.
    rows.sort()
  }

  func contains(_ row: RowNumber) -> Bool { rows.position(of: row) != nil }
}
