import KeyValueStore

extension RecordSnapshot {
  /// Visits the entries of a part of an index, forwards or backwards, in the order in which the table has them. The entries on
  /// both sides of it are checked too.
  ///
  /// - Throws: `RecordError.damagedIndexEntry` when an entry that is met is not what was written; what the closure throws.
  func forEachEntry(
    of index: Index, in interval: KeyInterval, isReversed: Bool,
    _ body: (_ key: UnsafeRawBufferPointer, RowNumber) throws -> ScanStep
  ) throws {
    let table = tables.indexes[index.slot]
    guard interval.lower.count <= IndexEntry.orderedKeyBytesMax,
      interval.upper?.count ?? 0 <= IndexEntry.orderedKeyBytesMax
    else {
      // Keys that agree in so many bytes do not lie in the order of the others, so the cursor cannot find where they start.
      return try snapshot.scan(table, in: interval.range, reversed: isReversed) { key, value in
        try body(key, row(ofEntry: key, value, of: index))
      }
    }
    try snapshot.withCursor(in: table) { cursor in
      try interval.lower.withUnsafeBytes { lower in
        guard isReversed else {
          try cursor.seek(to: lower)
          return try cursor.forEachEntryOnward(
            reading: { try row(ofEntry: $0, $1, of: index) }, while: { key, _ in !interval.isBefore(key) }, body)
        }
        if let upper = interval.upper {
          if try cursor.seek(to: upper) { _ = try row(ofEntry: cursor.key, cursor.value, of: index) }
        } else if try cursor.last() {
          try cursor.next()
        }
        while try cursor.previous() {
          let key = try cursor.key
          let row = try row(ofEntry: key, cursor.value, of: index)
          if key.compare(lower) < 0 { return }
          if try body(key, row) == .stop { return }
        }
      }
    }
  }
}

extension KeyInterval {
  /// Whether a key is behind the interval.
  fileprivate func isBefore(_ key: UnsafeRawBufferPointer) -> Bool {
    upper.map { upper in upper.withUnsafeBytes { key.compare($0) >= 0 } } ?? false
  }
}
