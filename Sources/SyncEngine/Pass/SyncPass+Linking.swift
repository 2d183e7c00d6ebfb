import Records

extension SyncPass {
  /// Sets the to-many relationships that objects speak about.
  func linkRows() throws {
    for pass in entities where pass.plan.relationships.contains(where: \.relationship.isToMany) {
      try pass.forEachRow { slot, items in
        guard pass.slot(slot).row != nil else { return }
        try checkCancellation()
        let noteCount = report.noteCount
        for item in items {
          for link in pass.batch.links[item.links]
          where pass.plan.relationships[link.relationship].relationship.isToMany {
            let targets = pass.batch.targets[link.targets]
            if mustWait(link, targets, in: pass) {
              try checkWindow(lacking: true, in: pass)
              deferred.append(link, targets: targets, of: item)
            } else {
              try setMembers(link, targets, of: item, in: pass)
            }
          }
        }
        if report.noteCount != noteCount {
          try checkWindow(changing: slot, of: pass)
          pass.batch.dependentSlots.insert(slot)
        }
      }
    }
  }

  /// Whether a list may name rows that come later, or stands behind one that does.
  private func mustWait(_ link: PayloadLink, _ targets: ArraySlice<Int>, in pass: EntityPass) -> Bool {
    guard rows.isDivided else { return false }
    if deferred.defersMembers(of: link.relationship) { return true }
    return targets.contains { pass.destinations[link.relationship]?.slot($0).row == nil }
  }

  /// Changes the members of a relationship, and notes what became of them.
  func setMembers(
    _ link: PayloadLink, _ targets: some Collection<Int>, of item: PayloadItem, in pass: EntityPass
  ) throws {
    let owner = pass.slot(item.slot)
    guard let row = owner.row else { return }
    let changes = try changeMembers(
      link, targets, owner: row, isNew: owner.state == .created, of: item, in: pass)
    if changes.isEmpty { return }
    try checkWindow(changing: item.slot, of: pass)
    pass.identities[item.slot].isChanged = true
    noteLinks(of: item.slot, in: pass, linked: changes.addedCount, unlinked: changes.removedCount)
  }

  /// Changes the members of a relationship by what the operations allow.
  ///
  /// - Returns: What became of the members. Their order alone is no reason to write.
  private func changeMembers(
    _ link: PayloadLink, _ targets: some Collection<Int>, owner: RowNumber, isNew: Bool, of item: PayloadItem,
    in pass: EntityPass
  ) throws -> MemberChanges {
    let plan = pass.plan.relationships[link.relationship]
    let mayUnlink = rules.canUnlink && !link.isAddition
    if link.kind == .clear, !mayUnlink { return MemberChanges() }
    var wanted = wantedMembers(link, targets, of: item, in: pass)
    let held = heldMembers(of: plan.relationship)
    if !held.isEmpty, owner != scope?.parent?.row { wanted.removeAll(where: held.contains) }
    let dirty = dirtyMembers(of: link, in: pass)
    if isNew, dirty == nil, !plan.holdsMembers, rules.canLink, mayUnlink {
      return try transaction.setMembers(of: plan.relationship, owner: owner, to: wanted)
    }
    let current = try transaction.members(of: plan.relationship, owner: owner)
    let isWanted = RowSet(wanted)
    let isCurrent = RowSet(current)
    func isDirty(_ row: RowNumber) -> Bool { dirty?[row] != nil }
    var kept =
      mayUnlink
      ? current.filter { isWanted.contains($0) || held.contains($0) || isDirty($0) } : current
    if dirty != nil,
      kept.contains(where: { isDirty($0) && !isWanted.contains($0) })
        || wanted.contains(where: { isDirty($0) && !isCurrent.contains($0) })
    {
      noteIgnored(value(link.node), plan, of: item, in: pass, reason: .memberHasLocalChanges)
    }
    if plan.holdsMembers, kept.count < current.count, !link.deletesOrphans {
      noteIgnored(value(link.node), plan, of: item, in: pass, reason: .memberNeedsOwner)
      kept = current
    }
    let added = rules.canLink ? wanted.filter { !isCurrent.contains($0) && !isDirty($0) } : []
    var members = kept + added
    if plan.isOrdered {
      let isMember = RowSet(members)
      members = wanted.filter(isMember.contains) + members.filter { !isWanted.contains($0) }
    }
    if added.isEmpty, kept.count == current.count, !plan.isOrdered || members == current { return MemberChanges() }
    if link.deletesOrphans { try noteOrphans(of: plan, among: current, without: kept) }
    return try transaction.setMembers(of: plan.relationship, owner: owner, to: members)
  }

  /// The rows that a link names, each once. Identities without a row are left out.
  private func wantedMembers(
    _ link: PayloadLink, _ targets: some Collection<Int>, of item: PayloadItem, in pass: EntityPass
  ) -> [RowNumber] {
    guard let destination = pass.destinations[link.relationship] else { return [] }
    var wanted = RowSet(capacity: targets.count)
    for (offset, slot) in targets.enumerated() {
      if let row = destination.slot(slot).row {
        wanted.insert(row)
      } else if link.kind == .references, let element = value(link.node).element(offset) {
        noteIgnored(
          element, pass.plan.relationships[link.relationship], of: item, in: pass,
          reason: .unknownIdentity)
      }
    }
    return wanted.rows
  }

  /// - Throws: `SyncError.invalidPayload` if a new row lacks a link that its entity requires.
  func checkRequiredLinks() throws {
    for pass in entities {
      for plan in pass.plan.requiredRelationships {
        try pass.forEachRow { slot, items in
          let owner = pass.slot(slot)
          guard owner.state == .created, let row = owner.row, let item = items.first else { return }
          if try transaction.destination(of: plan.relationship, row: row) == nil {
            throw leadsNowhere(item, plan, in: pass)
          }
        }
      }
    }
  }

  func leadsNowhere(_ item: PayloadItem, _ plan: RelationshipPlan, in pass: EntityPass) -> SyncError {
    invalid(pass, "\(place(of: item, in: pass)) is new and leads nowhere as \(plan.name)")
  }
}
