import KeyValueStore

extension RecordSnapshot {
  /// Runs a closure on the record of the row that has a value under an index on one attribute: of several, that with the lowest
  /// number.
  ///
  /// - Returns: What the closure returns, or nil when there is no such row.
  /// - Throws: `RecordError.damagedIndexEntry` when an entry that is met is not what was written, or leads to a row that is not
  ///   there or has another value; `.damagedRecord`; what the closure throws.
  @inlinable
  package func withFirstRecord<Result>(
    where index: Index, equals value: FieldValue, of entity: Entity, _ body: (RowNumber, RecordView) throws -> Result
  ) throws -> Result? {
    guard let row = try firstRow(where: index, equals: value) else { return nil }
    guard let bytes = try recordBytes(of: row, entity) else { throw damagedEntry(of: index) }
    if let record = try currentView(of: bytes, row: row, entity: entity) {
      try check(record, has: value, under: index)
      return try body(row, record)
    }
    return try withUpgradedView(of: bytes, row: row, entity: entity) { record in
      try check(record, has: value, under: index)
      return try body(row, record)
    }
  }

  /// The row that has a value under an index on one attribute, or nil. Of several it is the one with the lowest number.
  @usableFromInline
  package func firstRow(where index: Index, equals value: FieldValue) throws -> RowNumber? {
    if index.isUnique, index.attributes.count == 1 {
      try settle(index)
      let found = try value.withShortKey(as: index.attributes[0].type) { key -> RowNumber? in
        // The whole of a key that no other entry can have.
        try snapshot.bytes(for: key, in: tables.indexes[index.slot]).map { try row(ofEntry: key, $0, of: index) }
      }
      if let row = found ?? nil { return row }
    }
    return try firstRow(where: index, equals: [value])
  }

  /// Throws unless a record that an entry of an index leads to has the entry's value.
  @usableFromInline
  package func check(_ record: RecordView, has value: FieldValue, under index: Index) throws {
    guard let attribute = index.attributes.first, record.holds(value, in: attribute.field) else {
      throw damagedEntry(of: index)
    }
  }
}

extension RecordView {
  /// Whether a field has a value. The frequent kinds of identities are compared where they lie.
  fileprivate func holds(_ value: FieldValue, in field: FieldIndex) -> Bool {
    switch (value, place(of: field).kind) {
    case (.uuid(let value), .uuid): !isNull(field) && uuid(field) == value
    case (.int(let value), .int64): !isNull(field) && int64(field) == value
    default: self.value(field) == value
    }
  }
}
