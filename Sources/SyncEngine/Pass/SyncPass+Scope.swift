import Records

/// What a pass knows of its scope before it writes anything.
struct PassScope {
  /// The relationship by which all rows of the payload lead to one row.
  struct Parent {
    let relationship: Relationship
    let field: FieldIndex
    let row: RowNumber
  }

  var parent: Parent?
  /// The rows that the parent has. Nil if there is no parent, or if the pass has no use for them.
  var members: Set<RowNumber>?
  /// The rows that are deleted unless the payload lists them; nil for all rows of the entity.
  var candidates: [RowNumber]?
  /// Whether an identity means a row of the parent, and other parents may have rows with the same one.
  var hasOwnIdentities = false
  /// The payload's own rows, once somebody has asked for them.
  fileprivate var heldRows: Set<RowNumber>?
}

extension SyncPass {
  /// Finds the parent and the rows of the request's scope.
  ///
  /// - Throws: `SyncError.invalidPayload` if the parent isn't there.
  func findScope() throws {
    var scope = PassScope()
    if let parent = try request.scope.parent.map(findParent) {
      scope.parent = parent
      scope.hasOwnIdentities = target.plan.members == nil && !target.entity.hasUniqueIdentity
      if rows.isCollection {
        let members = try transaction.rows(linkedTo: parent.row, by: parent.relationship)
        scope.members = Set(members)
        scope.candidates = members
      }
    }
    defer { self.scope = scope }
    if case .always = request.scope.condition { return }
    guard rows.isCollection else { return }
    var conditions = [request.scope.condition]
    if let parent = scope.parent { conditions.insert(.destination(parent.relationship, .isRow([parent.row])), at: 0) }
    scope.candidates = try transaction.rows(transaction.plan(RecordQuery(target.entity, where: .all(conditions))))
  }

  private func findParent(_ parent: SyncScope.Parent) throws -> PassScope.Parent {
    guard let relationship = target.entity.relationships.first(where: { $0.name == parent.relationship }),
      let field = relationship.field, let destination = transaction.catalog[relationship.destination]
    else { throw invalid(target, "\(parent.relationship) is no to-one relationship") }
    guard try transaction.contains(parent.row, of: destination) else {
      throw invalid(
        target,
        "the parent must be resolved in the context used for the sync: \(destination.name) row \(parent.row.rawValue) is not stored"
      )
    }
    return PassScope.Parent(relationship: relationship, field: field, row: parent.row)
  }

  /// Looks up the identities that an entity's map does not know yet.
  ///
  /// - Returns: The rows that share their identity with a row that was found.
  func resolveIdentities(of pass: EntityPass, ofPayloadRows: Bool) throws -> [RowNumber] {
    guard pass === target, let scope, scope.hasOwnIdentities, let parent = scope.parent else {
      guard let members = pass.plan.members else { return try pass.identities.resolve(in: transaction) }
      return try pass.identities.resolve(in: transaction) { row in try self.standing(of: row, members, in: pass) }
    }
    let (transaction, members) = (transaction, scope.members)
    return try pass.identities.resolve(in: transaction) { row in
      let isMember =
        try members?.contains(row) ?? (transaction.destination(of: parent.relationship, row: row) == parent.row)
      return isMember ? .meant : ofPayloadRows ? .other : .substitute
    }
  }

  /// In a shared table each entity has identities of its own. An identity means the entity's own row, or else one of a special case
  /// of it.
  private func standing(
    of row: RowNumber, _ members: PlannedMembers, in pass: EntityPass
  ) throws -> IdentityMap.Standing {
    let kind = try transaction.withRecord(row, of: pass.entity) { $0.value(members.field) }
    guard let kind, members.all.contains(kind) else { return .other }
    return kind == members.own ? .meant : .substitute
  }

  /// Whether a payload object has no say in a relationship, because the scope's parent is given for it.
  func isGiven(_ relationship: Relationship, of item: PayloadItem, in pass: EntityPass) -> Bool {
    !item.isNested && pass === target && relationship === scope?.parent?.relationship
  }

  /// The members of a relationship that stay with the given parent: the payload's own rows, if the relationship is the parent's
  /// way to them. Asked when all rows are written.
  func heldMembers(of relationship: Relationship) -> Set<RowNumber> {
    guard let parent = scope?.parent, relationship.inverse == parent.relationship.id else { return [] }
    if let rows = scope?.heldRows { return rows }
    let rows = Set(target.batch.items.lazy.filter { !$0.isNested }.compactMap { self.target.slot($0.slot).row })
    scope?.heldRows = rows
    return rows
  }

  /// Gives the parent of a one-to-one relationship its row back, if an object of the payload has paired either with another row.
  func holdPartner() throws {
    guard let parent = scope?.parent, let last = target.batch.items.last(where: { !$0.isNested }),
      let row = target.slot(last.slot).row,
      let inverse = transaction.catalog[parent.relationship.destination]?.relationships
        .first(where: { $0.id == parent.relationship.inverse && !$0.isToMany }),
      try transaction.destination(of: inverse, row: parent.row) != row
    else { return }
    _ = try transaction.withRecord(row, of: target.entity) { target.builder.load($0) }
    target.builder.setRow(parent.field, parent.row)
    _ = try transaction.update(row, of: target.entity, with: &target.builder)
    target.identities[last.slot].isChanged = true
  }
}

extension SyncPass {
  /// Gives the parent's list of rows the order of the payload, if its order counts. What the payload doesn't list stands behind.
  func orderMembersOfParent() throws {
    guard request.scope.parent?.isOrdered == true, let parent = scope?.parent,
      let inverse = transaction.catalog[parent.relationship.destination]?.relationships
        .first(where: { $0.id == parent.relationship.inverse && $0.isToMany })
    else { return }
    let members = try transaction.members(of: inverse, owner: parent.row)
    let isMember = RowSet(members)
    let listed = target.listed.filter { $0.position < .max }.compactMap { target.slot(Int($0.slot)).row }
      .filter(isMember.contains)
    let isListed = RowSet(listed)
    let ordered = listed + members.filter { !isListed.contains($0) }
    if ordered != members { _ = try transaction.setMembers(of: inverse, owner: parent.row, to: ordered) }
  }
}

extension Entity {
  /// Whether no two rows can have one identity, by whatever declaration.
  fileprivate var hasUniqueIdentity: Bool {
    indexes.contains { $0.isUnique && $0.attributes.count == 1 && $0.attributes[0] === identity }
  }
}
