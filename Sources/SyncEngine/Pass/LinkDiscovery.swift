import Records

/// Reads what one object says about one relationship: the identities in it become slots, the nested objects items of the next
/// level. Nothing is written yet.
struct LinkDiscovery {
  let pass: SyncPass
  let owner: EntityPass
  let item: PayloadItem
  /// The position of the relationship in the owner's plan.
  let relationship: Int

  private var plan: RelationshipPlan { owner.plan.relationships[relationship] }

  func read(_ value: PayloadValue, shape: RelationshipKeys.Shape) throws {
    if value.isNull { return append(.clear, value, targets: owner.batch.targets.count) }
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
    if value.kind == .object, shape != .identities, destination.plan.identity != nil {
      if let slot = try nest(value, in: destination) {
        owner.batch.targets.append(slot)
        append(.objects, value, targets: start)
      } else {
        try nestInCurrent(value, destination: destination)
      }
    } else if shape != .objects, let slot = slot(ofReference: value, in: destination) {
      owner.batch.targets.append(slot)
      append(.references, value, targets: start)
    } else {
      pass.noteIgnored(value, plan.relationship, of: item, in: owner, reason: .mismatchedValue)
    }
  }

  private func readMany(_ value: PayloadValue, shape: RelationshipKeys.Shape, destination: EntityPass) throws {
    let start = owner.batch.targets.count
    let isEmpty = value.kind == .array && value.count == 0
    if isEmpty {
      append(.references, value, targets: start)
    } else if value.kind == .array, shape != .identities, destination.plan.identity != nil,
      value.elements.allSatisfy({ $0.kind == .object })
    {
      for element in value.elements {
        if let slot = try nest(element, in: destination) {
          owner.batch.targets.append(slot)
        } else if pass.operations.contains(.insert) {
          throw missingIdentity(destination)
        }
      }
      append(.objects, value, targets: start)
    } else if value.kind == .array, shape != .objects, appendReferences(value, destination: destination) {
      append(.references, value, targets: start)
    } else {
      owner.batch.targets.removeSubrange(start...)
      pass.noteIgnored(value, plan.relationship, of: item, in: owner, reason: .mismatchedValue)
    }
  }

  /// Whether all elements are identities of the destination; their slots are then among the targets. One that isn't makes
  /// the whole list void: a list of which a part is unknown says nothing about what is missing in it.
  private func appendReferences(_ list: PayloadValue, destination: EntityPass) -> Bool {
    for element in list.elements {
      guard let slot = slot(ofReference: element, in: destination) else { return false }
      owner.batch.targets.append(slot)
    }
    return true
  }

  private func slot(ofReference value: PayloadValue, in destination: EntityPass) -> Int? {
    guard let identity = destination.plan.identity,
      let reference = Coercion.reference(value, to: identity.attribute.type)
    else { return nil }
    return destination.identities?.slot(for: reference)
  }

  // MARK: Nested objects

  /// Makes an object with an identity an item of the next level.
  ///
  /// - Returns: Its slot, nil if it has no identity.
  private func nest(_ object: PayloadValue, in destination: EntityPass) throws -> Int? {
    let values = destination.identityReader.read(object)
    guard let found = destination.plan.identity?.find(in: values),
      let slot = destination.identities?.slot(for: found.value)
    else { return nil }
    try append(object, identityNode: found.node.index, slot: slot, in: destination)
    return slot
  }

  /// An object without identity means the row that the owner is linked to.
  ///
  /// - Throws: `SyncError.invalidPayload` if there is none, and a new row can't be made for lack of an identity.
  private func nestInCurrent(_ object: PayloadValue, destination: EntityPass) throws {
    if pass.operations.contains(.update), let slot = try currentSlot(in: destination) {
      try append(object, identityNode: 0, slot: slot, in: destination)
    } else if pass.operations.contains(.insert) {
      throw missingIdentity(destination)
    }
  }

  private func currentSlot(in destination: EntityPass) throws -> Int? {
    guard let row = owner.slot(item.slot)?.row, let identity = destination.plan.identity,
      let current = try pass.transaction.destination(of: plan.relationship, row: row),
      let value = try pass.transaction.withRecord(
        current, of: destination.entity, { $0.value(identity.attribute.field) })
    else { return nil }
    return destination.identities?.slot(forStored: current, identity: value)
  }

  /// - Throws: `EntangledRows` if the rows come in batches: a nested object may speak of any row.
  private func append(_ object: PayloadValue, identityNode: Int, slot: Int, in destination: EntityPass) throws {
    if pass.rows.isDivided { throw EntangledRows() }
    owner.batch.dependentSlots.insert(item.slot)
    destination.batch.hasScatteredItems = true
    _ = destination.append(
      PayloadItem(node: object.index, row: item.row, identityNode: identityNode, isNested: true, slot: slot))
  }

  private func missingIdentity(_ destination: EntityPass) -> SyncError {
    let keys = destination.plan.identity.map { ($0.own + $0.aliases).map(\.name).joined(separator: ", ") } ?? ""
    return pass.invalid(
      destination,
      "\(pass.place(of: item, in: owner)): an object under \(plan.relationship.name) has no identity (looked for under \(keys))"
    )
  }

  // MARK: Links

  private func append(_ kind: PayloadLink.Kind, _ value: PayloadValue, targets start: Int) {
    owner.append(
      PayloadLink(
        relationship: relationship, kind: kind, node: value.index, targets: start..<owner.batch.targets.count))
  }

  private func destination() throws -> EntityPass? {
    if let known = owner.destinations[relationship] { return known }
    let destination = try plan.destination.map { try pass.pass(for: $0) }
    owner.destinations[relationship] = destination
    return destination
  }
}
