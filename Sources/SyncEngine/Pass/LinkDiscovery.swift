import Records

/// Reads what one object says about one relationship: the identities in it become slots, the nested objects items of the next
/// level. Nothing is written yet.
struct LinkDiscovery {
  let pass: SyncPass
  let owner: EntityPass
  let item: PayloadItem
  /// The position of the relationship in the owner's plan.
  let relationship: Int
  /// Whether a list says only what is added, because the object is nested in one that it may leave out.
  let isAddition: Bool

  private var plan: RelationshipPlan { owner.plan.relationships[relationship] }

  func read(_ value: PayloadValue, shape: RelationshipKeys.Shape) throws {
    if value.isNull { return append(.clear, value, shape, targets: owner.batch.targets.count) }
    guard !hasEmptyObject(value), let destination = try destination() else { return }
    if plan.relationship.isToMany {
      try readMany(value, shape: shape, destination: destination)
    } else {
      try readOne(value, shape: shape, destination: destination)
    }
  }

  /// An empty object says nothing, not even which row it means: an export has it where an object contains itself. A list
  /// with one in it does not say what is missing in it either.
  private func hasEmptyObject(_ value: PayloadValue) -> Bool {
    switch value.kind {
    case .object: value.count == 0
    case .array: value.elements.contains { $0.kind == .object && $0.count == 0 }
    default: false
    }
  }

  private func readOne(_ value: PayloadValue, shape: RelationshipKeys.Shape, destination: EntityPass) throws {
    let start = owner.batch.targets.count
    if value.kind == .object, shape != .identities, destination.plan.identity != nil || !pass.rules.isNestingStrict {
      if let slot = try nest(value, in: destination) ?? nestWithoutIdentity(value, in: destination) {
        owner.batch.targets.append(slot)
        append(.objects, value, shape, targets: start)
      }
    } else if shape != .objects, let slot = try slot(ofReference: value, in: destination) {
      owner.batch.targets.append(slot)
      append(.references, value, shape, targets: start)
    } else {
      pass.noteIgnored(value, plan, of: item, in: owner, reason: .mismatchedValue)
    }
  }

  private func readMany(_ value: PayloadValue, shape: RelationshipKeys.Shape, destination: EntityPass) throws {
    let start = owner.batch.targets.count
    let isEmpty = value.kind == .array && value.count == 0
    if isEmpty {
      append(shape == .identities ? .references : .objects, value, shape, targets: start)
    } else if value.kind == .array, shape != .identities, destination.plan.identity != nil,
      value.elements.allSatisfy({ $0.kind == .object })
    {
      for element in value.elements {
        if let slot = try nest(element, in: destination) {
          owner.batch.targets.append(slot)
        } else if !pass.rules.isNestingStrict {
          pass.noteSkipped(element, of: item, in: destination)
        } else if pass.rules.insertsNestedRows {
          throw missingIdentity(destination)
        }
      }
      append(.objects, value, shape, targets: start)
    } else if isListOfUnknowns(value, in: destination) {
      throw pass.invalid(
        destination,
        "\(pass.place(of: item, in: owner)): the objects under \(plan.name) can't be told apart, for want of an identity"
      )
    } else if value.kind == .array, shape != .objects, try appendReferences(value, destination: destination) {
      append(.references, value, shape, targets: start)
    } else {
      owner.batch.targets.removeSubrange(start...)
      pass.noteIgnored(value, plan, of: item, in: owner, reason: .mismatchedValue)
    }
  }

  /// Whether a value is a list of objects that can't be told apart. Those that were made of it could never be found again.
  private func isListOfUnknowns(_ value: PayloadValue, in destination: EntityPass) -> Bool {
    !pass.rules.isNestingStrict && destination.plan.identity == nil && value.kind == .array
      && value.elements.allSatisfy { $0.kind == .object }
  }

  /// Whether all elements are identities of the destination; their slots are then among the targets. One that isn't makes
  /// the whole list void: a list of which a part is unknown says nothing about what is missing in it.
  private func appendReferences(_ list: PayloadValue, destination: EntityPass) throws -> Bool {
    for element in list.elements {
      if let slot = try slot(ofReference: element, in: destination) {
        owner.batch.targets.append(slot)
        continue
      }
      let isMixed = list.elements.contains { $0.kind != .object }
      if destination.plan.identity?.isConverted == true, isMixed {
        throw pass.unreadable(element, item.row, in: destination)
      }
      return false
    }
    return true
  }

  private func slot(ofReference value: PayloadValue, in destination: EntityPass) throws -> Int? {
    guard let identity = destination.plan.identity else { return nil }
    guard let reference = identity.reference(value) else {
      let isContainer = value.kind == .object || value.kind == .array
      if identity.isConverted, !isContainer { throw pass.unreadable(value, item.row, in: destination) }
      return nil
    }
    return destination.identities.slot(for: reference)
  }

  // MARK: Nested objects

  /// Makes an object with an identity an item of the next level.
  ///
  /// - Returns: Its slot, nil if it has no identity.
  private func nest(_ object: PayloadValue, in destination: EntityPass) throws -> Int? {
    let values = destination.identityReader.read(object)
    guard let identity = destination.plan.identity else { return nil }
    guard let found = identity.find(in: values), let slot = destination.identities.slot(for: found.value) else {
      if let value = identity.unreadable(in: values) { throw pass.unreadable(value, item.row, in: destination) }
      return nil
    }
    try append(object, identityNode: found.node.index, slot: slot, in: destination)
    return slot
  }

  /// An object without identity means the row that the owner is linked to; if there is none, it may be a new row.
  ///
  /// - Returns: The slot of a new row; nil if there is none to be linked.
  /// - Throws: `SyncError.invalidPayload` if a new row can't be made for lack of an identity.
  private func nestWithoutIdentity(_ object: PayloadValue, in destination: EntityPass) throws -> Int? {
    // It may be a row that objects of other windows name by an identity.
    if pass.rows.isDivided { throw EntangledRows() }
    let current = try currentRow()
    if pass.rules.updatesNestedRows, let current, let slot = try slot(of: current, in: destination) {
      try append(object, identityNode: 0, slot: slot, in: destination)
      return nil
    }
    guard pass.rules.insertsNestedRows else { return nil }
    if pass.rules.isNestingStrict { throw missingIdentity(destination) }
    if current != nil { return nil }
    let slot = pass.newRowSlot(for: item, relationship, of: owner, in: destination)
    try append(object, identityNode: 0, slot: slot, in: destination)
    return slot
  }

  private func currentRow() throws -> RowNumber? {
    guard let row = owner.slot(item.slot).row else { return nil }
    return try pass.transaction.destination(of: plan.relationship, row: row)
  }

  private func slot(of row: RowNumber, in destination: EntityPass) throws -> Int? {
    if let identity = destination.plan.identity {
      let value = try pass.transaction.withRecord(row, of: destination.entity) { $0.value(identity.attribute.field) }
      if let value, let slot = destination.identities.slot(forStored: row, identity: value) { return slot }
    }
    return pass.rules.isNestingStrict ? nil : destination.identities.slot(forAnonymous: row)
  }

  private func append(_ object: PayloadValue, identityNode: Int, slot: Int, in destination: EntityPass) throws {
    try pass.checkWindow(nesting: slot, in: destination)
    owner.batch.dependentSlots.insert(item.slot)
    destination.batch.hasScatteredItems = true
    if !pass.rules.isNestingStrict {
      destination.batch.waysBack[destination.batch.items.count] = plan.relationship.inverse
    }
    _ = destination.append(
      PayloadItem(node: object.index, row: item.row, identityNode: identityNode, isNested: true, slot: slot))
  }

  private func missingIdentity(_ destination: EntityPass) -> SyncError {
    let keys = destination.plan.identity?.keyNames ?? ""
    return pass.invalid(
      destination,
      "\(pass.place(of: item, in: owner)): an object under \(plan.name) has no identity (looked for under \(keys))"
    )
  }

  // MARK: Links

  private func append(
    _ kind: PayloadLink.Kind, _ value: PayloadValue, _ shape: RelationshipKeys.Shape, targets start: Int
  ) {
    // A list of identities says what is linked, one of objects what there is.
    let deletesOrphans =
      pass.rules.deletesOrphans && kind != .references && shape != .identities && plan.relationship.isToMany
      && plan.isExclusive && !isAddition
    owner.append(
      PayloadLink(
        relationship: relationship, kind: kind, isAddition: isAddition, deletesOrphans: deletesOrphans,
        node: value.index, targets: start..<owner.batch.targets.count))
  }

  private func destination() throws -> EntityPass? {
    if let known = owner.destinations[relationship] { return known }
    let destination = try pass.pass(for: plan.destinationName)
    try pass.checkWindow(reaching: destination, from: owner)
    owner.destinations[relationship] = destination
    return destination
  }
}
