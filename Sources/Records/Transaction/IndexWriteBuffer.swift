/// What a transaction will add to and remove from one index, until it is applied in the order of the keys.
struct IndexWriteBuffer {
  /// An entry to be added or removed.
  struct Change {
    var key: Range<Int>
    var row: RowNumber
    var isAddition: Bool
    /// Whether the key may belong to one row only.
    var isExclusive: Bool
  }

  private var encoder = KeyEncoder()
  private var changes: [Change] = []

  var isEmpty: Bool { changes.isEmpty }

  mutating func add(_ record: RecordView, row: RowNumber, to index: Index) {
    append(record, row: row, index: index, isAddition: true)
  }

  mutating func remove(_ record: RecordView, row: RowNumber, from index: Index) {
    append(record, row: row, index: index, isAddition: false)
  }

  /// Removes the entry of the old record and adds that of the new one, unless they are the same.
  mutating func replace(_ old: RecordView, with new: RecordView, row: RowNumber, in index: Index) {
    let start = encoder.bytes.count
    remove(old, row: row, from: index)
    let middle = encoder.bytes.count
    add(new, row: row, to: index)
    if encoder.bytes[start..<middle] == encoder.bytes[middle...] {
      encoder.bytes.removeSubrange(start...)
      changes.removeLast(2)
    }
  }

  private mutating func append(_ record: RecordView, row: RowNumber, index: Index, isAddition: Bool) {
    let start = encoder.bytes.count
    let isExclusive = IndexEntry.appendKey(of: record, row: row, in: index, to: &encoder)
    changes.append(
      Change(key: start..<encoder.bytes.count, row: row, isAddition: isAddition, isExclusive: isExclusive))
  }

  /// Hands out the changes in ascending order of their keys, those of one key together and in the order in which they were
  /// made, and empties the buffer.
  mutating func drain(
    _ body: (_ key: UnsafeRawBufferPointer, _ changes: ArraySlice<Change>) throws -> Void
  ) throws {
    var order = KeyOrder()
    order.reserveCapacity(changes.count)
    try encoder.bytes.withUnsafeBytes { bytes in
      for change in changes { order.append(change.key, in: bytes) }
      let sorted = order.sorted(in: bytes).map { changes[$0] }
      var start = 0
      while start < sorted.count {
        let key = UnsafeRawBufferPointer(rebasing: bytes[sorted[start].key])
        var end = start + 1
        while end < sorted.count, key.hasSameBytes(as: UnsafeRawBufferPointer(rebasing: bytes[sorted[end].key])) {
          end += 1
        }
        try body(key, sorted[start..<end])
        start = end
      }
    }
    encoder.removeAll()
    changes.removeAll(keepingCapacity: true)
  }
}
