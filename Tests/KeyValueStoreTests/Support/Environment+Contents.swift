import Glibc

@testable import KeyValueStore

extension Snapshot {
  /// All keys and values of a range, in the order of a scan.
  func entries(_ table: Table, in range: KeyRange = .all, reversed: Bool = false) throws -> [Pair] {
    var entries: [Pair] = []
    try scan(table, in: range, reversed: reversed) { key, value in
      entries.append(Pair(key: Array(key), value: Array(value)))
      return .continue
    }
    return entries
  }
}

/// A key and its value.
struct Pair: Equatable {
  var key: [UInt8]
  var value: [UInt8]

  /// With `memcmp`, because arrays are compared element by element in a debug build, which takes seconds here.
  static func == (left: Pair, right: Pair) -> Bool {
    left.key.isSame(as: right.key) && left.value.isSame(as: right.value)
  }
}

extension [UInt8] {
  /// Big-endian, so that numbers sort as they count.
  init(number: Int) {
    self = Swift.withUnsafeBytes(of: UInt64(number).bigEndian) { Array($0) }
  }

  fileprivate func isSame(as other: [UInt8]) -> Bool {
    count == other.count && memcmp(self, other, count) == 0
  }

  var asNumber: Int { reduce(0) { $0 << 8 | Int($1) } }
}
