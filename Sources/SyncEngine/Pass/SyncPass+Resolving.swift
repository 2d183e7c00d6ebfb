import Records

extension SyncPass {
  /// Finds the identities of the payload's rows.
  ///
  /// - Throws: `SyncError.invalidPayload` if there are rows but none has an identity: then the payload isn't what it is said
  ///   to be, and taking it for an empty one would delete everything.
  func takeRows(identity: IdentityPlan) throws {
    target.items.reserveCapacity(rows.count - digests.hits.count)
    for position in 0..<rows.count {
      if digests.isKnown(position) { continue }
      let row = try rows.value(position)
      target.identityReader.read(row)
      guard let found = identity.find(in: target.identityReader), let slot = target.identities?.slot(for: found.value)
      else {
        report.note(
          .init(
            row: position, pointer: rows.pointer(toRow: position), entity: target.entity.name, reason: .noIdentity),
          in: \.skippedRows)
        continue
      }
      // An identity that was there before is not the newest slot.
      if slot != target.items.count { target.hasScatteredItems = true }
      target.items.append(
        PayloadItem(
          node: row.index, row: position, identityNode: found.node.index, isNested: false, slot: slot))
    }
    if target.items.isEmpty, digests.hits.isEmpty, rows.count > 0, rows.isCollection {
      let keys = (identity.own + identity.aliases).map(\.name).joined(separator: ", ")
      throw invalid(target, "none of the \(rows.count) rows has an identity (looked for under \(keys))")
    }
  }

  /// Finds the rows of all identities, and what every object of the payload does, level by level of nesting.
  func resolve() throws {
    try removeDuplicates()
    while true {
      for pass in entities { _ = try resolveIdentities(of: pass, ofPayloadRows: false) }
      // What a level brings forth is the next level, also in the entities of this one.
      let ends = entities.map(\.items.count)
      var isDone = true
      for (pass, end) in zip(entities, ends) {
        while pass.firstOpenItem < end {
          try checkCancellation()
          try decide(pass.firstOpenItem, of: pass)
          pass.firstOpenItem += 1
          isDone = false
        }
      }
      if isDone { return }
    }
  }

  /// Deletes the stored rows that share their identity with another row, if the payload lists it. The row with the lowest
  /// number is kept.
  private func removeDuplicates() throws {
    let duplicates = try resolveIdentities(of: target, ofPayloadRows: true)
    guard !duplicates.isEmpty, rows.isCollection else { return }
    for duplicate in duplicates {
      try checkCancellation()
      _ = try transaction.delete(duplicate, of: target.entity)
    }
    report.removedDuplicates.append(.init(entity: target.entity.name, count: duplicates.count))
    // A cascade may have reached rows that were found.
    target.identities?.forgetRows()
    _ = try resolveIdentities(of: target, ofPayloadRows: true)
  }

  /// Settles what an object does with its row, and reads what it says about relationships.
  private func decide(_ position: Int, of pass: EntityPass) throws {
    let item = pass.items[position]
    let isNew: Bool
    switch pass.slot(item.slot)?.state {
    case .stored, .created:
      try checkIsUnknown(item, of: pass)
      isNew = false
    default:
      guard !item.isNested || operations.contains(.insert) else { return }
      pass.identities?.markCreated(item.slot)
      isNew = true
    }
    let noteCount = report.noteCount
    defer { if report.noteCount != noteCount { pass.dependentSlots.insert(item.slot) } }
    pass.items[position].appliesAttributes = isNew || !item.isNested || operations.contains(.update)
    guard operations.includesRelationships(ofNewRow: isNew), !pass.plan.relationships.isEmpty else { return }
    let start = pass.links.count
    pass.reader.read(value(item.node))
    for (relationship, plan) in pass.plan.relationships.enumerated() {
      guard !isGiven(plan.relationship, of: item, in: pass), let found = plan.find(in: pass.reader) else { continue }
      try LinkDiscovery(pass: self, owner: pass, item: item, relationship: relationship)
        .read(found.value, shape: found.shape)
    }
    pass.items[position].links = start..<pass.links.count
  }
}
