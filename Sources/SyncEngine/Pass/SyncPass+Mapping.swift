import Records

extension SyncPass {
  /// How often progress is reported.
  private static let progressSteps = 100

  /// Writes every row that an object speaks about.
  func mapRows() throws {
    // Entities that were come across later are mostly the far ends of the others' links, and these need them stored.
    for pass in entities.reversed() {
      let progressStride = max(1, rows.count / Self.progressSteps)
      var rowCount = digests.hits.count
      try pass.forEachRow { slot, items in
        try checkCancellation()
        let noteCount = report.noteCount
        try mapRow(slot, items, of: pass)
        if report.noteCount != noteCount { pass.dependentSlots.insert(slot) }
        rowCount += 1
        if pass === target, rowCount % progressStride == 0 { noteProgress(rowCount) }
      }
    }
    for link in deferredLinks { try setDeferredLink(link) }
  }

  private func mapRow(_ slot: Int, _ items: ArraySlice<PayloadItem>, of pass: EntityPass) throws {
    switch pass.slot(slot)?.state {
    case .created:
      pass.builder.reset()
      try apply(items, slot: slot, isNew: true, of: pass)
      try writeIdentity(items, of: pass)
      try checkRequiredAttributes(items, of: pass)
      let row = try transaction.insert(&pass.builder, into: pass.entity)
      pass.identities?.setRow(row, of: slot)
      for field in pass.plan.toOneFields { pass.linkChanges.note(slot, from: nil, to: pass.builder.row(field)) }
    case .stored:
      guard let row = pass.slot(slot)?.row, items.contains(where: { $0.appliesAttributes || !$0.links.isEmpty })
      else { return }
      let isThere: Void? = try transaction.withRecord(row, of: pass.entity) { pass.builder.load($0) }
      guard isThere != nil else { throw RecordError.noSuchRow(entity: pass.entity.name, row: row) }
      pass.formerDestinations.removeAll(keepingCapacity: true)
      for field in pass.plan.toOneFields { pass.formerDestinations.append(pass.builder.row(field)) }
      try apply(items, slot: slot, isNew: false, of: pass)
      if try transaction.update(row, of: pass.entity, with: &pass.builder) != nil {
        pass.changedSlots.insert(slot)
        for (field, old) in zip(pass.plan.toOneFields, pass.formerDestinations) {
          pass.linkChanges.note(slot, from: old, to: pass.builder.row(field))
        }
      }
    default:
      return
    }
  }

  private func apply(_ items: ArraySlice<PayloadItem>, slot: Int, isNew: Bool, of pass: EntityPass) throws {
    let firstDeferred = deferredLinks.count
    for item in items {
      if item.appliesAttributes {
        pass.reader.read(value(item.node))
        for value in pass.reader.repetitions { noteRepeatedKey(of: value, in: item, pass) }
        try AttributeMapping(pass: self, owner: pass, item: item, isNew: isNew).apply()
      }
      for link in pass.links[item.links] { setToOneLink(link, of: item, in: pass, firstDeferred: firstDeferred) }
    }
    if let parent = scope.parent, pass === target, items.contains(where: { !$0.isNested }) {
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
    for plan in pass.plan.requiredAttributes where pass.builder.isNull(plan.attribute.field) {
      guard let item = items.first else { return }
      let keys = plan.candidates.map(\.name).joined(separator: " or ")
      throw invalid(
        pass, "\(place(of: item, in: pass)) is new and has no \(plan.attribute.name) (looked for under \(keys))")
    }
  }

  // MARK: To-one links

  private func setToOneLink(_ link: PayloadLink, of item: PayloadItem, in pass: EntityPass, firstDeferred: Int) {
    let plan = pass.plan.relationships[link.relationship]
    guard let field = plan.relationship.field else { return }
    if link.kind == .clear {
      guard operations.contains(.delete), !plan.relationship.description.isRequired else { return }
      if plan.holdsMembers, !pass.builder.isNull(field) {
        noteIgnored(value(link.node), plan.relationship, of: item, in: pass, reason: .memberNeedsOwner)
        return
      }
      pass.builder.setRow(field, nil)
      removeDeferredLink(plan.relationship, from: firstDeferred)
      return
    }
    guard operations.canLink, let position = link.targets.first, let destination = pass.destinations[link.relationship],
      let target = destination.slot(pass.targets[position])
    else { return }
    if let row = target.row {
      pass.builder.setRow(field, row)
      removeDeferredLink(plan.relationship, from: firstDeferred)
    } else if target.state == .created {
      removeDeferredLink(plan.relationship, from: firstDeferred)
      deferredLinks.append(
        DeferredLink(
          owner: pass, slot: item.slot, relationship: plan, destination: destination, target: pass.targets[position]))
    } else if link.kind == .references {
      noteIgnored(value(link.node), plan.relationship, of: item, in: pass, reason: .unknownIdentity)
    }
  }

  /// A later object for the same row says something else.
  private func removeDeferredLink(_ relationship: Relationship, from first: Int) {
    guard first < deferredLinks.count else { return }
    if let position = deferredLinks[first...].firstIndex(where: { $0.relationship.relationship === relationship }) {
      deferredLinks.remove(at: position)
    }
  }

  private func setDeferredLink(_ link: DeferredLink) throws {
    try checkCancellation()
    guard let field = link.relationship.relationship.field, let row = link.owner.slot(link.slot)?.row,
      let target = link.destination.slot(link.target)?.row
    else { return }
    _ = try transaction.withRecord(row, of: link.owner.entity) { link.owner.builder.load($0) }
    let former = link.owner.builder.row(field)
    link.owner.builder.setRow(field, target)
    if try transaction.update(row, of: link.owner.entity, with: &link.owner.builder) != nil {
      link.owner.changedSlots.insert(link.slot)
      link.owner.linkChanges.note(link.slot, from: former, to: target)
    }
  }
}
