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
      let rows = try QueryRun(plan, in: self, accepting: accepting).sortedRows(by: order, of: plan.source)
      return Array(rows.dropFirst(max(0, plan.query.offset)))
    }
    var result: [RowNumber] = []
    try run(plan, accepting: accepting) { row, _ in
      result.append(row)
      return .continue
    }
    return result
  }

  /// How many rows a query has, its offset and limit considered. Its order plays no part, so this plans without it.
  package func count(
    _ query: RecordQuery, accepting: ((RowNumber, RecordView) throws -> Bool)? = nil
  ) throws -> Int {
    var query = query
    query.order = []
    var window = query.window
    if window.isOver { return 0 }
    let plan = try QueryPlanner(query, in: self, isCounting: accepting == nil).plan()
    let run = try QueryRun(plan, in: self, accepting: accepting)
    var count = 0
    if let total = try run.total {
      count = window.count(of: total)
    } else if run.isSourceExact {
      try forEachRow(in: plan.source, of: query.entity) { _ in
        window.next {
          count += 1
          return .continue
        }
      }
    } else {
      try run.forEachMatch { _, _ in
        window.next {
          count += 1
          return .continue
        }
      }
    }
    return count
  }
}
