import KeyValueStore

/// What became of the members of a to-many relationship.
package struct MemberChanges: Sendable, Equatable {
  package var addedCount = 0
  package var removedCount = 0
  /// Whether members that stayed stand in another order now.
  package var isReordered = false

  /// No changes.
  package init() {}

  /// Whether they are the same, in the same order.
  package var isEmpty: Bool { addedCount == 0 && removedCount == 0 && !isReordered }
}

extension RecordTransaction {
  /// Makes a to-many relationship of a row lead to exactly these rows, in this order. A row that is named twice counts at its
  /// first place.
  ///
  /// Rows that were members before keep their links; only what differs is written. Where the other direction is to-one, a new
  /// member leaves its previous owner.
  ///
  /// - Returns: What changed: the set of members, or their order.
  /// - Throws: `RecordError.noSuchRow`, here or when the buffered links are applied, for a row that does not exist;
  ///   `.wrongCardinality` for a to-one relationship.
  package func setMembers(of relationship: Relationship, owner: RowNumber, to members: [RowNumber]) throws
    -> MemberChanges
  {
    let direction = try toMany(relationship)
    return try changing {
      if hasNoMembers(owner, in: direction) { return try setFirstMembers(members, of: owner, in: direction) }
      var changes = MemberChanges()
      var current = try currentMembers(of: owner, in: direction)
      var rankMax: UInt64 = 0
      var seen = SeenRows(members)
      for (position, member) in members.enumerated() where seen.isFirst(member, at: position) {
        let rank = current.takeRank(of: member)
        // Ranks only grow, so a member behind one that got a new rank needs a new one too.
        if let rank, rank > rankMax {
          rankMax = rank
          continue
        }
        rankMax = try takeRank()
        if rank == nil {
          changes.addedCount += 1
          try addMember(member, to: owner, rank: rankMax, in: direction)
        } else {
          changes.isReordered = true
          try add(member, to: owner, rank: rankMax, in: direction)
        }
      }
      for member in current.remaining {
        changes.removedCount += 1
        try removeMember(member, from: owner, in: direction)
      }
      if !changes.isEmpty { noteUpdated(owner, in: direction) }
      return changes
    }
  }

  /// Adds rows to a to-many relationship of a row, behind the others. Rows that are members already stay where they are.
  ///
  /// - Returns: Whether any row was added.
  /// - Throws: As `setMembers(of:owner:to:)`.
  package func insertMembers(_ members: [RowNumber], of relationship: Relationship, owner: RowNumber) throws -> Bool {
    let direction = try toMany(relationship)
    return try changing {
      // All look-ups come first, because a look-up applies what is buffered.
      var seen = SeenRows(members)
      let new = try members.indices.filter { position in
        try seen.isFirst(members[position], at: position) && !isMember(members[position], of: owner, in: direction)
      }
      for position in new { try addMember(members[position], to: owner, rank: takeRank(), in: direction) }
      if !new.isEmpty { noteUpdated(owner, in: direction) }
      return !new.isEmpty
    }
  }

  /// Removes rows from a to-many relationship of a row.
  ///
  /// - Returns: Whether any of them was a member.
  /// - Throws: `RecordError.wrongCardinality` for a to-one relationship.
  package func removeMembers(_ members: [RowNumber], of relationship: Relationship, owner: RowNumber) throws -> Bool {
    let direction = try toMany(relationship)
    return try changing {
      var seen = SeenRows(members)
      let gone = try members.indices.filter { position in
        try seen.isFirst(members[position], at: position) && isMember(members[position], of: owner, in: direction)
      }
      for position in gone { try removeMember(members[position], from: owner, in: direction) }
      if !gone.isEmpty { noteUpdated(owner, in: direction) }
      return !gone.isEmpty
    }
  }

  private func toMany(_ relationship: Relationship) throws -> LinkDirection {
    guard relationship.isToMany else { throw RecordError.wrongCardinality(relationship: relationship.direction.name) }
    return relationship.direction
  }

  private func isMember(_ member: RowNumber, of owner: RowNumber, in direction: LinkDirection) throws -> Bool {
    guard let table = tables.links[direction.slot] else { return false }
    try settle(direction, for: owner)
    return try LinkKey(owner: owner, member: member).withBytes { try snapshot.contains($0, in: table) }
  }

  /// Whether a row is one that this transaction made and that was given no members yet: the table need not be asked.
  private func hasNoMembers(_ owner: RowNumber, in direction: LinkDirection) -> Bool {
    capture.isAliveInsert(owner, entitySlot: direction.entitySlot)
      && linkBuffers[direction.slot].hasNothing(for: owner)
  }

  /// `setMembers` for a row that has none, where nothing can stay and nothing has to go.
  private func setFirstMembers(
    _ members: [RowNumber], of owner: RowNumber, in direction: LinkDirection
  ) throws -> MemberChanges {
    var changes = MemberChanges()
    var seen = SeenRows(members)
    for (position, member) in members.enumerated() where seen.isFirst(member, at: position) {
      changes.addedCount += 1
      try addMember(member, to: owner, rank: takeRank(), in: direction)
    }
    if !changes.isEmpty { noteUpdated(owner, in: direction) }
    return changes
  }

  private func currentMembers(of owner: RowNumber, in direction: LinkDirection) throws -> CurrentMembers {
    var result = CurrentMembers()
    try forEachLink(of: direction, owner: owner) { row, rank in
      result.append(row, rank: rank)
      return .continue
    }
    return result
  }

  // MARK: Both directions at once

  /// Links a row that is not a member of the owner yet, in both directions.
  private func addMember(
    _ member: RowNumber, to owner: RowNumber, rank: UInt64, in direction: LinkDirection
  ) throws {
    let inverse = catalog.inverse(of: direction)
    try add(member, to: owner, rank: rank, in: direction)
    if inverse.isToMany {
      try add(owner, to: member, rank: rank, in: inverse)
      noteUpdated(member, in: inverse)
    } else {
      let entity = catalog.entities[inverse.entitySlot]
      let previous = try withRecord(member, of: entity) { record in inverse.field.flatMap(record.row) } ?? nil
      if let previous {
        linkBuffers[direction.slot].remove(member, from: previous)
        noteUpdated(previous, in: direction)
      }
      try setField(of: inverse, row: member, to: owner)
    }
  }

  /// Unlinks a member, in both directions.
  private func removeMember(_ member: RowNumber, from owner: RowNumber, in direction: LinkDirection) throws {
    let inverse = catalog.inverse(of: direction)
    linkBuffers[direction.slot].remove(member, from: owner)
    if inverse.isToMany {
      linkBuffers[inverse.slot].remove(owner, from: member)
      noteUpdated(member, in: inverse)
    } else {
      try setField(of: inverse, row: member, to: nil)
    }
  }

  /// Adds the other direction of a to-one link that was written into the row's record.
  func link(_ row: RowNumber, to target: RowNumber, through direction: LinkDirection) throws {
    let inverse = catalog.inverse(of: direction)
    try add(row, to: target, rank: takeRank(), in: inverse)
    noteUpdated(target, in: inverse)
  }

  /// Removes the other direction of a to-one link.
  func unlink(_ row: RowNumber, from target: RowNumber, through direction: LinkDirection) {
    let inverse = catalog.inverse(of: direction)
    linkBuffers[inverse.slot].remove(row, from: target)
    noteUpdated(target, in: inverse)
  }

  private func add(_ member: RowNumber, to owner: RowNumber, rank: UInt64, in direction: LinkDirection) throws {
    linkBuffers[direction.slot].add(member, to: owner, rank: rank)
    if linkBuffers[direction.slot].isFull { try settle(direction, for: nil) }
  }

  func noteUpdated(_ row: RowNumber, in direction: LinkDirection) {
    if let property = direction.propertyIndex {
      capture.noteUpdated(row, property: property, entitySlot: direction.entitySlot)
    }
  }
}
