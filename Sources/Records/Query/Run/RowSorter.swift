/// A row that a query has found, and its record if that has been read and is still where it was.
struct SortedRow {
  let row: RowNumber
  /// Empty where the record has to be read once more.
  fileprivate let bytes: UnsafeRawBufferPointer

  /// The record, which was checked when it was read. Valid as long as the run of the query is, during which nothing is written.
  func record(of entity: Entity) -> RecordView? {
    bytes.isEmpty ? nil : RecordView(bytes, entity.layout, isInStore: true)
  }
}

/// Sorts rows by their sort keys, and keeps only as many as are wanted.
///
/// Of a limited number it keeps up to twice as many: when they are that many, it sorts them, drops the second half, and from then
/// on rejects whatever sorts behind the last that it kept. So most rows cost one comparison, and no more.
struct RowSorter {
  private let wanted: Int?
  private var encoder = KeyEncoder()
  private var ends: [Int] = []
  /// The records of the rows, as `SortedRow` has them.
  private var records: [UnsafeRawBufferPointer] = []
  private static var none: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: nil, count: 0) }
  /// The greatest key that can still be among the wanted ones.
  private var last: [UInt8]?
  /// The word behind its first byte, if that byte says that a value is there.
  private var lastWord: UInt64?

  /// Keeps all rows if `wanted` is nil.
  init(keeping wanted: Int?) {
    self.wanted = wanted
  }

  /// Whether a row would be rejected whose key has this word behind a first byte that says that a value is there.
  @inline(__always)
  func isBehind(_ word: UInt64?) -> Bool {
    guard let lastWord, let word else { return false }
    return word > lastWord
  }

  /// Adds the sort key that a closure appends, unless enough rows are before it; the key ends with the row's number. A record that
  /// is given comes with the row again.
  ///
  /// `accepting` is asked only then, and may refuse the row.
  mutating func add(
    _ record: RecordView?, _ append: (inout KeyEncoder) throws -> Void, accepting: () throws -> Bool
  ) rethrows {
    let start = encoder.bytes.count
    try append(&encoder)
    let isBehind = last.map { last in
      encoder.bytes.withUnsafeBytes { bytes in
        last.withUnsafeBytes { UnsafeRawBufferPointer(rebasing: bytes[start...]).compare($0) > 0 }
      }
    }
    guard try isBehind != true && accepting() else {
      encoder.removeLast(encoder.bytes.count - start)
      return
    }
    ends.append(encoder.bytes.count)
    records.append(record.flatMap { $0.isInStore ? $0.bytes : nil } ?? Self.none)
    if let wanted, ends.count >= RowSorter.countMax(keeping: wanted) { compact(wanted) }
  }

  /// The rows in the order of their keys.
  func sortedRows() -> [SortedRow] {
    encoder.bytes.withUnsafeBytes { bytes in
      let order = sortedPositions(in: bytes)
      return order.prefix(wanted ?? order.count).map { position in
        let number = bytes.loadUnaligned(fromByteOffset: ends[position] - 8, as: UInt64.self)
        return SortedRow(row: RowNumber(rawValue: UInt64(bigEndian: number)), bytes: records[position])
      }
    }
  }

  /// Many more than are wanted when these are few, because sorting a handful again and again costs more than keeping a few.
  private static func countMax(keeping wanted: Int) -> Int {
    wanted > Int.max / 4 ? .max : 2 * wanted + 256
  }

  private mutating func compact(_ wanted: Int) {
    var kept = KeyEncoder()
    var keptEnds: [Int] = []
    var keptRecords: [UnsafeRawBufferPointer] = []
    encoder.bytes.withUnsafeBytes { bytes in
      for position in sortedPositions(in: bytes).prefix(wanted) {
        kept.append(encoded: UnsafeRawBufferPointer(rebasing: bytes[start(of: position)..<ends[position]]))
        keptEnds.append(kept.bytes.count)
        keptRecords.append(records[position])
      }
    }
    encoder = kept
    ends = keptEnds
    records = keptRecords
    last = ends.isEmpty ? [] : Array(encoder.bytes[start(of: ends.count - 1)...])
    lastWord = last.flatMap { last in
      // Inverted if the order is descending.
      guard last.count >= 9, last[0] == KeyEncoder.Tag.value || last[0] == ~KeyEncoder.Tag.value else { return nil }
      return last.withUnsafeBytes { UInt64(bigEndian: $0.loadUnaligned(fromByteOffset: 1, as: UInt64.self)) }
    }
  }

  private func start(of position: Int) -> Int {
    position == 0 ? 0 : ends[position - 1]
  }

  private func sortedPositions(in bytes: UnsafeRawBufferPointer) -> [Int] {
    var order = KeyOrder()
    order.reserveCapacity(ends.count)
    for position in ends.indices { order.append(start(of: position)..<ends[position], in: bytes) }
    return order.sorted(in: bytes)
  }
}
