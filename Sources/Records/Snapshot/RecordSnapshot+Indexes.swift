import KeyValueStore

extension RecordSnapshot {
  /// The rows that have these values under an index, in ascending order. Fewer values than the index has attributes stand for
  /// any continuation.
  package func rows(where index: Index, equals values: [FieldValue]) throws -> [RowNumber] {
    var result: [RowNumber] = []
    try forEachRow(where: index, equals: values) { row in
      result.append(row)
      return .continue
    }
    result.sort()
    return result
  }

  /// One row that has these values under an index, or nil. Of several it is the one with the lowest number when as many
  /// values are given as the index has attributes.
  package func firstRow(where index: Index, equals values: [FieldValue]) throws -> RowNumber? {
    var result: RowNumber?
    try forEachRow(where: index, equals: values) { row in
      result = row
      return .stop
    }
    return result
  }

  private func forEachRow(
    where index: Index, equals values: [FieldValue], _ body: (RowNumber) throws -> ScanStep
  ) throws {
    var encoder = KeyEncoder()
    encoder.bytes.reserveCapacity(RecordSnapshot.shortKeyBytes)
    for (value, attribute) in zip(values, index.attributes) {
      guard encoder.append(value, as: attribute.type) else { return }
    }
    try settle(index)
    let table = tables.indexes[index.slot]
    try encoder.bytes.withUnsafeBytes { key in
      if index.isUnique, let row = try snapshot.withValue(for: key, in: table, { try row(ofEntry: key, $0, of: index) })
      {
        // The whole of a key that no other entry can have.
        _ = try body(row)
        return
      }
      try snapshot.withCursor(in: table) { cursor in
        try forEachEntry(at: cursor, startingWith: key, of: index, in: table, body)
      }
    }
  }

  /// As many bytes as most keys have, and only few more than the smallest array.
  private static let shortKeyBytes = 32

  /// Looks many keys up in one walk through an index.
  ///
  /// - Parameters:
  ///   - keys: The keys, in any order.
  ///   - index: The index that the keys were encoded for.
  ///   - body: Called for each row found, with the position of its key in `keys`. Keys come in ascending order; the rows of one
  ///     key, of which a unique index has at most one, in ascending order too. For a key without a row it isn't called.
  /// - Throws: `RecordError.damagedIndexEntry` when an entry that is met is not what was written; what the closure throws,
  ///   and what applying a transaction's buffered writes throws.
  package func lookUp(
    _ keys: IndexKeys, in index: Index, _ body: (_ position: Int, _ row: RowNumber) throws -> Void
  ) throws {
    try settle(index)
    let table = tables.indexes[index.slot]
    try snapshot.withCursor(in: table) { cursor in
      for position in keys.sortedPositions() {
        try keys.withKey(at: position) { key in
          try forEachEntry(at: cursor, startingWith: key, of: index, in: table) { row in
            try body(position, row)
            return .continue
          }
        }
      }
    }
  }

  /// Visits the entries whose key starts with a prefix. No encoded list of values is a prefix of another list of the same
  /// length, so whole lists of values match exactly.
  /// The entries on both sides of them are checked too.
  func forEachEntry(
    at cursor: Cursor, startingWith prefix: UnsafeRawBufferPointer, of index: Index, in table: Table,
    _ body: (RowNumber) throws -> ScanStep
  ) throws {
    guard prefix.count <= IndexEntry.orderedKeyBytesMax else {
      // Keys that agree in so many bytes do not lie in the order of the others, so the cursor cannot find where they start.
      return try snapshot.scan(table, in: .prefix([UInt8](prefix))) { key, value in
        try body(row(ofEntry: key, value, of: index))
      }
    }
    if try cursor.seek(to: prefix), index.isUnique, try cursor.key.hasSameBytes(as: prefix) {
      // The whole of a key that no other entry can have.
      _ = try body(row(ofEntry: prefix, cursor.value, of: index))
      return
    }
    try cursor.forEachEntryOnward(
      reading: { try row(ofEntry: $0, $1, of: index) }, while: { key, _ in key.hasPrefix(prefix) }
    ) { _, row in try body(row) }
  }

  /// The row of an entry.
  ///
  /// - Throws: `RecordError.damagedIndexEntry` when the entry is not what was written.
  func row(
    ofEntry key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer, of index: Index
  ) throws -> RowNumber {
    guard let row = IndexEntry.row(key: key, value: value, of: index) else { throw damagedEntry(of: index) }
    return row
  }
}
