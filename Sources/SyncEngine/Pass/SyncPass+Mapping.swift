import Records

extension SyncPass {
  /// How often progress is reported.
  private static let progressSteps = 100

  /// Writes every row that an object speaks about.
  func mapRows() throws {
    // Entities that were come across later are mostly the far ends of the others' links, and these need them stored.
    for pass in entities.reversed() {
      let progressStride = max(1, rows.count / Self.progressSteps)
      if pass === target { completedRows += digests.batchHitCount }
      try pass.forEachRow { slot, items in
        try checkCancellation()
        let noteCount = report.noteCount
        try mapRow(slot, items, of: pass)
        if report.noteCount != noteCount {
          try checkWindow(changing: slot, of: pass)
          pass.batch.dependentSlots.insert(slot)
        }
        guard pass === target else { return }
        completedRows += 1
        if completedRows % progressStride == 0 { noteProgress(completedRows) }
      }
    }
  }

  private func mapRow(_ slot: Int, _ items: ArraySlice<PayloadItem>, of pass: EntityPass) throws {
    switch pass.slot(slot).state {
    case .created where pass.slot(slot).row == nil:
      pass.builder.reset()
      for (field, value) in pass.plan.initialValues { pass.builder.set(field, value) }
      try apply(items, slot: slot, isNew: true, of: pass)
      try writeIdentity(items, of: pass)
      try checkRequiredAttributes(items, of: pass)
      let row = try transaction.insert(&pass.builder, into: pass.entity)
      pass.identities[slot].row = row
      for field in pass.plan.toOneFields { noteLink(of: slot, in: pass, from: nil, to: pass.builder.row(field)) }
    case .stored, .created:
      guard let row = pass.slot(slot).row, items.contains(where: { $0.appliesAttributes || !$0.links.isEmpty })
      else { return }
      try rewrite(row, slot: slot, of: pass) {
        try apply(items, slot: slot, isNew: false, of: pass)
        if pass === target, request.scope.row == row { try writeIdentity(items, of: pass) }
      }
    default:
      return
    }
  }

  /// Writes a stored row as a closure leaves it in the builder, and notes what became of it.
  func rewrite(_ row: RowNumber, slot: Int, of pass: EntityPass, _ change: () throws -> Void) throws {
    let isThere: Void? = try transaction.withRecord(row, of: pass.entity) { pass.builder.load($0) }
    guard isThere != nil else { throw RecordError.noSuchRow(entity: pass.name, row: row) }
    let former = pass.plan.toOneFields.map { pass.builder.row($0) }
    try change()
    guard try transaction.update(row, of: pass.entity, with: &pass.builder) != nil else { return }
    try checkWindow(changing: slot, of: pass)
    pass.identities[slot].isChanged = true
    for (field, old) in zip(pass.plan.toOneFields, former) {
      noteLink(of: slot, in: pass, from: old, to: pass.builder.row(field))
    }
  }

  private func apply(_ items: ArraySlice<PayloadItem>, slot: Int, isNew: Bool, of pass: EntityPass) throws {
    let firstDeferred = deferred.links.count
    for item in items {
      if item.appliesAttributes {
        let values = values(of: item, in: pass)
        let repetitions = item.isNested ? pass.reader.repetitions : batch.repetitions(item.row, by: pass.reader)
        for node in repetitions { noteRepeatedKey(of: value(node), in: item, pass) }
        if !pass.plan.keys.dotted.isEmpty { noteRepeatedKeys(behindDotsIn: values, of: item, pass) }
        try AttributeMapping(pass: self, owner: pass, item: item, isNew: isNew, values: values).apply()
      }
      for link in pass.batch.links[item.links] {
        try setToOneLink(link, of: item, in: pass, firstDeferred: firstDeferred)
      }
    }
    if let parent = scope?.parent, pass === target, items.contains(where: { !$0.isNested }) {
      // The given parent counts, whatever the payload says (contract, B-16).
      pass.builder.setRow(parent.field, parent.row)
      removeDeferredLink(parent.relationship, from: firstDeferred)
    }
  }

  private func writeIdentity(_ items: ArraySlice<PayloadItem>, of pass: EntityPass) throws {
    guard let identity = pass.plan.identity, let item = items.first(where: { $0.identityNode > 0 }),
      let result = Coercion.convert(value(item.identityNode), to: identity.attribute.type)
    else { return }
    result.value.write(to: identity.attribute.field, of: &pass.builder)
  }

  private func checkRequiredAttributes(_ items: ArraySlice<PayloadItem>, of pass: EntityPass) throws {
    guard pass.builder.lacks(pass.entity.requiredPresence) else { return }
    try checkWindow(lacking: true, in: pass)
    for plan in pass.plan.requiredAttributes where pass.builder.isNull(plan.attribute.field) {
      guard let item = items.first else { return }
      let keys = plan.candidates.map(\.name).joined(separator: " or ")
      throw invalid(
        pass, "\(place(of: item, in: pass)) is new and has no \(plan.name) (looked for under \(keys))")
    }
  }

  // MARK: To-one links

  private func setToOneLink(
    _ link: PayloadLink, of item: PayloadItem, in pass: EntityPass, firstDeferred: Int
  ) throws {
    let plan = pass.plan.relationships[link.relationship]
    guard let field = plan.relationship.field else { return }
    if link.kind == .clear {
      guard rules.canUnlink, !plan.relationship.description.isRequired else { return }
      if plan.holdsMembers, !pass.builder.isNull(field) {
        noteIgnored(value(link.node), plan, of: item, in: pass, reason: .memberNeedsOwner)
        return
      }
      pass.builder.setRow(field, nil)
      removeDeferredLink(plan.relationship, from: firstDeferred)
      return
    }
    guard rules.canLink, let position = link.targets.first, let destination = pass.destinations[link.relationship]
    else { return }
    let target = destination.slot(pass.batch.targets[position])
    if let row = target.row {
      if plan.isExclusive, pass.builder.row(field) != row, dirtyMembers(of: link, in: pass)?[row] != nil {
        noteIgnored(value(link.node), plan, of: item, in: pass, reason: .memberHasLocalChanges)
        return
      }
      pass.builder.setRow(field, row)
      removeDeferredLink(plan.relationship, from: firstDeferred)
    } else if target.state == .created || rows.isDivided && link.kind == .references {
      try checkWindow(lacking: target.state != .created, in: pass)
      // Of rows that come in batches, any may come later.
      removeDeferredLink(plan.relationship, from: firstDeferred)
      deferred.links.append(
        DeferredLinks.Link(
          owner: pass, slot: UInt32(truncatingIfNeeded: item.slot),
          relationship: UInt32(truncatingIfNeeded: link.relationship),
          target: UInt32(truncatingIfNeeded: pass.batch.targets[position]),
          row: UInt32(truncatingIfNeeded: item.row)))
    } else if link.kind == .references {
      noteIgnored(value(link.node), plan, of: item, in: pass, reason: .unknownIdentity)
    }
  }

  /// A later object for the same row says something else.
  private func removeDeferredLink(_ relationship: Relationship, from first: Int) {
    guard first < deferred.links.count else { return }
    let position = deferred.links[first...].firstIndex { link in
      link.owner.plan.relationships[Int(link.relationship)].relationship === relationship
    }
    if let position { deferred.links.remove(at: position) }
  }
}
