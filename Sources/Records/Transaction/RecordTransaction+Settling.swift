import KeyValueStore

extension RecordTransaction {
  /// Applies the buffered changes of an index in key order.
  func applyChanges(of index: Index) throws {
    let table = tables.indexes[index.slot]
    // Taken out, so that nothing is copied while it is drained; what is added meanwhile would be lost, and nothing is.
    var buffer = IndexWriteBuffer()
    swap(&buffer, &indexBuffers[index.slot])
    defer { swap(&buffer, &indexBuffers[index.slot]) }
    try transaction.withCursor(in: table) { cursor in
      let lastKey = try lastKey(of: index, at: cursor)
      try transaction.withSortedWriter(in: table) { writer in
        try buffer.drain { key, changes in
          guard let last = changes.last else { return }
          if last.isExclusive {
            // Behind the last key there is none to conflict with, which saves a batch of new rows the look-ups. A key that is
            // too long to lie in order may exist all the same.
            let mayHaveOwner =
              key.count > IndexEntry.orderedKeyBytesMax || lastKey.withUnsafeBytes { key.compare($0) <= 0 }
            let owner = mayHaveOwner ? try owner(of: key, index: index, at: cursor) : nil
            try applyExclusive(changes, key: key, owner: owner, index: index, writer: writer)
          } else if !last.isAddition {
            _ = try writer.delete(key)
          } else {
            try IndexEntry.withValue(of: last.row, under: key, in: index) { try writer.put($0, for: key) }
          }
        }
      }
    }
  }

  /// Applies the changes of a key that at most one row may have when they are through.
  ///
  /// Rows may have passed the key on among themselves (two rows that swap their values do), so only the last change of each
  /// row counts.
  private func applyExclusive(
    _ changes: ArraySlice<IndexWriteBuffer.Change>, key: UnsafeRawBufferPointer, owner: RowNumber?, index: Index,
    writer: SortedWriter
  ) throws {
    // An owner that is not among the changes keeps its key.
    var claimants = owner.map { owner in changes.contains { $0.row == owner } ? [] : [owner] } ?? []
    for position in changes.indices where changes[position].isAddition {
      let row = changes[position].row
      if !changes[(position + 1)...].contains(where: { $0.row == row }) { claimants.append(row) }
      if claimants.count > 1 { throw conflict(claimants[0], claimants[1], index: index) }
    }
    if claimants.first == owner { return }
    if let row = claimants.first {
      try IndexEntry.withValue(of: row, under: key, in: index) { try writer.put($0, for: key) }
    } else {
      try writer.delete(key)
    }
  }

  /// The last key of an index; empty when there is none. It is checked, because a key that is not what was written does not
  /// tell how far the index goes.
  private func lastKey(of index: Index, at cursor: Cursor) throws -> [UInt8] {
    guard try cursor.last() else { return [] }
    _ = try row(ofEntry: cursor.key, cursor.value, of: index)
    return [UInt8](try cursor.key)
  }

  private func owner(of key: UnsafeRawBufferPointer, index: Index, at cursor: Cursor) throws -> RowNumber? {
    let table = tables.indexes[index.slot]
    guard key.count <= IndexEntry.orderedKeyBytesMax else {
      return try transaction.withValue(for: key, in: table) { try row(ofEntry: key, $0, of: index) }
    }
    var owner: RowNumber?
    try forEachEntry(at: cursor, startingWith: key, of: index, in: table) { row in
      owner = row
      return .stop
    }
    return owner
  }

  private func conflict(_ row: RowNumber, _ otherRow: RowNumber, index: Index) -> any Error {
    do {
      let entity = catalog.entities.first { $0.id == index.entity }
      guard let entity else { return RecordError.damagedCatalog(reason: "An index has no entity.") }
      let values = try withRecord(otherRow, of: entity) { record in
        index.attributes.map { record.value($0.field).text }
      }
      return RecordError.uniqueConflict(
        entity: entity.name, attributes: index.attributes.map(\.name),
        value: (values ?? []).joined(separator: ", "), row: row, otherRow: otherRow)
    } catch {
      return error
    }
  }

  /// Applies the buffered changes of a to-many direction in key order. Every row that it gives a member to must exist.
  func applyChanges(of direction: LinkDirection) throws {
    guard let table = tables.links[direction.slot] else { return }
    var buffer = LinkWriteBuffer()
    swap(&buffer, &linkBuffers[direction.slot])
    defer { swap(&buffer, &linkBuffers[direction.slot]) }
    let entity = catalog.entities[direction.entitySlot]
    var lastOwner: RowNumber?
    try transaction.withSortedWriter(in: table) { writer in
      try buffer.drain { change in
        try change.key.withBytes { key in
          guard change.isAddition else {
            _ = try writer.delete(key)
            return
          }
          if change.key.owner != lastOwner {
            guard try exists(change.key.owner, of: entity) else {
              throw RecordError.noSuchRow(entity: entity.name, row: change.key.owner)
            }
            lastOwner = change.key.owner
          }
          try LinkValue(rank: change.rank).withBytes(under: change.key, of: direction.id) {
            try writer.put($0, for: key)
          }
        }
      }
    }
  }

  /// `contains`, without a look-up for the rows that this transaction made.
  private func exists(_ row: RowNumber, of entity: Entity) throws -> Bool {
    if capture.isAliveInsert(row, entitySlot: entity.slot) { return true }
    return try contains(row, of: entity)
  }
}
