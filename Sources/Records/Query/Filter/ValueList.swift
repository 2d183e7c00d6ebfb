/// Values of one field that are looked up by their keys.
struct ValueList: Sendable {
  private var bytes: [UInt8] = []
  /// Where each key ends, in ascending order of the keys, each key once.
  private var ends: [Int] = []

  var isEmpty: Bool { ends.isEmpty }

  /// Sorts keys.
  init(_ keys: some Sequence<[UInt8]>) {
    var last: [UInt8]?
    for key in keys.sorted(by: { $0.lexicographicallyPrecedes($1) }) where key != last {
      bytes += key
      ends.append(bytes.count)
      last = key
    }
  }

  func contains(_ key: UnsafeRawBufferPointer) -> Bool {
    bytes.withUnsafeBytes { bytes in
      var candidates = 0..<ends.count
      while !candidates.isEmpty {
        let middle = candidates.lowerBound + candidates.count / 2
        let start = middle == 0 ? 0 : ends[middle - 1]
        let order = key.compare(UnsafeRawBufferPointer(rebasing: bytes[start..<ends[middle]]))
        if order == 0 { return true }
        candidates = order < 0 ? candidates.lowerBound..<middle : middle + 1..<candidates.upperBound
      }
      return false
    }
  }
}
