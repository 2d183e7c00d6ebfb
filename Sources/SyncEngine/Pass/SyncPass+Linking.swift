import Records

extension SyncPass {
  /// Sets the to-many relationships that objects speak about.
  func linkRows() throws {
    for pass in entities where pass.plan.relationships.contains(where: \.relationship.isToMany) {
      try pass.forEachRow { slot, items in
        guard let owner = pass.slot(slot), let row = owner.row else { return }
        try checkCancellation()
        let noteCount = report.noteCount
        defer { if report.noteCount != noteCount { pass.dependentSlots.insert(slot) } }
        for item in items {
          for link in pass.links[item.links] where pass.plan.relationships[link.relationship].relationship.isToMany {
            let changes = try setMembers(link, owner: row, isNew: owner.state == .created, of: item, in: pass)
            if changes.isEmpty { continue }
            pass.changedSlots.insert(slot)
            pass.linkChanges.note(slot, linked: changes.addedCount, unlinked: changes.removedCount)
          }
        }
      }
    }
  }

  /// Changes the members of a relationship by what the operations allow.
  ///
  /// - Returns: What became of the members. Their order alone is no reason to write.
  private func setMembers(
    _ link: PayloadLink, owner: RowNumber, isNew: Bool, of item: PayloadItem, in pass: EntityPass
  ) throws -> MemberChanges {
    let plan = pass.plan.relationships[link.relationship]
    if link.kind == .clear, !operations.contains(.delete) { return MemberChanges() }
    var wanted = wantedMembers(link, of: item, in: pass)
    let held = heldMembers(of: plan.relationship)
    if !held.isEmpty, owner != scope.parent?.row { wanted.removeAll(where: held.contains) }
    if isNew, !plan.holdsMembers, operations.isSuperset(of: [.insert, .delete]) {
      return try transaction.setMembers(of: plan.relationship, owner: owner, to: wanted)
    }
    let current = try transaction.members(of: plan.relationship, owner: owner)
    let isWanted = RowSet(wanted)
    let isCurrent = RowSet(current)
    var kept = operations.contains(.delete) ? current.filter { isWanted.contains($0) || held.contains($0) } : current
    if plan.holdsMembers, kept.count < current.count {
      noteIgnored(value(link.node), plan.relationship, of: item, in: pass, reason: .memberNeedsOwner)
      kept = current
    }
    let added = operations.canLink ? wanted.filter { !isCurrent.contains($0) } : []
    if added.isEmpty, kept.count == current.count { return MemberChanges() }
    return try transaction.setMembers(of: plan.relationship, owner: owner, to: kept + added)
  }

  /// The rows that a link names, each once. Identities without a row are left out.
  private func wantedMembers(_ link: PayloadLink, of item: PayloadItem, in pass: EntityPass) -> [RowNumber] {
    guard let destination = pass.destinations[link.relationship] else { return [] }
    var wanted = RowSet(capacity: link.targets.count)
    for (offset, position) in link.targets.enumerated() {
      if let row = destination.slot(pass.targets[position])?.row {
        wanted.insert(row)
      } else if link.kind == .references, let element = value(link.node).element(offset) {
        noteIgnored(
          element, pass.plan.relationships[link.relationship].relationship, of: item, in: pass,
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
          guard let owner = pass.slot(slot), owner.state == .created, let row = owner.row, let item = items.first else {
            return
          }
          if try transaction.destination(of: plan.relationship, row: row) == nil {
            throw invalid(pass, "\(place(of: item, in: pass)) is new and leads nowhere as \(plan.relationship.name)")
          }
        }
      }
    }
  }
}
