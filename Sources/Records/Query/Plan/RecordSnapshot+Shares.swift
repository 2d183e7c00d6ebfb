import KeyValueStore

extension RecordSnapshot {
  /// What share of values is taken to be a frequent one, of which nothing is known but that it is frequent.
  private static let shareOfFrequentValue = 0.2

  /// The share of an index's entries that is in a part of it. Between two ends values are taken to be spread evenly.
  func share(of access: IndexAccess) throws -> Double {
    guard let prefix = access.rangePrefix else {
      return RecordSnapshot.shareOfFrequentValue
    }
    let kind = FieldKind(access.index.attributes[access.fixedCount].type)
    let table = tables.indexes[access.index.slot]
    let bounds = try snapshot.withCursor(in: table) { cursor -> (first: [UInt8], last: [UInt8])? in
      // The nulls in front are left out: they are no part of a scale.
      guard try cursor.seek(to: prefix + KeyInterval.present.lower) else { return nil }
      let first = [UInt8](try cursor.key)
      let isInside = try prefix.successor.map { try cursor.seek(to: $0) } ?? false
      guard try isInside ? cursor.previous() : cursor.last() else { return nil }
      return (first, [UInt8](try cursor.key))
    }
    guard let bounds else { return 0 }
    let scale = KeyScale(first: bounds.first, last: bounds.last, kind, valueAt: prefix.count)
    let share = access.intervals.reduce(0) { share, interval in
      share + max(0, (interval.upper.map(scale.place) ?? 1) - scale.place(interval.lower))
    }
    return prefix.isEmpty ? share : share * RecordSnapshot.shareOfFrequentValue
  }
}

/// The place of keys between two others: 0 at the first and before it, 1 at the last and behind it.
private struct KeyScale {
  private let kind: FieldKind
  private let start: Int
  private let low: Double
  private let high: Double

  init(first: [UInt8], last: [UInt8], _ kind: FieldKind, valueAt offset: Int) {
    self.kind = kind
    let isFloating = kind == .double || kind == .float || kind == .date
    // Numbers are read whole. Of other values the bytes count in which the ends begin to differ.
    start = isFloating ? offset + 1 : max(offset + 1, zip(first, last).prefix { $0 == $1 }.count)
    low = KeyScale.number(first, from: start, kind)
    high = KeyScale.number(last, from: start, kind)
  }

  func place(_ key: [UInt8]) -> Double {
    // A bound of nothing but a tag is in front of all values or behind them.
    if key.count < start { return key.last == KeyInterval.present.lower.last ? 0 : 1 }
    let number = KeyScale.number(key, from: start, kind)
    return high > low ? min(1, max(0, (number - low) / (high - low))) : 0
  }

  private static func number(_ key: [UInt8], from start: Int, _ kind: FieldKind) -> Double {
    let word = (start..<start + 8).reduce(0 as UInt64) { $0 << 8 | ($1 < key.count ? UInt64(key[$1]) : 0) }
    switch kind {
    case .double, .float, .date:
      let number = Double(bitPattern: word >> 63 == 1 ? word ^ (1 << 63) : ~word)
      // Halved, so that the distance between the ends is finite.
      return number.isNaN
        ? .greatestFiniteMagnitude / 2
        : min(max(number / 2, -.greatestFiniteMagnitude / 2), .greatestFiniteMagnitude / 2)
    default: return Double(word)
    }
  }
}
