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
    try forEachEntryInOrder(of: index, in: .all, isReversed: false) { key, row in
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

  /// Visits the entries of a part of an index by their keys, forwards or backwards.
  ///
  /// `KeyValueStore` keeps keys in order up to a length; longer ones that agree up to it come in an order of the store's own.
  /// Those are collected and sorted here, which takes memory for as many as agree in so much.
  func forEachEntryInOrder(
    of index: Index, in interval: KeyInterval, isReversed: Bool,
    _ body: (_ key: UnsafeRawBufferPointer, RowNumber) throws -> ScanStep
  ) throws {
    var previous: [UInt8] = []
    var group: [(key: [UInt8], row: RowNumber)] = []

    func visit(_ key: UnsafeRawBufferPointer, _ row: RowNumber) throws -> ScanStep {
      let order = previous.withUnsafeBytes { $0.compare(key) }
      guard previous.isEmpty || (isReversed ? order > 0 : order < 0) else { throw damagedEntry(of: index) }
      previous.removeAll(keepingCapacity: true)
      previous.append(contentsOf: key)
      return try body(key, row)
    }
    func visitGroup() throws -> ScanStep {
      defer { group.removeAll() }
      group.sort { $0.key.lexicographicallyPrecedes($1.key) }
      if isReversed { group.reverse() }
      for entry in group {
        let step = try entry.key.withUnsafeBytes { try visit($0, entry.row) }
        if step == .stop { return .stop }
      }
      return .continue
    }

    var isStopped = false
    try forEachEntry(of: index, in: interval, isReversed: isReversed) { key, row in
      if let first = group.first, !key.starts(with: first.key.prefix(IndexEntry.orderedKeyBytesMax)) {
        isStopped = try visitGroup() == .stop
        if isStopped { return .stop }
      }
      if key.count > IndexEntry.orderedKeyBytesMax {
        group.append(([UInt8](key), row))
        return .continue
      }
      isStopped = try visit(key, row) == .stop
      return isStopped ? .stop : .continue
    }
    if !isStopped { _ = try visitGroup() }
  }
}
