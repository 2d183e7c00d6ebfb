import KeyValueStore

extension InvariantCheck {
  /// Every content is the one that its row's record refers to.
  mutating func checkContents(of entity: Entity) throws {
    guard let table = tables.contents[entity.slot] else { return }
    let snapshot = snapshot
    try scan(table) { check, key, content in
      guard let key = ContentKey(key) else {
        check.violations.append(.damagedEntry(table: table.name))
        return
      }
      let property = entity.propertyNumbers.property(of: Int(key.attribute))
      let attribute = entity.formedAttributes.first { $0.propertyIndex == property }
      do {
        let reference = try attribute.flatMap { attribute in
          try snapshot.withRecord(key.row, of: entity) { $0.reference(attribute.field) } ?? nil
        }
        if let attribute, let reference {
          guard !reference.matches(content) else { return }
          check.violations.append(.damagedContent(entity: entity.name, row: key.row, attribute: attribute.name))
        } else {
          check.violations.append(.strayContent(entity: entity.name, row: key.row, attribute: key.attribute))
        }
      } catch RecordError.damagedRecord {
        // Noted where the record itself is checked.
      }
    }
  }

  /// Every content that a record refers to is there. What it is, is looked at where contents are checked.
  mutating func checkReferences(_ record: RecordView, row: RowNumber, of entity: Entity) throws {
    guard let table = tables.contents[entity.slot] else { return }
    for attribute in entity.formedAttributes where record.reference(attribute.field) != nil {
      let isThere = try ContentKey(row: row, attribute: attribute, of: entity).withBytes {
        try snapshot.snapshot.contains($0, in: table)
      }
      if !isThere {
        violations.append(.missingContent(entity: entity.name, row: row, attribute: attribute.name))
      }
    }
  }
}
