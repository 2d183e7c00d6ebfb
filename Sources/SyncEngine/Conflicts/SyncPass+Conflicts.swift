import Records

/// Deciding what becomes of rows that were changed here and not pushed yet (contract, 13.6, with B-19 and B-28).
///
/// Nothing is written while it is decided, like everything else in the phase that looks rows up.
extension SyncPass {
  /// Whether the row of an object stays as it is here.
  func isKept(_ item: PayloadItem, of pass: EntityPass) throws -> Bool {
    guard let dirty = pass.dirty, let row = pass.slot(item.slot).row, let entry = dirty[row] else { return false }
    // What the row will be isn't told by the text alone.
    pass.batch.dependentSlots.insert(item.slot)
    if dirty.decisions[item.slot] == nil, item.isNested, !rules.updatesNestedRows { return true }
    let server = try serverRow(of: item, in: pass)
    if dirty.decisions[item.slot] == .overwrite || isAuthoritative(item, of: pass) {
      dirty.overwrite(row, slot: item.slot, by: server)
      return false
    }
    let stored = try storedValues(server, of: row, in: pass)
    let base = entry.hasBase ? try transaction.pushBase(of: row, pass.entity) : nil
    let comparison = RowComparison(
      server, stored, base, unanswered: entry.isHandedOut ? entry.changed : PropertySet(), pass.entity)
    var taken: [ServerValue] = []
    if !comparison.differences.isEmpty {
      var conflict = try conflict(.changedOnBoth, comparison, of: item, row: row, in: pass)
      conflict.lists = try differingLists(of: item, row: row, in: pass)
      conflict.resolution = try resolution(of: conflict, comparison, in: pass)
      switch conflict.resolution {
      case .local: break
      case .server:
        conflict.takeServerValues { _ in true }
        note(conflict)
        dirty.overwrite(row, slot: item.slot, by: server)
        return false
      case .merge(let names):
        taken = server.values.filter { names.contains($0.name) }
        conflict.takeServerValues(names.contains)
      }
      note(conflict)
    }
    dirty.keep(row, slot: item.slot, comparison, taking: taken)
    return true
  }

  /// Whether the row that an object means, and that was deleted here, stays deleted. One that was given another identity here is there
  /// under that.
  func staysDeleted(_ item: PayloadItem, of pass: EntityPass) throws -> Bool {
    guard let dirty = pass.dirty else { return false }
    guard let entry = dirty.deleted(item.slot) else {
      if case .serverWins = request.conflicts { return false }
      return dirty.isFormer(item.slot) && !isAuthoritative(item, of: pass)
    }
    let server = try serverRow(of: item, in: pass)
    if dirty.decisions[item.slot] == .overwrite || isAuthoritative(item, of: pass) {
      dirty.overwrite(entry.row, slot: item.slot, by: server)
      return false
    }
    let base = entry.hasBase ? try transaction.pushBase(of: entry.row, pass.entity) : nil
    let comparison = RowComparison(server, nil, base, pass.entity)
    if comparison.differences.isEmpty || dirty.decisions[item.slot] == .keep { return true }
    var conflict = try conflict(.deletedHere, comparison, of: item, row: nil, in: pass)
    conflict.resolution = isForServer(conflict) ? .server : .local
    let comesBack = conflict.resolution == .server
    if comesBack { conflict.takeServerValues { _ in true } }
    note(conflict)
    if comesBack {
      dirty.overwrite(entry.row, slot: item.slot, by: server)
    } else {
      dirty.keep(entry.row, slot: item.slot, comparison, taking: [])
    }
    return !comesBack
  }

  /// Whether a row that the payload doesn't list stays because of what was changed here.
  func isKept(missing row: RowNumber) throws -> Bool {
    guard let entry = target.dirty?[row] else { return try isKeptForRows(below: row) }
    // No server has heard of it, so none can list it.
    if entry.isInserted { return true }
    var conflict = conflict(.missingOnServer, of: try identityText(ofRow: row, in: target) ?? "", target.name)
    let isKept = !isForServer(conflict)
    conflict.resolution = isKept ? .local : .server
    note(conflict)
    return try isKept || isKeptForRows(below: row)
  }

  /// Whether a row that the payload doesn't list stays because others would go with it, by a cascade, that were changed here. They would
  /// be lost without having been pushed, or lose a link that is theirs (B-19).
  private func isKeptForRows(below row: RowNumber) throws -> Bool {
    var conflicts: [SyncReport.Conflict] = []
    var isKept = false
    for dirty in try transaction.dirtyRows(below: row, of: target.entity) {
      let conflict = conflict(.ownerMissingOnServer, of: dirty.identity.reportText, dirty.entity.name)
      conflicts.append(conflict)
      isKept = isKept || !isForServer(conflict, ofRowMadeHere: dirty.entry.isInserted)
    }
    for var conflict in conflicts {
      conflict.resolution = isKept ? .local : .server
      note(conflict)
    }
    return isKept
  }

  /// The members of a relationship that stay where they are because they were changed here; nil if there are none. Where linking
  /// changes nothing of theirs, they are like all others.
  func dirtyMembers(of link: PayloadLink, in pass: EntityPass) -> DirtyRows? {
    if case .serverWins = request.conflicts { return nil }
    guard pass.plan.relationships[link.relationship].isMutual else { return nil }
    return pass.destinations[link.relationship]?.dirty
  }

  /// Whether an object is what the whole sync is about: how an application adopts the server's version.
  private func isAuthoritative(_ item: PayloadItem, of pass: EntityPass) -> Bool {
    !rows.isCollection && pass === target && !item.isNested
  }

  // MARK: Policies

  private func resolution(
    of conflict: SyncReport.Conflict, _ comparison: RowComparison, in pass: EntityPass
  ) throws -> SyncConflictResolution {
    switch request.conflicts {
    case .localWins: return .local
    case .serverWins: return .server
    case .newestByAttribute(let timestamp):
      return comparison.newest(by: timestamp).map { .merge(server: $0) } ?? .local
    case .custom(let decide):
      let resolution = decide(conflict)
      if case .merge(let names) = resolution { try checkNames(names, of: pass) }
      return resolution
    }
  }

  /// - Throws: `SyncError.schemaValidation` for a name that no property of any model has whose rows can be changed offline: what was
  /// meant would silently stay as it is here. One closure may name what several models have.
  private func checkNames(_ names: Set<String>, of pass: EntityPass) throws {
    let plan = pass.plan
    var unknown = names.subtracting(plan.attributes.map(\.name) + plan.relationships.map(\.name))
    if unknown.isEmpty { return }
    for entity in transaction.catalog.offlineEntities {
      unknown.subtract(entity.attributes.map(\.name) + entity.relationships.map(\.name))
    }
    if unknown.isEmpty { return }
    throw SyncError.schemaValidation(
      reason: "The conflict policy merges \(unknown.sorted().joined(separator: ", ")) from the server, which neither "
        + "\(pass.name) has nor another model whose changes are pushed.")
  }

  /// Whether the server's side counts where one side has no row.
  private func isForServer(_ conflict: SyncReport.Conflict, ofRowMadeHere isMadeHere: Bool = false) -> Bool {
    switch request.conflicts {
    case .localWins, .newestByAttribute: false
    // It has said nothing against a row that it has never heard of.
    case .serverWins: !isMadeHere
    case .custom(let decide): decide(conflict) == .server
    }
  }

  // MARK: Reports

  private func conflict(
    _ kind: SyncReport.Conflict.Kind, _ comparison: RowComparison, of item: PayloadItem, row: RowNumber?,
    in pass: EntityPass
  ) throws -> SyncReport.Conflict {
    let values = try comparison.differences.map { difference in
      let destination = difference.server.destination
      return SyncReport.Conflict.Value(
        property: difference.server.name, base: try difference.base.flatMap { try baseValue($0, destination) },
        local: try difference.local.map { try syncValue($0, destination) },
        server: try syncValue(difference.server.value, destination))
    }
    let identity = try row.flatMap { try identityText(ofRow: $0, in: pass) } ?? identityText(of: item, in: pass)
    return SyncReport.Conflict(
      row: item.row, pointer: pointer(toRow: item.row, node: item.node), entity: pass.name, identity: identity,
      kind: kind, values: values)
  }

  private func conflict(
    _ kind: SyncReport.Conflict.Kind, of identity: String, _ entity: String
  ) -> SyncReport.Conflict {
    SyncReport.Conflict(row: nil, pointer: "", entity: entity, identity: identity, kind: kind, values: [])
  }

  /// Nil for a content outside of the record, of which only is known whether another one is the same.
  private func baseValue(_ value: FieldValue, _ destination: String?) throws -> SyncValue? {
    if case .external = value { return nil }
    return try syncValue(value, destination)
  }

  private func syncValue(_ value: FieldValue, _ destination: String?) throws -> SyncValue {
    guard let destination, case .uint(let number) = value else { return SyncValue(value) }
    return .row(try identityText(ofRow: RowNumber(rawValue: number), in: self.pass(for: destination)) ?? "")
  }

  private func note(_ conflict: SyncReport.Conflict) { report.note(conflict, in: \.conflicts) }
}

extension SyncReport.Conflict {
  fileprivate mutating func takeServerValues(_ isTaken: (String) -> Bool) {
    for position in values.indices { values[position].isServerTaken = isTaken(values[position].property) }
  }
}
