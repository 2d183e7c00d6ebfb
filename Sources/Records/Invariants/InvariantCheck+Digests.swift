extension InvariantCheck {
  /// Every digest is readable and is a row's.
  mutating func checkDigests(of entity: Entity) throws {
    guard let table = tables.digests[entity.slot] else { return }
    let snapshot = snapshot
    try scan(table) { check, key, value in
      guard let row = UInt64(key).map(RowNumber.init(rawValue:)), DigestValue(value, row: row, of: entity.id) != nil
      else {
        check.violations.append(.damagedEntry(table: table.name))
        return
      }
      if try !key.isRow(of: entity, in: snapshot) {
        check.violations.append(.strayDigest(entity: entity.name, row: row))
      }
    }
  }
}

extension UnsafeRawBufferPointer {
  /// Whether there is a record under the key, damaged or not.
  fileprivate func isRow(of entity: Entity, in snapshot: RecordSnapshot) throws -> Bool {
    try snapshot.snapshot.contains(self, in: snapshot.tables.records[entity.slot])
  }
}
