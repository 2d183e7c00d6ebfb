import KeyValueStore

extension RecordTransaction {
  /// Deletes a row, together with the rows that its cascade rules reach, and every index entry and link of all of them.
  ///
  /// A row that stays loses its links to deleted rows whatever the delete rule says, because a link has two ends or none;
  /// `.nullify` and `.noAction` differ in nothing.
  ///
  /// What keeps a row from being deleted is judged when the transaction ends, so that rows may be deleted in any order. The
  /// transaction can only be committed if the rows that the deny rules of the deleted ones led to are gone too, and those
  /// that have lost the destination of a relationship that is not optional are gone or have another one.
  ///
  /// - Parameters:
  ///   - row: The row.
  ///   - entity: Its entity.
  ///   - isSpared: Whether a row that a cascade reaches stays, as it would with a rule that nullifies.
  /// - Returns: False when there is no such row.
  /// - Throws: `RecordError.damagedRecord` or `.damagedEntry` for what the rules lead to.
  package func delete(
    _ row: RowNumber, of entity: Entity, sparing isSpared: ((EntityID, RowNumber) -> Bool)? = nil
  ) throws -> Bool {
    guard try contains(row, of: entity) else { return false }
    let deletion = try cascade(from: Cascade.Target(entitySlot: entity.slot, row: row), sparing: isSpared)
    for target in deletion.targets.dropFirst() { try noteCascade(to: target) }
    try changing {
      for target in deletion.targets { try unlinkAndDelete(target, deletion: deletion) }
    }
    return true
  }

  /// How many identities are kept of the rows that cascades reach.
  private static let cascadedIdentitiesMax = 1000

  private func noteCascade(to target: Cascade.Target) throws {
    let entity = catalog.entities[target.entitySlot]
    guard let identity = entity.identity,
      cascadedIdentities[entity.id, default: []].count < Self.cascadedIdentitiesMax,
      let value = try withRecord(target.row, of: entity, { $0.value(identity.field) })
    else { return }
    cascadedIdentities[entity.id, default: []].append(value)
  }

  private func unlinkAndDelete(_ target: Cascade.Target, deletion: Cascade) throws {
    let entity = catalog.entities[target.entitySlot]
    for direction in entity.directions {
      let inverse = catalog.inverse(of: direction)
      for row in try farRows(of: direction, from: target.row) {
        let stays = !deletion.contains(row, entitySlot: direction.destinationSlot)
        if stays, direction.deleteRule == .deny {
          constraints.noteDenial(ofDeleting: target.row, by: row, in: direction)
        }
        if direction.isToMany { linkBuffers[direction.slot].remove(row, from: target.row) }
        if inverse.isToMany {
          linkBuffers[inverse.slot].remove(target.row, from: row)
          if stays { noteUpdated(row, in: inverse) }
        } else if stays {
          try setField(of: inverse, row: row, to: nil, cause: .deletion(of: target.row))
        }
      }
    }
    let found = try withRecord(target.row, of: entity) { record in
      keepBase(record, row: target.row, of: entity)
      for index in entity.indexes { indexBuffers[index.slot].remove(record, row: target.row, from: index) }
      return (
        try entity.preservedAttributes.map { try value($0.field, of: record, row: target.row, entity) },
        entity.formedAttributes.filter { record.reference($0.field) != nil }
      )
    }
    guard let (preserved, outside) = found else { throw RecordError.noSuchRow(entity: entity.name, row: target.row) }
    _ = try target.row.rawValue.withBytes { try transaction.delete($0, in: tables.records[entity.slot]) }
    try removeContents(of: outside, row: target.row, entity)
    capture.noteDeleted(target.row, preserved: preserved, entitySlot: entity.slot)
  }
}
