import KeyValueStore

extension RecordSnapshot {
  /// Chooses how a query is answered.
  ///
  /// - Throws: `QueryError` for what does not fit the entity; what looking into indexes throws.
  package func plan(_ query: RecordQuery) throws -> QueryPlan {
    try QueryPlanner(query, in: self).plan()
  }

  /// Runs a closure on the rows of a query, in its order.
  ///
  /// - Parameters:
  ///   - plan: The plan of the query, made by any snapshot of this store.
  ///   - accepting: A further condition, asked only of rows of which the query's own is true, and before they count for offset
  ///     and limit.
  ///   - body: Like `accepting`, must not write in the transaction that it reads from.
  /// - Throws: `QueryError` for what cannot be calculated; `RecordError.damagedRecord`, `.damagedEntry` and
  ///   `.damagedIndexEntry`; what the closures throw.
  package func run(
    _ plan: QueryPlan, accepting: ((RowNumber, RecordView) throws -> Bool)? = nil,
    _ body: (RowNumber, RecordView) throws -> ScanStep
  ) throws {
    var window = plan.query.window
    if window.isOver { return }
    try QueryRun(plan, in: self, accepting: accepting).forEachMatch { row, record in
      try window.next { try body(row, record) }
    }
  }

  /// The rows of a query, in its order.
  package func rows(
    _ plan: QueryPlan, accepting: ((RowNumber, RecordView) throws -> Bool)? = nil
  ) throws -> [RowNumber] {
    if plan.query.window.isOver { return [] }
    if case .sorted(let order) = plan.ordering {
      // They are sorted by number and key, so none has to be read a second time.
      let run = try QueryRun(plan, in: self, accepting: accepting)
      let rows = try run.sortedRows(by: SortKeyMaker(order, of: plan.query.entity, in: self), of: plan.source)
      return rows.dropFirst(max(0, plan.query.offset)).map(\.row)
    }
    var result: [RowNumber] = []
    try run(plan, accepting: accepting) { row, _ in
      result.append(row)
      return .continue
    }
    return result
  }

  /// How many rows a plan looks at, at most: those that its source names. A limit may end it earlier.
  ///
  /// - Throws: What reading indexes throws.
  package func candidateCount(of plan: QueryPlan) throws -> Int {
    if case .everything = plan.source, plan.query.scanned == nil { return try count(of: plan.query.entity) }
    var count = 0
    try forEachRow(in: plan.source, of: plan.query.entity) { _ in
      count += 1
      return .continue
    }
    return count
  }

  /// Chooses how the rows of a query are counted. Their order plays no part. `isJudged` says whether rows are asked something more
  /// than the query's condition.
  ///
  /// - Throws: what `plan(_:)` throws.
  package func countPlan(_ query: RecordQuery, isJudged: Bool = false) throws -> QueryPlan {
    var query = query
    query.order = []
    return try QueryPlanner(query, in: self, isCounting: !isJudged).plan()
  }

  /// How many rows a query has, its offset and limit considered.
  package func count(
    _ query: RecordQuery, accepting: ((RowNumber, RecordView) throws -> Bool)? = nil
  ) throws -> Int {
    var window = query.window
    if window.isOver { return 0 }
    let plan = try countPlan(query, isJudged: accepting != nil)
    let run = try QueryRun(plan, in: self, accepting: accepting)
    var count = 0
    func countNext() -> ScanStep {
      window.next {
        count += 1
        return .continue
      }
    }
    switch plan.counting(isJudged: accepting != nil) {
    case .byNumberOfRows: return window.count(of: try self.count(of: query.entity))
    case .byEntries: try forEachRow(in: plan.source, of: query.entity) { _ in countNext() }
    case .byRows: try run.forEachMatch { _, _ in countNext() }
    }
    return count
  }
}
