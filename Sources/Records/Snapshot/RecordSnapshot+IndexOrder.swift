import KeyValueStore

extension RecordSnapshot {
  /// Runs a closure on every record of an entity in the order of an index: ascending by the values, rows of the same values
  /// by their number.
  ///
  /// - Throws: `RecordError.damagedIndexEntry` when the index has an entry that is not what was written, twice, in a wrong
  ///   place, or with other values than the record has; `.damagedRecord`; and what the closure throws. It does not notice
  ///   entries that are missing.
  package func forEachRecord(
    of entity: Entity, inOrderOf index: Index, _ body: (RowNumber, RecordView) throws -> ScanStep
  ) throws {
    try settle(index)
    var expected = KeyEncoder()
    try forEachEntryInOrder(of: index, in: .all, isReversed: false) { key, value in
      let row = try row(ofEntry: key, value, of: index)
      let step = try withRecord(row, of: entity) { record in
        expected.removeAll()
        _ = IndexEntry.appendKey(of: record, row: row, in: index, to: &expected)
        let isRight = expected.bytes.withUnsafeBytes { $0.hasSameBytes(as: key) }
        guard isRight else { throw damagedEntry(of: index) }
        return try body(row, record)
      }
      guard let step else { throw damagedEntry(of: index) }
      return step
    }
  }

  /// Visits the entries of a range of an index by their keys.
  ///
  /// `KeyValueStore` keeps keys in order up to a length; longer ones that agree up to it come in an order of the store's own.
  /// Those are collected and sorted here, which takes memory for as many as agree in so much.
  func forEachEntryInOrder(
    of index: Index, in range: KeyRange, isReversed: Bool,
    _ body: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) throws -> ScanStep
  ) throws {
    var previous: [UInt8] = []
    var group: [(key: [UInt8], value: [UInt8])] = []

    func visit(_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) throws -> ScanStep {
      let order = previous.withUnsafeBytes { $0.compare(key) }
      guard previous.isEmpty || (isReversed ? order > 0 : order < 0) else { throw damagedEntry(of: index) }
      previous.removeAll(keepingCapacity: true)
      previous.append(contentsOf: key)
      return try body(key, value)
    }
    func visitGroup() throws -> ScanStep {
      defer { group.removeAll() }
      group.sort { $0.key.lexicographicallyPrecedes($1.key) }
      if isReversed { group.reverse() }
      for entry in group {
        let step = try entry.key.withUnsafeBytes { key in try entry.value.withUnsafeBytes { try visit(key, $0) } }
        if step == .stop { return .stop }
      }
      return .continue
    }

    var isStopped = false
    try snapshot.scan(tables.indexes[index.slot], in: range, reversed: isReversed) { key, value in
      if let first = group.first, !key.starts(with: first.key.prefix(IndexEntry.orderedKeyBytesMax)) {
        isStopped = try visitGroup() == .stop
        if isStopped { return .stop }
      }
      if key.count > IndexEntry.orderedKeyBytesMax {
        group.append(([UInt8](key), [UInt8](value)))
        return .continue
      }
      isStopped = try visit(key, value) == .stop
      return isStopped ? .stop : .continue
    }
    if !isStopped { _ = try visitGroup() }
  }
}
