import KeyValueStore

extension RecordSnapshot {
  /// Compares everything in the store with everything that must agree with it: records and the contents outside of them,
  /// indexes, both directions of links,
  /// counters, the history, what is kept of dirty rows. It reads the whole store and needs memory only for what it finds.
  ///
  /// Everything must agree within a transaction too, except required destinations and what is kept of dirty rows, which must at its end.
  ///
  /// - Parameters:
  ///   - limit: How many violations are enough.
  ///   - beforeEntry: Called before each record, content, index entry, link and transaction of the history, and ends the check by throwing.
  /// - Returns: What does not agree; empty for a sound store.
  /// - Throws: What reading the files throws, and what `beforeEntry` throws.
  package func checkInvariants(
    limit: Int = .max, beforeEntry: @escaping () throws -> Void = {}
  ) throws -> [InvariantViolation] {
    for index in catalog.indexes { try settle(index) }
    for direction in catalog.directions { try settle(direction, for: nil) }
    var check = InvariantCheck(self, limit: limit, beforeEntry: beforeEntry)
    try check.checkMeta()
    for entity in catalog.entities { try check.checkRecords(of: entity) }
    for entity in catalog.entities { try check.checkContents(of: entity) }
    for entity in catalog.entities { try check.checkDigests(of: entity) }
    for index in catalog.indexes { try check.checkEntries(of: index) }
    for direction in catalog.directions where direction.isToMany { try check.checkLinks(of: direction) }
    try check.checkHistory()
    try check.checkPush()
    return Array(check.violations.prefix(limit))
  }
}

/// A walk through a store that notes every contradiction.
struct InvariantCheck {
  let snapshot: RecordSnapshot
  var violations: [InvariantViolation] = []
  let limit: Int
  private let beforeEntry: () throws -> Void

  init(_ snapshot: RecordSnapshot, limit: Int, beforeEntry: @escaping () throws -> Void) {
    self.snapshot = snapshot
    self.limit = limit
    self.beforeEntry = beforeEntry
  }

  /// Goes through a table until there are violations enough.
  mutating func scan(
    _ table: Table, _ body: (inout Self, _ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) throws -> Void
  ) throws {
    if violations.count >= limit { return }
    try snapshot.snapshot.scan(table) { key, value in
      try beforeEntry()
      try body(&self, key, value)
      return violations.count < limit ? .continue : .stop
    }
  }

  var catalog: Catalog { snapshot.catalog }
  var tables: StoreTables { snapshot.tables }

  /// A counter; when it is damaged that is noted, and nothing lies beyond it.
  mutating func counter(_ read: () throws -> UInt64) throws -> UInt64 {
    try value(or: .max, read)
  }

  /// What a closure reads, or something else when that is damaged, which is noted.
  mutating func value<Value>(or other: Value, _ read: () throws -> Value) throws -> Value {
    do {
      return try read()
    } catch RecordError.damagedEntry(let table) {
      if !violations.contains(.damagedEntry(table: table)) { violations.append(.damagedEntry(table: table)) }
      return other
    }
  }

  /// There is nothing but the format, the catalog, the counters, and where the history begins and who reads it: anything else
  /// was one of these.
  mutating func checkMeta() throws {
    let names =
      [MetaKey.format, MetaKey.catalog, MetaKey.rank, MetaKey.history, MetaKey.push]
      + catalog.entities.map { MetaKey.rows($0.id) }
    try scan(tables.meta) { check, key, _ in
      let isKnown = names.contains([UInt8](key)) || key.starts(with: MetaKey.consumerPrefix)
      if !isKnown { check.violations.append(.damagedEntry(table: StoreTables.metaName)) }
    }
  }

  // MARK: Records

  /// Every record is readable, and has its contents, its index entries and the other directions of its links.
  mutating func checkRecords(of entity: Entity) throws {
    let table = tables.records[entity.slot]
    let snapshot = snapshot
    let next = try counter { try snapshot.nextRow(of: entity) }
    try scan(table) { check, key, value in
      guard let number = UInt64(key) else {
        check.violations.append(.damagedEntry(table: table.name))
        return
      }
      let row = RowNumber(rawValue: number)
      if number == 0 || number >= next { check.violations.append(.rowBeyondCounter(entity: entity.name, row: row)) }
      do {
        try snapshot.withView(of: value, row: row, entity: entity) { try check.checkRecord($0, row: row, of: entity) }
      } catch RecordError.damagedRecord(entity.name, row) {
        check.violations.append(.damagedRecord(entity: entity.name, row: row))
      }
    }
  }

  private mutating func checkRecord(_ record: RecordView, row: RowNumber, of entity: Entity) throws {
    for attribute in entity.attributes where !attribute.isOptional && record.isNull(attribute.field) {
      violations.append(.missingRequiredValue(entity: entity.name, row: row, attribute: attribute.name))
    }
    try checkReferences(record, row: row, of: entity)
    for index in entity.indexes {
      var key = KeyEncoder()
      _ = IndexEntry.appendKey(of: record, row: row, in: index, to: &key)
      let found = try snapshot.snapshot.withValue(for: key.bytes, in: tables.indexes[index.slot]) { value in
        // A damaged entry is noted where the entries are checked.
        key.bytes.withUnsafeBytes { IndexEntry.row(key: $0, value: value, of: index) ?? row }
      }
      if found != row {
        violations.append(
          .missingIndexEntry(entity: entity.name, attributes: index.attributes.map(\.name), row: row))
      }
    }
    for direction in entity.directions {
      guard let field = direction.field else { continue }
      if let target = record.row(field) {
        try checkInverse(of: direction, owner: row, member: target)
      } else if direction.isRequired {
        violations.append(.missingDestination(entity: entity.name, row: row, relationship: direction.name))
      }
    }
  }

  // MARK: Indexes

  /// Every entry belongs to a row that has its values.
  mutating func checkEntries(of index: Index) throws {
    guard let entity = catalog[index.entity] else { return }
    let table = tables.indexes[index.slot]
    try scan(table) { check, key, value in
      guard let row = IndexEntry.row(key: key, value: value, of: index) else {
        check.violations.append(
          .damagedIndexEntry(entity: entity.name, attributes: index.attributes.map(\.name)))
        return
      }
      if try !check.isEntry(key, of: row, entity: entity, index: index) {
        check.violations.append(
          .strayIndexEntry(entity: entity.name, attributes: index.attributes.map(\.name), row: row))
      }
    }
  }

  private func isEntry(
    _ key: UnsafeRawBufferPointer, of row: RowNumber, entity: Entity, index: Index
  ) throws -> Bool {
    do {
      return try snapshot.withRecord(row, of: entity) { record in
        var expected = KeyEncoder()
        _ = IndexEntry.appendKey(of: record, row: row, in: index, to: &expected)
        return expected.bytes.withUnsafeBytes { key.hasSameBytes(as: $0) }
      } ?? false
    } catch RecordError.damagedRecord {
      // Noted where the record itself is checked.
      return true
    }
  }

  // MARK: Links

  /// Both rows of every entry exist, and the other direction is there.
  mutating func checkLinks(of direction: LinkDirection) throws {
    guard let table = tables.links[direction.slot] else { return }
    let snapshot = snapshot
    let nextRank = try counter { try snapshot.nextRank() }
    var owner: RowNumber?
    var isOwnerThere = true
    var ranks: Set<UInt64> = []
    try scan(table) { check, key, value in
      guard let key = LinkKey(key), let rank = LinkValue(value, under: key, of: direction.id)?.rank else {
        check.violations.append(.damagedEntry(table: table.name))
        return
      }
      if key.owner != owner {
        owner = key.owner
        ranks.removeAll(keepingCapacity: true)
        isOwnerThere = try check.isThere(key.owner, of: check.catalog.entities[direction.entitySlot])
      }
      if rank == 0 || rank >= nextRank || !ranks.insert(rank).inserted {
        check.violations.append(.wrongRank(relationship: direction.name, owner: key.owner, member: key.member))
      }
      if !isOwnerThere {
        check.violations.append(.danglingLink(relationship: direction.name, owner: key.owner, member: key.member))
      }
      try check.checkInverse(of: direction, owner: key.owner, member: key.member)
    }
  }

  private mutating func checkInverse(of direction: LinkDirection, owner: RowNumber, member: RowNumber) throws {
    let inverse = catalog.inverse(of: direction)
    let destination = catalog.entities[inverse.entitySlot]
    guard try isThere(member, of: destination) else {
      violations.append(.danglingLink(relationship: direction.name, owner: owner, member: member))
      return
    }
    if try !isLinked(inverse, owner: member, member: owner) {
      violations.append(.oneWayLink(relationship: direction.name, owner: owner, member: member))
    }
  }

  /// `contains` without a look at other records, which are checked anyway.
  private func isThere(_ row: RowNumber, of entity: Entity) throws -> Bool {
    try row.rawValue.withBytes { try snapshot.snapshot.contains($0, in: tables.records[entity.slot]) }
  }

  private func isLinked(_ direction: LinkDirection, owner: RowNumber, member: RowNumber) throws -> Bool {
    if let table = tables.links[direction.slot] {
      return try LinkKey(owner: owner, member: member).withBytes { try snapshot.snapshot.contains($0, in: table) }
    }
    do {
      let entity = catalog.entities[direction.entitySlot]
      return try snapshot.withRecord(owner, of: entity) { record in direction.field.flatMap(record.row) } == member
    } catch RecordError.damagedRecord {
      return true
    }
  }
}
