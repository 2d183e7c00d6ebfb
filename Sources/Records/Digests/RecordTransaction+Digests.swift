import KeyValueStore

extension RecordTransaction {
  /// Gives rows the digests of the texts that they are equal to now. Each is kept unless the transaction changes its row once
  /// more.
  package func setDigests(_ new: [RowWithDigest], _ entity: Entity) {
    for digest in new { capture.noteDigest(of: digest.row, entitySlot: entity.slot) }
    if digests[entity.slot].isEmpty {
      digests[entity.slot] = new
    } else {
      digests[entity.slot] += new
    }
  }

  /// Removes the digests of the rows that the transaction has changed, and writes those that it has set.
  ///
  /// A changed identity makes all digests void: texts name other rows by their identities.
  func settleDigests() throws {
    if capture.hasChangedIdentities {
      for table in tables.digests.compactMap({ $0 }) where try snapshot.count(in: table) > 0 {
        try transaction.removeAll(in: table)
      }
      return
    }
    for entity in catalog.entities {
      guard let table = tables.digests[entity.slot] else { continue }
      let kept = keptDigests(of: entity)
      try removeStaleDigests(of: entity, except: kept, in: table)
      if kept.isEmpty { continue }
      try transaction.withSortedWriter(in: table) { writer in
        for new in kept {
          try new.row.rawValue.withBytes { key in
            try writer.put(valueByteCount: DigestValue.byteCount, for: key) { value in
              DigestValue(new.digest).write(to: value, row: new.row, of: entity.id)
            }
          }
        }
      }
    }
  }

  /// The digests that were set and are still right, in ascending order of the rows, one for each.
  private func keptDigests(of entity: Entity) -> [RowWithDigest] {
    var kept = digests[entity.slot]
    if kept.isEmpty { return kept }
    let changed = capture.rowsChangedAfterDigests(entitySlot: entity.slot)
    if !changed.isEmpty { kept.removeAll { changed.contains($0.row) } }
    let isSorted = zip(kept, kept.dropFirst()).allSatisfy { $0.row < $1.row }
    if isSorted { return kept }
    // Of several digests of one row the last one counts.
    let last = Dictionary(kept.map { ($0.row, $0) }) { _, new in new }
    return last.values.sorted { $0.row < $1.row }
  }

  private func removeStaleDigests(of entity: Entity, except kept: [RowWithDigest], in table: Table) throws {
    let changed = capture.changedRows(of: entity)
    guard !changed.isEmpty, try snapshot.count(in: table) > 0 else { return }
    let replaced = Set(kept.map(\.row))
    let inRecord = PropertySet(entity.propertyOfField)
    for (row, properties) in changed where !replaced.contains(row) {
      if let properties, properties.isDisjoint(with: inRecord), let digest = try digest(of: row, entity, in: table) {
        let members = properties.members.reduce(0) { $0 | entity.bit(ofMembers: $1) }
        if members & digest.shownMembers == 0 { continue }
      }
      try row.rawValue.withBytes { _ = try transaction.delete($0, in: table) }
    }
  }

  private func digest(of row: RowNumber, _ entity: Entity, in table: Table) throws -> RowDigest? {
    try row.rawValue.withBytes { key in
      try transaction.withValue(for: key, in: table) { DigestValue($0, row: row, of: entity.id)?.digest } ?? nil
    }
  }
}
