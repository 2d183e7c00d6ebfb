import Records

extension SyncPass {
  /// Finds the identities of the batch's rows.
  ///
  /// - Throws: `EntangledRows` for a row that is there twice, if the rows come in batches: all objects of a row are taken
  ///   together.
  func takeRows(identity: IdentityPlan) throws {
    for position in batch.rows {
      if digests.isHit(position) { continue }
      guard let row = batch.value(position) else { continue }
      let values = batch.values(position, by: target.identityReader)
      if let stored = request.scope.row {
        try take(row, position, stored, identity.find(in: values))
        continue
      }
      guard let found = identity.find(in: values), let slot = target.identities.slot(for: found.value) else {
        if let value = identity.unreadable(in: values) { throw unreadable(value, position, in: target) }
        if identity.isConverted, !rows.isCollection {
          throw invalid(target, "the object has no identity (looked for under \(identity.keyNames))")
        }
        report.note(
          .init(row: position, pointer: pointer(toRow: position), entity: target.name, reason: .noIdentity),
          in: \.skippedRows)
        continue
      }
      let item = PayloadItem(
        node: row.index, row: position, identityNode: found.node.index, isNested: false, slot: slot)
      if target.append(item) { continue }
      if rows.isDivided { throw EntangledRows() }
      target.batch.hasScatteredItems = true
    }
  }

  /// Takes an object for a row that is given.
  ///
  /// - Throws: `SyncError.invalidPayload` if there is no such row.
  private func take(_ object: PayloadValue, _ position: Int, _ row: RowNumber, _ found: IdentityPlan.Found?) throws {
    guard try transaction.contains(row, of: target.entity) else {
      throw invalid(target, "row \(row.rawValue) is not stored")
    }
    let slot = target.identities.slot(forAnonymous: row)
    _ = target.append(
      PayloadItem(
        node: object.index, row: position, identityNode: found?.node.index ?? 0, isNested: false, slot: slot))
  }

  /// The error for a value that should be an identity, and can't be.
  func unreadable(_ value: PayloadValue, _ row: Int, in pass: EntityPass) -> SyncError {
    let type = pass.plan.identity.map { " (\($0.attribute.type))" } ?? ""
    return invalid(pass, "\(text(of: value)) at \(pointer(toRow: row, node: value.index)) can't be an identity\(type)")
  }

  /// - Throws: `SyncError.invalidPayload` if there are rows but none has an identity: then the payload isn't what it is said
  ///   to be, and taking it for an empty one would delete everything.
  func checkIdentities(_ identity: IdentityPlan) throws {
    guard target.listed.isEmpty, digests.known.foundCount == 0, rows.count > 0, rows.isCollection else { return }
    throw invalid(target, "none of the \(rows.count) rows has an identity (looked for under \(identity.keyNames))")
  }

  /// Finds the rows of all identities, and what every object of the payload does, level by level of nesting.
  func resolve() throws {
    try removeDuplicates()
    while true {
      for pass in entities { _ = try resolveIdentities(of: pass, ofPayloadRows: false) }
      // What a level brings forth is the next level, also in the entities of this one.
      let ends = entities.map(\.batch.items.count)
      var isDone = true
      for (pass, end) in zip(entities, ends) {
        while pass.batch.firstOpenItem < end {
          try checkCancellation()
          try decide(pass.batch.firstOpenItem, of: pass)
          pass.batch.firstOpenItem += 1
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
    report.removedDuplicates.append(.init(entity: target.name, count: duplicates.count))
    // A cascade may have reached rows that were found.
    target.identities.forgetRows()
    _ = try resolveIdentities(of: target, ofPayloadRows: true)
  }

  /// Settles what an object does with its row, and reads what it says about relationships.
  private func decide(_ position: Int, of pass: EntityPass) throws {
    let item = pass.batch.items[position]
    if item.isOnlyShown { return try showNestedObjects(of: item, in: pass) }
    let isNew: Bool
    switch pass.slot(item.slot).state {
    case .stored, .created:
      try noteRead(item, of: pass)
      if try isKept(item, of: pass) { return }
      isNew = false
    default:
      guard item.isNested ? rules.insertsNestedRows : rules.insertsRows else {
        return try showNestedObjects(of: item, in: pass)
      }
      if try staysDeleted(item, of: pass) { return }
      if let members = pass.plan.members, members.own == nil {
        throw invalid(
          pass, "\(place(of: item, in: pass)) is new, and all rows of \(pass.name) are rows of its sub-entities")
      }
      pass.identities[item.slot].state = .created
      isNew = true
    }
    let noteCount = report.noteCount
    defer { if report.noteCount != noteCount { pass.batch.dependentSlots.insert(item.slot) } }
    pass.batch.items[position].appliesAttributes =
      isNew || (item.isNested ? rules.updatesNestedRows : rules.updatesRows)
    guard !pass.plan.relationships.isEmpty,
      isNew ? rules.linksNewRows : item.isNested ? rules.linksStoredNestedRows : rules.linksStoredRows
    else { return try showNestedObjects(of: item, in: pass) }
    let wayBack = item.isNested ? pass.batch.waysBack[position] : nil
    let start = pass.batch.links.count
    let values = values(of: item, in: pass)
    for (relationship, plan) in pass.plan.relationships.enumerated() {
      guard !isGiven(plan.relationship, of: item, in: pass), let found = plan.find(in: values) else { continue }
      let isWayBack = wayBack == plan.relationship.id
      if isWayBack, !plan.relationship.isToMany { continue }
      try LinkDiscovery(pass: self, owner: pass, item: item, relationship: relationship, isAddition: isWayBack)
        .read(found.value, shape: found.shape)
    }
    pass.batch.items[position].links = start..<pass.batch.links.count
    if report.noteCount != noteCount { try checkWindow(changing: item.slot, of: pass) }
  }

  /// Notes the objects that are nested in one which is left alone. It may not change them, but the payload shows that they exist.
  private func showNestedObjects(of item: PayloadItem, in pass: EntityPass) throws {
    guard !rules.isNestingStrict, rows.isCollection, request.missing == .delete, !pass.plan.relationships.isEmpty
    else { return }
    let values = values(of: item, in: pass)
    for plan in pass.plan.relationships {
      guard let found = plan.find(in: values), found.shape != .identities else { continue }
      let destination = try self.pass(for: plan.destinationName)
      for object in found.value.kind == .object ? [found.value] : Array(found.value.elements) {
        guard let found = destination.plan.identity?.find(in: destination.identityReader.read(object)),
          let slot = destination.identities.slot(for: found.value)
        else { continue }
        if rows.isDivided { throw EntangledRows() }
        destination.batch.hasScatteredItems = true
        _ = destination.append(
          PayloadItem(
            node: object.index, row: item.row, identityNode: found.node.index, isNested: true, isOnlyShown: true,
            slot: slot))
      }
    }
  }

  /// Where an object's values are.
  func values(of item: PayloadItem, in pass: EntityPass) -> RowValues {
    item.isNested ? pass.reader.read(value(item.node)) : batch.values(item.row, by: pass.reader)
  }
}
