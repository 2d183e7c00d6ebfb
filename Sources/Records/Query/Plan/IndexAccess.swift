/// The part of an index that has all rows for which some conditions are true.
struct IndexAccess: Sendable {
  let index: Index
  /// Where in the index the rows are: in ascending order, without overlap.
  let intervals: [KeyInterval]
  /// How many of the index's attributes have one value in all of these rows.
  let fixedCount: Int
  /// Whether each interval has the rows of one list of values, which are then in ascending order.
  let isByValues: Bool
  /// Where the intervals have all values of one attribute between some ends: the bytes in front of these values.
  let rangePrefix: [UInt8]?
  /// Whether each interval is what begins with some values.
  let isByPrefix: Bool
  /// Whether an interval has at most one row.
  let isUnique: Bool
  /// The conditions that say nothing more than that a row is in one of the intervals, as positions among the conjuncts.
  let covered: [Int]

  /// How many intervals an attribute behind others may make: beyond it, looking at the rest of each is quicker.
  private static let intervalsMax = 256

  /// The whole index.
  init(all index: Index) {
    self.index = index
    intervals = [.all]
    fixedCount = 0
    isByValues = false
    isByPrefix = false
    rangePrefix = []
    isUnique = false
    covered = []
  }

  /// The smallest part of an index that conditions lead to; nil when they say nothing about its first attribute.
  init?(_ index: Index, _ constraints: [(position: Int, constraint: FieldConstraint)]) {
    var prefixes: [[UInt8]] = [[]]
    var covered: [Int] = []
    var fixedCount = 0
    var valueCount = 0
    var hasNulls = false
    for attribute in index.attributes {
      let own = constraints.filter { $0.constraint.field == attribute.field }
      guard let (position, points) = own.fewestPoints,
        valueCount == 0 || prefixes.count * points.count <= IndexAccess.intervalsMax
      else { break }
      // No key is the beginning of another, so the combinations are in ascending order again.
      prefixes = prefixes.flatMap { prefix in points.map { prefix + $0 } }
      covered.append(position)
      valueCount += 1
      hasNulls = hasNulls || points.contains([KeyEncoder.Tag.null])
      if prefixes.count == 1 { fixedCount += 1 }
    }
    var last: [KeyInterval]?
    if valueCount < index.attributes.count {
      for (position, constraint) in constraints where constraint.field == index.attributes[valueCount].field {
        guard case .intervals(let intervals) = constraint.keys else { continue }
        // None are left where the conditions exclude each other.
        last = (last ?? [.all]).flatMap { interval in intervals.compactMap(interval.intersection) }
        if constraint.isExact { covered.append(position) }
      }
    }
    if valueCount == 0, last == nil { return nil }
    self.index = index
    self.covered = covered
    self.fixedCount = fixedCount
    intervals = prefixes.flatMap { prefix in
      last?.map { $0.behind(prefix) } ?? [KeyInterval(startingWith: prefix)]
    }
    rangePrefix = prefixes.count == 1 && last != nil ? prefixes[0] : nil
    isByPrefix = last == nil
    isByValues = valueCount == index.attributes.count
    isUnique = isByValues && index.isUnique && !hasNulls
  }

  /// Whether its intervals lie behind one list of values, so that their entries are in the order of the next attributes.
  var isInOrder: Bool { intervals.count == 1 || rangePrefix != nil && !intervals.isEmpty }

  /// Whether its rows come in ascending order. Keys that are too long to be in order are not ordered by their rows either.
  var isByRow: Bool {
    intervals.isEmpty
      || isByValues && intervals.count == 1 && intervals[0].lower.count + 8 <= IndexEntry.orderedKeyBytesMax
  }
}

extension [(position: Int, constraint: FieldConstraint)] {
  /// Of several lists of values that a field must be in, the shortest.
  fileprivate var fewestPoints: (position: Int, points: [[UInt8]])? {
    let all = compactMap { position, constraint -> (position: Int, points: [[UInt8]])? in
      guard case .points(let points) = constraint.keys else { return nil }
      return (position, points)
    }
    return all.min { $0.points.count < $1.points.count }
  }
}
