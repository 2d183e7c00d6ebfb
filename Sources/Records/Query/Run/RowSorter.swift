/// Sorts rows by their sort keys, and keeps only as many as are wanted.
///
/// Of a limited number it keeps up to twice as many: when they are that many, it sorts them, drops the second half, and from then
/// on rejects whatever sorts behind the last that it kept. So most rows cost one comparison, and no more.
struct RowSorter {
  private let wanted: Int?
  private var encoder = KeyEncoder()
  private var ends: [Int] = []
  /// The greatest key that can still be among the wanted ones.
  private var last: [UInt8]?

  /// Keeps all rows if `wanted` is nil.
  init(keeping wanted: Int?) {
    self.wanted = wanted
  }

  /// Adds the sort key that a closure appends, unless enough rows are before it; the key ends with the row's number.
  ///
  /// `accepting` is asked only then, and may refuse the row.
  mutating func add(
    _ append: (inout KeyEncoder) throws -> Void, accepting: () throws -> Bool
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
    if let wanted, ends.count >= RowSorter.countMax(keeping: wanted) { compact(wanted) }
  }

  /// The rows in the order of their keys.
  func sortedRows() -> [RowNumber] {
    let order = encoder.bytes.withUnsafeBytes { sortedPositions(in: $0) }
    let rows = order.map { position in
      encoder.bytes.withUnsafeBytes { bytes in
        RowNumber(
          rawValue: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: ends[position] - 8, as: UInt64.self)))
      }
    }
    return wanted.map { Array(rows.prefix($0)) } ?? rows
  }

  /// Many more than are wanted when these are few, because sorting a handful again and again costs more than keeping a few.
  private static func countMax(keeping wanted: Int) -> Int {
    wanted > Int.max / 4 ? .max : 2 * wanted + 256
  }

  private mutating func compact(_ wanted: Int) {
    var kept = KeyEncoder()
    var keptEnds: [Int] = []
    encoder.bytes.withUnsafeBytes { bytes in
      for position in sortedPositions(in: bytes).prefix(wanted) {
        kept.append(encoded: UnsafeRawBufferPointer(rebasing: bytes[start(of: position)..<ends[position]]))
        keptEnds.append(kept.bytes.count)
      }
    }
    encoder = kept
    ends = keptEnds
    last = ends.isEmpty ? [] : Array(encoder.bytes[start(of: ends.count - 1)...])
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
