import KeyValueStore

extension InvariantCheck {
  /// Every part of what is kept of a dirty row is readable, belongs to an entity that it is kept of, and agrees with the row and the
  /// other parts.
  mutating func checkPush() throws {
    guard let table = tables.push else { return }
    let snapshot = snapshot
    let registered = try value(or: []) { try snapshot.pushRegistry() }
    let last = try lastHistoryToken()
    try scan(table) { check, bytes, value in
      guard let key = PushKey(bytes), registered.contains(key.entity) else {
        check.violations.append(.damagedEntry(table: table.name))
        return
      }
      guard let entity = check.catalog[key.entity] else { return }
      do {
        let isSound =
          switch key.part {
          case .entry: try check.isSoundEntry(bytes, value, of: key.row, entity, last)
          case .base:
            try check.isSoundPart(bytes, value, of: key.row, entity, \.hasBase) {
              reader throws(MalformedBytes) in _ = try PushBase(from: &reader)
            }
          case .refusal:
            try check.isSoundPart(bytes, value, of: key.row, entity, \.hasRefusal) {
              reader throws(MalformedBytes) in _ = try PushRefusal(from: &reader)
            }
          }
        if !isSound { check.violations.append(.wrongPushEntry(entity: entity.name, row: key.row)) }
      } catch RecordError.damagedEntry(let table) {
        check.violations.append(.damagedEntry(table: table))
      }
    }
  }

  private mutating func lastHistoryToken() throws -> HistoryToken {
    let snapshot = snapshot
    return try value(or: HistoryToken(rawValue: .max)) { try snapshot.lastHistoryToken() }
  }

  private func isSoundEntry(
    _ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer, of row: RowNumber, _ entity: Entity,
    _ last: HistoryToken
  ) throws -> Bool {
    let entry = try snapshot.open(key, value) { reader throws(MalformedBytes) in
      try PushEntry(row, from: &reader, entity.propertyNumbers)
    }
    // Of its own changes a transaction notes at its end what they make of rows.
    let isSettled = !(snapshot is RecordTransaction)
    let hasRow = try row.rawValue.withBytes {
      try snapshot.snapshot.contains($0, in: tables.records[entity.slot])
    }
    return try entry.last <= last && (hasRow != entry.isDeleted || !isSettled) && (!entry.isParked || entry.hasRefusal)
      && isThere(.base, of: row, entity) == entry.hasBase && isThere(.refusal, of: row, entity) == entry.hasRefusal
  }

  private func isSoundPart(
    _ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer, of row: RowNumber, _ entity: Entity,
    _ isSaid: KeyPath<PushEntry, Bool>, _ read: (inout CompactReader) throws(MalformedBytes) -> Void
  ) throws -> Bool {
    try snapshot.open(key, value, read)
    return try snapshot.pushEntry(of: row, entity)?[keyPath: isSaid] ?? false
  }

  private func isThere(_ part: PushKey.Part, of row: RowNumber, _ entity: Entity) throws -> Bool {
    guard let table = tables.push else { return false }
    return try snapshot.snapshot.contains(PushKey(part, of: row, entity.id).bytes, in: table)
  }
}
