import KeyValueStore

extension EvolutionRun {
  /// After so many contents a table is let go of, to be written.
  private static let contentsPerBatch = 1 << 12

  /// Removes the contents of attributes that are gone. A table that the new catalog does not have is cleared as a whole.
  func removeContents(in transaction: WriteTransaction) throws {
    for old in evolution.oldCatalog.entities {
      guard let new = newCatalog[old.id], let table = newTables.contents[new.slot],
        // Of the present layout nothing is gone.
        let upgrade = new.upgrades.first(where: { $0.layout.version == old.layout.version })
      else { continue }
      let kept = Set(upgrade.sources.compactMap(\.field))
      let gone = old.formedAttributes.filter { !kept.contains($0.field) }
      try forEachContent(of: gone, of: old, in: table, of: transaction) { key in
        _ = try key.withBytes { try transaction.delete($0, in: table) }
      }
    }
  }

  /// Takes the contents into the records that a new index needs the values of. Their attributes are not in external storage any
  /// more, so no content goes out again.
  func takeContentsInside(_ records: RecordTransaction) throws {
    for entity in newCatalog.entities {
      guard let table = newTables.contents[entity.slot] else { continue }
      let built = entity.indexes.filter { evolution.work.indexBuilds.contains($0.id) }
      let attributes = entity.formedAttributes.filter { attribute in
        built.contains { $0.attributes.contains { $0 === attribute } }
      }
      var builder = RecordBuilder(entity.layout)
      try forEachContent(of: attributes, of: entity, in: table, of: records.transaction) { key in
        for attribute in attributes where ContentKey(row: key.row, attribute: attribute, of: entity) == key {
          try takeInside(attribute, of: key.row, entity, records, &builder)
        }
        _ = try key.withBytes { try records.transaction.delete($0, in: table) }
      }
    }
  }

  private func takeInside(
    _ attribute: Attribute, of row: RowNumber, _ entity: Entity, _ records: RecordTransaction,
    _ builder: inout RecordBuilder
  ) throws {
    let isOutside = try records.withRecord(row, of: entity) { record in
      guard let reference = record.reference(attribute.field) else { return false }
      builder.load(record)
      try records.withContent(reference, attribute.field, of: row, entity) { builder.setInside(attribute.field, $0) }
      return true
    }
    guard isOutside == true else { return }
    try builder.withEncoding { record in
      RecordChecksum.write(to: record, entity: entity.id, row: row)
      try row.rawValue.withBytes {
        try records.transaction.put(UnsafeRawBufferPointer(record), for: $0, in: newTables.records[entity.slot])
      }
    }
  }

  /// Runs a closure, which may write, on the keys of the contents of some attributes.
  private func forEachContent(
    of attributes: [Attribute], of entity: Entity, in table: Table, of transaction: WriteTransaction,
    _ body: (ContentKey) throws -> Void
  ) throws {
    if attributes.isEmpty { return }
    let numbers = Set(attributes.map { UInt32(entity.propertyNumbers.number(of: $0.propertyIndex)) })
    var range: KeyRange? = .all
    while let current = range {
      range = nil
      var batch: [ContentKey] = []
      try transaction.scan(table, in: current) { key, _ in
        if batch.count == Self.contentsPerBatch {
          range = .from([UInt8](key))
          return .stop
        }
        guard let key = ContentKey(key) else { throw RecordError.damagedEntry(table: table.name) }
        if numbers.contains(key.attribute) { batch.append(key) }
        return .continue
      }
      for key in batch { try body(key) }
    }
  }
}
