import KeyValueStore

/// The keys from one (included) to another (not included), or to the end.
struct KeyInterval: Sendable, Hashable {
  var lower: [UInt8]
  var upper: [UInt8]?

  /// Every key.
  static let all = KeyInterval(lower: [], upper: nil)
  /// The keys of all values that are not null.
  static let present = KeyInterval(lower: [KeyEncoder.Tag.value], upper: [KeyEncoder.Tag.value + 1])

  init(lower: [UInt8], upper: [UInt8]?) {
    self.lower = lower
    self.upper = upper
  }

  /// The keys that begin with some bytes.
  init(startingWith prefix: [UInt8]) {
    lower = prefix
    upper = prefix.successor
  }

  /// What two intervals have in common; nil when that is nothing.
  func intersection(_ other: KeyInterval) -> KeyInterval? {
    let lower = self.lower.lexicographicallyPrecedes(other.lower) ? other.lower : self.lower
    var upper = self.upper ?? other.upper
    if let own = self.upper, let its = other.upper, its.lexicographicallyPrecedes(own) { upper = its }
    if let upper, !lower.lexicographicallyPrecedes(upper) { return nil }
    return KeyInterval(lower: lower, upper: upper)
  }

  /// The keys of this interval behind the bytes of values in front of them.
  func behind(_ prefix: [UInt8]) -> KeyInterval {
    KeyInterval(lower: prefix + lower, upper: upper.map { prefix + $0 } ?? prefix.successor)
  }

  var range: KeyRange {
    switch upper {
    case let upper?: lower.isEmpty ? .to(upper) : .from(lower, to: upper)
    case nil: lower.isEmpty ? .all : .from(lower)
    }
  }
}

extension [UInt8] {
  /// The least bytes that are greater than all that begin with these; nil when nothing is.
  var successor: [UInt8]? {
    guard let last = lastIndex(where: { $0 != 0xFF }) else { return nil }
    var result = Array(self[...last])
    result[last] += 1
    return result
  }
}
