import Records

/// What is done when all rows are there.
extension SyncPass {
  // MARK: To-one links

  func setDeferredLinks() throws {
    for link in deferred.links { try set(link) }
  }

  private func set(_ link: DeferredLinks.Link) throws {
    try checkCancellation()
    let (pass, position) = (link.owner, Int(link.relationship))
    let plan = pass.plan.relationships[position]
    guard let field = plan.relationship.field, let row = pass.slot(Int(link.slot)).row else { return }
    guard let target = pass.destinations[position]?.slot(Int(link.target)).row else {
      return try reread(Int(link.row), slot: Int(link.slot)) { item, values in
        guard let found = plan.find(in: values) else { return }
        noteIgnored(found.value, plan, of: item, in: pass, reason: .unknownIdentity)
      }
    }
    _ = try transaction.withRecord(row, of: pass.entity) { pass.builder.load($0) }
    let former = pass.builder.row(field)
    pass.builder.setRow(field, target)
    if try transaction.update(row, of: pass.entity, with: &pass.builder) != nil {
      pass.identities[Int(link.slot)].isChanged = true
      noteLink(of: Int(link.slot), in: pass, from: former, to: target)
    }
  }

  // MARK: To-many relationships

  func setDeferredMembers() throws {
    for list in deferred.members {
      try checkCancellation()
      let slots = deferred.targets[Int(list.targets.lowerBound)..<Int(list.targets.upperBound)].map { Int($0) }
      let link = PayloadLink(
        relationship: Int(list.relationship), kind: list.kind, deletesOrphans: list.deletesOrphans, node: 0,
        targets: 0..<slots.count)
      let destination = target.destinations[link.relationship]
      let isComplete = slots.allSatisfy { destination?.slot($0).row != nil }
      if isComplete, !target.plan.relationships[link.relationship].holdsMembers, destination?.dirty == nil {
        let item = PayloadItem(node: 0, row: Int(list.row), identityNode: 0, isNested: false, slot: Int(list.slot))
        try setMembers(link, slots, of: item, in: target)
        continue
      }
      // The report may have something to say of it.
      try reread(Int(list.row), slot: Int(list.slot)) { item, values in
        guard let found = target.plan.relationships[link.relationship].find(in: values) else { return }
        let link = PayloadLink(
          relationship: link.relationship, kind: link.kind, deletesOrphans: link.deletesOrphans,
          node: found.value.index,
          targets: link.targets)
        try setMembers(link, slots, of: item, in: target)
      }
    }
  }

  /// Has a row of the target in hand again.
  private func reread(
    _ row: Int, slot: Int, _ body: (_ item: PayloadItem, _ values: RowValues) throws -> Void
  ) throws {
    try rereadBatch(of: row)
    guard let object = batch.value(row) else { return }
    let values = batch.values(row, by: target.reader)
    let item = PayloadItem(
      node: object.index, row: row, identityNode: target.plan.identity?.find(in: values)?.node.index ?? 0,
      isNested: false, slot: slot)
    let noteCount = report.noteCount
    try body(item, values)
    if report.noteCount != noteCount, let row = target.slot(slot).row { digests.remove(row) }
  }

  // MARK: Required links

  /// Notes the batch's new rows that lack a link which their entity requires. It may come later.
  func noteVacancies() throws {
    for plan in target.plan.requiredRelationships {
      try target.forEachRow { slot, items in
        let owner = target.slot(slot)
        guard owner.state == .created, let row = owner.row, let item = items.first,
          try transaction.destination(of: plan.relationship, row: row) == nil
        else { return }
        deferred.vacancies.append((UInt32(truncatingIfNeeded: slot), UInt32(truncatingIfNeeded: item.row)))
      }
    }
  }

  /// - Throws: `SyncError.invalidPayload` if a new row lacks a link that its entity requires.
  func checkVacancies() throws {
    for plan in target.plan.requiredRelationships {
      for (slot, row) in deferred.vacancies {
        guard let stored = target.slot(Int(slot)).row,
          try transaction.destination(of: plan.relationship, row: stored) == nil
        else { continue }
        try reread(Int(row), slot: Int(slot)) { item, _ in throw leadsNowhere(item, plan, in: target) }
      }
    }
  }
}
