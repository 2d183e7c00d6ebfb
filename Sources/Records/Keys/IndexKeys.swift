/// Many keys of one index in one buffer, for looking them up together.
package struct IndexKeys {
  private var encoder = KeyEncoder()
  private var ends: [Int] = []

  package init() {}

  package var count: Int { ends.count }

  /// Adds a key: the closure appends one value for each attribute of the index.
  package mutating func append(_ encode: (inout KeyEncoder) -> Void) {
    encode(&encoder)
    ends.append(encoder.bytes.count)
  }

  package mutating func removeAll() {
    encoder.removeAll()
    ends.removeAll(keepingCapacity: true)
  }

  /// Runs a closure on the bytes of a key, which are valid inside of it.
  package func withKey<Result>(
    at position: Int, _ body: (UnsafeRawBufferPointer) throws -> Result
  ) rethrows -> Result {
    let start = position == 0 ? 0 : ends[position - 1]
    return try encoder.bytes.withUnsafeBytes { try body(UnsafeRawBufferPointer(rebasing: $0[start..<ends[position]])) }
  }

  /// The positions of the keys in ascending order of the keys, equal ones in order of their positions.
  package func sortedPositions() -> [Int] {
    var keys = KeyOrder()
    keys.reserveCapacity(count)
    return encoder.bytes.withUnsafeBytes { bytes in
      var start = 0
      for end in ends {
        keys.append(start..<end, in: bytes)
        start = end
      }
      return keys.sorted(in: bytes)
    }
  }
}
