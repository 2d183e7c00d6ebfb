import KeyValueStore

/// Chooses where a query's rows are looked for and how they get into its order: of all ways that the indexes and relationships
/// offer, the one that costs the least by estimates of the numbers of rows.
struct QueryPlanner {
  /// A place where rows may be looked for.
  struct Candidate {
    var source: Source
    var estimate: RowEstimate
    /// What it costs to find the numbers of its rows.
    var cost: Double
    /// The conditions that say nothing more than that a row is in the source, as positions among the conjuncts.
    var covered: [Int] = []
  }

  let query: RecordQuery
  let snapshot: RecordSnapshot
  /// Whether the rows are only counted, so that their records are not read where the source stands for all conditions.
  let isCounting: Bool
  /// The query's condition, simplified.
  let conjuncts: [Condition]
  /// What the conjuncts say about fields that are in an index.
  let constraints: [(position: Int, constraint: FieldConstraint)]

  init(_ query: RecordQuery, in snapshot: RecordSnapshot, isCounting: Bool = false) {
    self.query = query
    self.snapshot = snapshot
    self.isCounting = isCounting
    conjuncts = query.condition.simplified().conjuncts
    constraints = QueryPlanner.constraints(in: conjuncts, of: query.entity)
  }

  func plan() throws -> QueryPlan {
    if let choice = try uniqueRow() { return try plan(choice) }
    let choices = try choices()
    // There is always one: that of looking at everything.
    return try plan(choices.min { $0.cost < $1.cost } ?? choices[0])
  }

  /// The way to the one row that a unique index leads to, if one does: nothing has to be compared with it.
  private func uniqueRow() throws -> Choice? {
    if query.scanned != nil || constraints.isEmpty { return nil }
    for index in query.entity.indexes where index.isUnique {
      guard let access = IndexAccess(index, constraints), access.isUnique, access.intervals.count == 1 else { continue }
      let candidate = Candidate(
        source: .index(access), estimate: try estimate(of: access, total: snapshot.count(of: query.entity)), cost: 0,
        covered: access.covered)
      return Choice(candidate: candidate, ordering: try unindexedOrdering(), cost: 0)
    }
    return nil
  }

  /// One way to answer the query.
  struct Choice {
    var candidate: Candidate
    var ordering: QueryPlan.Ordering
    var cost: Double
  }

  /// All ways to answer the query.
  func choices() throws -> [Choice] {
    let total = try snapshot.count(of: query.entity)
    let candidates = query.scanned == nil ? try candidates(for: conjuncts, constraints, total: total) : []
    let matching = min(total, candidates.map(\.estimate.count).min() ?? (conjuncts.isEmpty ? total : total / 3))
    let everything = Candidate(source: .everything, estimate: RowEstimate(count: total, isCounted: true), cost: 0)
    let ordering = try unindexedOrdering()
    let unindexed = try (candidates + [everything]).map { candidate in
      Choice(candidate: candidate, ordering: ordering, cost: try cost(of: candidate, matching: matching))
    }
    return try unindexed + indexOrders(total: total, matching: matching)
  }

  func plan(_ choice: Choice) throws -> QueryPlan {
    let candidate = choice.candidate
    let covered = candidate.covered.map { conjuncts[$0] }
    let entity = query.entity
    let rest = conjuncts.indices.filter { !candidate.covered.contains($0) }.map { conjuncts[$0] }
    // Whether a row has a linked row of some kind is not asked a second time: it would take a walk through its links.
    let checked = covered.filter { !$0.needsMembers }
    return QueryPlan(
      query: query, source: candidate.source, ordering: choice.ordering,
      check: try RecordFilter(.all(checked), of: entity, in: snapshot.catalog),
      filter: try RecordFilter(.all(rest), of: entity, in: snapshot.catalog),
      estimate: candidate.estimate, covered: covered, rest: rest, catalog: snapshot.catalog)
  }

  private func unindexedOrdering() throws -> QueryPlan.Ordering {
    query.order.isEmpty ? .byRow : .sorted(try RowOrder(query.order, of: query.entity, in: snapshot.catalog))
  }

  /// The indexes that have the query's order, or its beginning.
  private func indexOrders(total: Int, matching: Int) throws -> [Choice] {
    if query.order.isEmpty || query.scanned != nil { return [] }
    return try query.entity.indexes.compactMap { index in
      let access =
        IndexAccess(index, constraints).flatMap { $0.isInOrder ? $0 : nil } ?? IndexAccess(all: index)
      guard let order = try IndexOrder(access, of: query, in: snapshot.catalog) else { return nil }
      let isWhole = access.intervals == [.all]
      let estimate = isWhole ? RowEstimate(count: total, isCounted: true) : try estimate(of: access, total: total)
      let candidate = Candidate(source: .index(access), estimate: estimate, cost: 0, covered: access.covered)
      return Choice(
        candidate: candidate, ordering: .byIndex(order),
        cost: try cost(ofOrdered: candidate, hasTies: order.ties != nil, matching: matching))
    }
  }
}

extension Condition {
  /// Whether evaluating it walks through links.
  fileprivate var needsMembers: Bool {
    switch self {
    case .anyMember, .allMembers: true
    default: false
    }
  }
}
