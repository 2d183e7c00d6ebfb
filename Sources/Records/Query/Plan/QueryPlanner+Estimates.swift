import KeyValueStore

extension QueryPlanner {
  /// Up to how many entries are counted to know how many rows a part of an index has. It takes a small part of the time that
  /// looking at all rows would.
  private static func countedMax(total: Int) -> Int {
    min(max(total / 16, 256), 4096)
  }

  /// How many rows a part of an index has: counted if they are few, otherwise guessed.
  func estimate(of access: IndexAccess, total: Int) throws -> RowEstimate {
    if access.isUnique { return RowEstimate(count: min(access.intervals.count, total), isCounted: true) }
    let (known, state) = (snapshot.tables.estimates, snapshot.stateNumber)
    if let estimate = known.estimate(of: access, at: state) { return estimate }
    let estimate = try newEstimate(of: access, total: total)
    if estimate.count >= KnownEstimates.entriesMin { known.note(estimate, of: access, at: state) }
    return estimate
  }

  private func newEstimate(of access: IndexAccess, total: Int) throws -> RowEstimate {
    let max = QueryPlanner.countedMax(total: total)
    let intervals = access.intervals.prefix(QueryPlanner.sampledIntervalsMax)
    var count = 0
    var isCounted = true
    for interval in intervals where isCounted {
      let found = try snapshot.count(in: interval, of: access.index, upTo: max - count + 1)
      count += found
      isCounted = count <= max
    }
    if isCounted, intervals.count == access.intervals.count { return RowEstimate(count: count, isCounted: true) }
    if isCounted {
      return RowEstimate(count: min(total, count * access.intervals.count / intervals.count), isCounted: false)
    }
    let guess = Int(try snapshot.share(of: access) * Double(total))
    return RowEstimate(count: min(total, Swift.max(guess, count)), isCounted: false)
  }

  /// Of how many intervals the rows are counted; the others have as many on average.
  private static let sampledIntervalsMax = 16

  /// How many rows of an entity are linked to the rows of a plan.
  func estimate(of direction: LinkDirection, from origin: QueryPlan, total: Int) throws -> RowEstimate {
    guard direction.isToMany else {
      return RowEstimate(count: min(origin.estimate.count, total), isCounted: origin.estimate.isCounted)
    }
    if case .rows(let rows) = origin.source, rows.count == 1 {
      let max = QueryPlanner.countedMax(total: total)
      var count = 0
      try snapshot.forEachLink(of: direction, owner: rows[0]) { _, _ in
        count += 1
        return count > max ? .stop : .continue
      }
      if count <= max { return RowEstimate(count: count, isCounted: true) }
    }
    let owners = Swift.max(1, try snapshot.count(of: snapshot.catalog.entities[direction.entitySlot]))
    let links = try snapshot.linkCount(of: direction)
    let count = Double(origin.estimate.count) * Double(links) / Double(owners)
    return RowEstimate(count: min(total, Int(count.rounded(.up))), isCounted: false)
  }
}

extension RecordSnapshot {
  /// How many entries a part of an index has, counted up to a number.
  fileprivate func count(in interval: KeyInterval, of index: Index, upTo max: Int) throws -> Int {
    var count = 0
    try settle(index)
    try snapshot.scan(tables.indexes[index.slot], in: interval.range) { _, _ in
      count += 1
      return count >= max ? .stop : .continue
    }
    return count
  }

  /// How many links a to-many direction has, of all rows together.
  fileprivate func linkCount(of direction: LinkDirection) throws -> Int {
    try settle(direction, for: nil)
    return try tables.links[direction.slot].map { try snapshot.count(in: $0) } ?? 0
  }
}
