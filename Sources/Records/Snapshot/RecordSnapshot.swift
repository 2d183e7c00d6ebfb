import KeyValueStore

/// The rows of a store at one moment.
///
/// A snapshot is valid inside of the closure that it was given to, on that closure's thread. Entities, relationships and
/// indexes that are passed to it must be those of its own catalog.
@usableFromInline
package class RecordSnapshot {
  package let catalog: Catalog
  let tables: StoreTables
  let snapshot: Snapshot

  init(_ snapshot: Snapshot, catalog: Catalog, tables: StoreTables) {
    self.snapshot = snapshot
    self.catalog = catalog
    self.tables = tables
  }

  /// A number that grows with what is published: two snapshots of one store with the same number show the same.
  package var number: Int { snapshot.number }

  /// Whether the snapshot shows a commit of which somebody was told.
  package func shows(_ changes: ChangeSet) throws -> Bool {
    if let known = changes.stateNumber, known <= number { return true }
    guard let token = changes.token else { return false }
    return try token <= lastHistoryToken()
  }

  /// The number of the state that is shown, if no other state can have it; nil in a transaction.
  var stateNumber: Int? { snapshot.stateNumber }

  /// Called before an index is read. A transaction applies what it has buffered for it.
  func settle(_ index: Index) throws {}

  /// Called before the table of a to-many direction is read: for one owner, or for all when it is nil.
  func settle(_ direction: LinkDirection, for owner: RowNumber?) throws {}

  /// Called before several tables are read at once. A transaction applies all that it has buffered.
  func settleEverything() throws {}

  /// The number that the next row of an entity will have. All rows have lower ones.
  package func nextRow(of entity: Entity) throws -> UInt64 {
    try storedCounter(MetaKey.rows(entity.id)) { try count(of: entity) > 0 }
  }

  /// The rank that the next link will have.
  func nextRank() throws -> UInt64 {
    try storedCounter(MetaKey.rank) {
      try tables.links.contains { try $0.map { try snapshot.count(in: $0) > 0 } ?? false }
    }
  }

  // MARK: Rows

  /// Runs a closure on a row's record, which is valid inside of it (and, in a transaction, until the next write).
  ///
  /// - Returns: What the closure returns, or nil when there is no such row.
  /// - Throws: `RecordError.damagedRecord` when the record's bytes are not what was written for this row, or when there is no
  ///   such row, but a damaged one beside its place.
  @inlinable
  package func withRecord<Result>(
    _ row: RowNumber, of entity: Entity, _ body: (RecordView) throws -> Result
  ) throws -> Result? {
    guard let bytes = try recordBytes(of: row, entity) else { return nil }
    if let view = try currentView(of: bytes, row: row, entity: entity) { return try body(view) }
    return try withUpgradedView(of: bytes, row: row, entity: entity, body)
  }

  /// The stored bytes of a row's record, unchecked; nil when there is no such row.
  @usableFromInline
  package func recordBytes(of row: RowNumber, _ entity: Entity) throws -> UnsafeRawBufferPointer? {
    let bytes = try row.rawValue.withBytes { key in try snapshot.bytes(for: key, in: tables.records[entity.slot]) }
    if bytes == nil { try checkAbsence(of: row, entity) }
    return bytes
  }

  /// A view of a record's stored bytes, after its checksum and structure were checked; nil for one of an earlier layout.
  @usableFromInline
  package func currentView(
    of bytes: UnsafeRawBufferPointer, row: RowNumber, entity: Entity
  ) throws -> RecordView? {
    guard RecordChecksum.matches(bytes, entity: entity.id, row: row) else {
      throw RecordError.damagedRecord(entity: entity.name, row: row)
    }
    return RecordView.isWellFormed(bytes, entity.layout) ? RecordView(bytes, entity.layout, isInStore: true) : nil
  }

  /// Runs a closure on a record of an earlier layout, as one of the present layout. Its checksum has been checked.
  @usableFromInline
  package func withUpgradedView<Result>(
    of bytes: UnsafeRawBufferPointer, row: RowNumber, entity: Entity, _ body: (RecordView) throws -> Result
  ) throws -> Result {
    if let result = try entity.withUpgrade(of: bytes, row: row, body) { return result }
    throw RecordError.damagedRecord(entity: entity.name, row: row)
  }

  /// A copy of a row's record, or nil when there is no such row.
  package func record(_ row: RowNumber, of entity: Entity) throws -> Record? {
    try withRecord(row, of: entity) { Record($0) }
  }

  /// Whether there is such a row.
  ///
  /// - Throws: `RecordError.damagedRecord` when there is none, but a damaged one beside its place.
  package func contains(_ row: RowNumber, of entity: Entity) throws -> Bool {
    if try row.rawValue.withBytes({ try snapshot.contains($0, in: tables.records[entity.slot]) }) { return true }
    try checkAbsence(of: row, entity)
    return false
  }

  /// How many rows the entity has. Takes the same time however many there are.
  package func count(of entity: Entity) throws -> Int {
    try snapshot.count(in: tables.records[entity.slot])
  }

  /// Runs a closure on every record of an entity, in ascending order of the row numbers.
  ///
  /// - Parameters:
  ///   - entity: Whose rows.
  ///   - first: The row to start at; the first one when it is nil.
  ///   - body: Must not write in the transaction that it reads from.
  /// - Throws: `RecordError.damagedRecord` at the first damaged one, and what the closure throws.
  @inline(__always)
  package func forEachRecord(
    of entity: Entity, from first: RowNumber? = nil, _ body: (RowNumber, RecordView) throws -> ScanStep
  ) throws {
    let table = tables.records[entity.slot]
    let key = (first?.rawValue ?? 0).bigEndian
    guard var scan = try withUnsafeBytes(of: key, { try snapshot.entries(of: table, from: $0) }) else { return }
    while let (key, value) = try scan.next() {
      guard let number = UInt64(key) else { throw damagedEntry(table) }
      let row = RowNumber(rawValue: number)
      if try withView(of: value, row: row, entity: entity, { try body(row, $0) }) == .stop { return }
    }
  }

  /// Runs a closure on the number of every row of an entity, in ascending order. Records are not looked at, so what is done with
  /// a row has to look whether there is a sound one.
  package func forEachRow(of entity: Entity, _ body: (RowNumber) throws -> Void) throws {
    try snapshot.scan(tables.records[entity.slot]) { key, _ in
      guard let number = UInt64(key) else { throw damagedEntry(tables.records[entity.slot]) }
      try body(RowNumber(rawValue: number))
      return .continue
    }
  }

  /// Runs a closure on the record in a stored value, after its checksum and structure were checked. A record of an earlier
  /// layout is shown as one of the present layout.
  @inline(__always)
  func withView<Result>(
    of bytes: UnsafeRawBufferPointer, row: RowNumber, entity: Entity, _ body: (RecordView) throws -> Result
  ) throws -> Result {
    if let view = try currentView(of: bytes, row: row, entity: entity) { return try body(view) }
    return try withUpgradedView(of: bytes, row: row, entity: entity, body)
  }

  /// Looks at the records on both sides of the place where a row would be: a flipped bit in its key would make it seem to be
  /// another row, while the record stays where it is.
  private func checkAbsence(of row: RowNumber, _ entity: Entity) throws {
    try snapshot.withCursor(in: tables.records[entity.slot]) { cursor in
      if try row.rawValue.withBytes({ try cursor.seek(to: $0) }) { try checkRecord(at: cursor, of: entity) }
      if try cursor.previous() { try checkRecord(at: cursor, of: entity) }
    }
  }

  private func checkRecord(at cursor: Cursor, of entity: Entity) throws {
    guard let number = UInt64(try cursor.key) else { throw damagedEntry(tables.records[entity.slot]) }
    try withView(of: cursor.value, row: RowNumber(rawValue: number), entity: entity) { _ in }
  }

  func damagedEntry(_ table: Table) -> RecordError {
    .damagedEntry(table: table.name)
  }

  @usableFromInline
  package func damagedEntry(of index: Index) -> RecordError {
    .damagedIndexEntry(entity: catalog[index.entity]?.name ?? "", attributes: index.attributes.map(\.name))
  }
}
