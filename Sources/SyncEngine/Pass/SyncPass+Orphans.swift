import Records

/// A row that was left out of the list of the only owner that it can have.
struct Orphan {
  let pass: EntityPass
  let row: RowNumber
  /// Where the row's record has its owner.
  let owner: FieldIndex
}

extension SyncPass {
  /// Notes the members that a list of objects leaves out.
  func noteOrphans(of plan: RelationshipPlan, among former: [RowNumber], without kept: [RowNumber]) throws {
    let pass = try pass(for: plan.destinationName)
    guard let owner = pass.entity.relationships.first(where: { $0.id == plan.relationship.inverse })?.field
    else { return }
    let isKept = RowSet(kept)
    for row in former where !isKept.contains(row) { orphans.append(Orphan(pass: pass, row: row, owner: owner)) }
  }

  /// Deletes the rows that were left out of a list, unless another owner took them, or the payload has an object for them: it shows
  /// that they exist.
  func deleteOrphans() throws {
    if orphans.isEmpty { return }
    let listed = listedRows()
    for orphan in orphans {
      try checkCancellation()
      let (pass, row) = (orphan.pass, orphan.row)
      if listed[pass.entity.id]?.contains(row) == true { continue }
      let owner = try transaction.withRecord(row, of: pass.entity) { $0.row(orphan.owner) }
      // Nil for a row that is gone already, by a cascade.
      guard let owner, owner == nil else { continue }
      if pass.deletedIdentities.count < SyncReport.detailsMax, let identity = try identityText(ofRow: row, in: pass) {
        pass.deletedIdentities.append(identity)
      }
      _ = try transaction.delete(row, of: pass.entity) { listed[$0]?.contains($1) == true }
    }
  }

  /// The rows that the payload has objects for, by their tables.
  func listedRows() -> [EntityID: Set<RowNumber>] {
    var listed: [EntityID: Set<RowNumber>] = [:]
    for pass in entities {
      listed[pass.entity.id, default: []].formUnion(pass.listed.compactMap { pass.slot(Int($0.slot)).row })
    }
    return listed
  }
}
