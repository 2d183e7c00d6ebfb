/// A range of keys, in the order of their bytes.
///
/// ```swift
/// try snapshot.scan(tasks, in: .prefix(project)) { key, value in … }
/// ```
public struct KeyRange: Sendable, Hashable {
  enum End: Sendable, Hashable {
    case open
    case including([UInt8])
    case excluding([UInt8])
  }

  var lower: End
  var upper: End

  /// Every key.
  public static let all = KeyRange(lower: .open, upper: .open)

  /// The keys that begin with `prefix`.
  public static func prefix(_ prefix: [UInt8]) -> KeyRange {
    guard let last = prefix.lastIndex(where: { $0 != 0xFF }) else {
      // No key is greater than all keys with this prefix.
      return KeyRange(lower: .including(prefix), upper: .open)
    }
    var successor = Array(prefix[...last])
    successor[last] += 1
    return KeyRange(lower: .including(prefix), upper: .excluding(successor))
  }

  /// The keys from `lower`, which belongs to the range.
  public static func from(_ lower: [UInt8]) -> KeyRange {
    KeyRange(lower: .including(lower), upper: .open)
  }

  /// The keys from `lower`, which belongs to the range, to `upper`, which does not.
  public static func from(_ lower: [UInt8], to upper: [UInt8]) -> KeyRange {
    KeyRange(lower: .including(lower), upper: .excluding(upper))
  }

  /// The keys from `lower` to `upper`, which both belong to the range.
  public static func from(_ lower: [UInt8], through upper: [UInt8]) -> KeyRange {
    KeyRange(lower: .including(lower), upper: .including(upper))
  }

  /// The keys up to `upper`, which does not belong to the range.
  public static func to(_ upper: [UInt8]) -> KeyRange {
    KeyRange(lower: .open, upper: .excluding(upper))
  }

  /// The keys up to `upper`, which belongs to the range.
  public static func through(_ upper: [UInt8]) -> KeyRange {
    KeyRange(lower: .open, upper: .including(upper))
  }

  /// The part of this range behind `key`, which does not belong to it: the rest of a range after a page of it.
  ///
  /// Keys that agree in their first 495 bytes come in an order of their own, so among those the keys that a scan has not
  /// shown yet are not the ones behind the last that it has shown. Use a cursor where such keys are possible.
  public func after(_ key: [UInt8]) -> KeyRange {
    switch lower {
    case .including(let bound) where key.precedes(bound): self
    case .excluding(let bound) where key.precedes(bound): self
    default: KeyRange(lower: .excluding(key), upper: upper)
    }
  }

  /// The part of this range before `key`, which does not belong to it. See `after` for keys of more than 495 bytes.
  public func before(_ key: [UInt8]) -> KeyRange {
    switch upper {
    case .including(let bound) where bound.precedes(key): self
    case .excluding(let bound) where bound.precedes(key): self
    default: KeyRange(lower: lower, upper: .excluding(key))
    }
  }
}

extension KeyRange {
  /// Calls `body` with the two ends as bytes; nil for an end that is open.
  func withBounds<Result>(_ body: (_ lower: KeyBound?, _ upper: KeyBound?) throws -> Result) rethrows -> Result {
    try lower.withBound { lower in try upper.withBound { upper in try body(lower, upper) } }
  }
}

extension KeyRange.End {
  fileprivate func withBound<Result>(_ body: (KeyBound?) throws -> Result) rethrows -> Result {
    switch self {
    case .open: try body(nil)
    case .including(let key): try key.withUnsafeBytes { try body(KeyBound(key: $0, isIncluded: true)) }
    case .excluding(let key): try key.withUnsafeBytes { try body(KeyBound(key: $0, isIncluded: false)) }
    }
  }
}

/// One end of a range of keys.
struct KeyBound {
  let key: UnsafeRawBufferPointer
  let isIncluded: Bool

  /// Where the bound's key has its place among stored keys, as far as that can be told: the whole key, or the stem.
  var stem: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: key.prefix(StoredKey.plainBytesMax))
  }

  /// Whether stored keys with this bound's stem lie on both sides of it, because they are sorted by hash there.
  func isInterleaved(with stored: UnsafeRawBufferPointer) -> Bool {
    key.count > StoredKey.plainBytesMax && stored.count >= StoredKey.plainBytesMax
      && UnsafeRawBufferPointer(rebasing: stored.prefix(StoredKey.plainBytesMax)).hasSameBytes(as: stem)
  }
}

extension [UInt8] {
  /// Whether these bytes sort before others.
  fileprivate func precedes(_ other: [UInt8]) -> Bool {
    withUnsafeBytes { left in other.withUnsafeBytes { left.compare($0) < 0 } }
  }
}
