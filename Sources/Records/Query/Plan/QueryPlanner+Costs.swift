extension QueryPlanner {
  /// What things cost, as multiples of what it costs to look at the next record of a scan.
  enum Cost {
    static let lookedUpRecord = 5.0
    static let entry = 0.3
    static let sortedRow = 2.0
    /// A condition on a field of the record.
    static let fieldTest = 0.05
    /// A condition on the row that a relationship leads to, which is often one that was asked before.
    static let hop = 1.0
  }

  /// The cost of a source whose rows are put into order afterwards, if they have to be, and of which about `matching` rows are the
  /// query's.
  func cost(of candidate: Candidate, matching: Int) throws -> Double {
    if isCounting, candidate.covered.count == conjuncts.count, query.excluding.isEmpty, !candidate.source.hasRepetitions
    {
      // Its entries are counted, or it is everything, whose number is known.
      return candidate.cost
    }
    let size = Double(candidate.estimate.count)
    let matching = min(Double(matching), size)
    var perRow = Cost.lookedUpRecord
    if case .everything = candidate.source { perRow = 1 }
    perRow += try filterCost(covered: candidate.covered)
    guard query.order.isEmpty else {
      // All rows are looked at, and those that are returned are looked up once more.
      let returned = min(matching, wanted)
      return candidate.cost + size * perRow + matching * Cost.sortedRow + returned * Cost.lookedUpRecord
    }
    let share = share(of: matching)
    return (candidate.source.isByRow ? candidate.cost * share : candidate.cost) + size * share * perRow
  }

  /// The cost of an index whose rows come in the query's order, or in its beginning, so that ties have to be sorted.
  func cost(ofOrdered candidate: Candidate, hasTies: Bool, matching: Int) throws -> Double {
    let size = Double(candidate.estimate.count)
    let perRow =
      try Cost.entry + Cost.lookedUpRecord + (hasTies ? Cost.sortedRow : 0) + filterCost(covered: candidate.covered)
    return size * share(of: min(Double(matching), size)) * perRow
  }

  /// Which share of a source is looked at until there are as many rows as are wanted.
  private func share(of matching: Double) -> Double {
    matching == 0 ? 1 : min(1, wanted / matching)
  }

  /// How many rows are needed at most.
  private var wanted: Double {
    query.window.end.map(Double.init) ?? .infinity
  }

  /// What it costs to ask one row what its source does not stand for.
  private func filterCost(covered: [Int]) throws -> Double {
    try conjuncts.indices.reduce(0) { sum, position in
      covered.contains(position) ? sum : try sum + cost(of: conjuncts[position])
    }
  }

  private func cost(of condition: Condition) throws -> Double {
    switch condition {
    case .all(let parts), .any(let parts): try parts.reduce(0) { try $0 + cost(of: $1) }
    case .not(let condition): try cost(of: condition)
    case .destination(_, .always), .destination(_, .isRow): Cost.fieldTest
    case .destination: Cost.hop
    // On average half of the members tell.
    case .anyMember(let relationship, let condition), .allMembers(let relationship, let condition):
      try cost(ofMembers: relationship, condition) / 2
    case .compare(.memberCount(let relationship, let condition), _, _): try cost(ofMembers: relationship, condition)
    default: Cost.fieldTest
    }
  }

  private func cost(ofMembers relationship: Relationship, _ condition: Condition) throws -> Double {
    let owners = max(1, try snapshot.count(of: query.entity))
    let members = Double(try snapshot.linkCount(of: relationship)) / Double(owners)
    return 1 + members * (condition.isAlways ? Cost.entry : Cost.entry + Cost.lookedUpRecord)
  }
}
