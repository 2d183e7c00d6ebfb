import KeyValueStore

/// One run of a plan on a snapshot.
struct QueryRun {
  typealias Acceptance = (RowNumber, RecordView) throws -> Bool

  let plan: QueryPlan
  let snapshot: RecordSnapshot
  private let check: FilterEvaluator?
  private let filter: FilterEvaluator?
  private let accepting: Acceptance?
  private let damage: RecordError?

  init(_ plan: QueryPlan, in snapshot: RecordSnapshot, accepting: Acceptance?) throws {
    self.plan = plan
    self.snapshot = snapshot
    self.accepting = accepting
    check = plan.check.isAlwaysTrue ? nil : FilterEvaluator(plan.check, in: snapshot)
    filter = plan.filter.isAlwaysTrue ? nil : FilterEvaluator(plan.filter, in: snapshot)
    damage = snapshot.damage(of: plan.source)
    // Nothing may be written while tables are walked through, so what conditions will read is applied before.
    try snapshot.settleEverything()
  }

  private var query: RecordQuery { plan.query }

  /// Runs a closure on the rows of the query in its order, without regard to offset and limit.
  func forEachMatch(_ body: (RowNumber, RecordView) throws -> ScanStep) throws {
    switch plan.ordering {
    case .byRow: try forEachMatchByRow(of: plan.source, isAccepted: isAccepted, body)
    case .byIndex(let access, let isReversed, let valueCount, let fallback):
      try forEachMatch(inOrderOf: access, isReversed: isReversed, valueCount: valueCount, fallback: fallback, body)
    case .sorted(let order):
      try forEachMatch(of: sortedRows(by: order, of: plan.source)[...], body)
    }
  }

  private func forEachMatch(
    inOrderOf access: IndexAccess, isReversed: Bool, valueCount: Int, fallback: RowOrder?,
    _ body: (RowNumber, RecordView) throws -> ScanStep
  ) throws {
    // When the walk has cost as much as a scan of all rows would, it costs at most as much again to make that scan.
    let visitedMax = fallback == nil ? Int.max : max(256, plan.estimate.count / Int(QueryPlanner.Cost.lookedUpRecord))
    let isAccepted = isAccepted
    var visited = 0
    var found = 0
    try forEachRow(in: access, isReversed: isReversed, valueCount: valueCount) { row in
      visited += 1
      if visited > visitedMax { return .stop }
      return try visit(row, isAccepted: isAccepted) { row, record in
        found += 1
        return try body(row, record)
      }
    }
    if visited > visitedMax, let fallback {
      try forEachMatch(of: sortedRows(by: fallback, of: .everything).dropFirst(found), body)
    }
  }

  private func forEachMatch(
    of rows: ArraySlice<RowNumber>, _ body: (RowNumber, RecordView) throws -> ScanStep
  ) throws {
    for row in rows {
      let step = try snapshot.withRecord(row, of: query.entity) { try body(row, $0) }
      if step == .stop { return }
    }
  }

  /// The rows of the query that its limit leaves, in its order, those that its offset skips among them.
  func sortedRows(by order: RowOrder, of source: Source) throws -> [RowNumber] {
    var sorter = RowSorter(keeping: query.window.end)
    let keys = SortKeyMaker(order, in: snapshot)
    try forEachMatchByRow(of: source, isAccepted: { _, _ in true }) { row, record in
      try sorter.add({ try keys.append(row, record, to: &$0) }, accepting: { try isAccepted(row, record) })
      return .continue
    }
    return sorter.sortedRows()
  }

  private func isAccepted(_ row: RowNumber, _ record: RecordView) throws -> Bool {
    try accepting?(row, record) ?? true
  }

  private func forEachMatchByRow(
    of source: Source, isAccepted: Acceptance, _ body: (RowNumber, RecordView) throws -> ScanStep
  ) throws {
    switch source {
    case .everything:
      try snapshot.forEachRecord(of: query.entity, from: query.scanned?.lowerBound) { row, record in
        if let scanned = query.scanned, row > scanned.upperBound { return .stop }
        return try isMatch(row, record) && isAccepted(row, record) ? body(row, record) : .continue
      }
    case _ where source.isByRow:
      try snapshot.forEachRow(in: source, of: query.entity) { try visit($0, isAccepted: isAccepted, body) }
    default:
      for row in try snapshot.sortedRows(in: source, of: query.entity) {
        if try visit(row, isAccepted: isAccepted, body) == .stop { return }
      }
    }
  }

  /// Looks at a row that the source has named.
  private func visit(
    _ row: RowNumber, isAccepted: Acceptance, _ body: (RowNumber, RecordView) throws -> ScanStep
  ) throws -> ScanStep {
    let step = try snapshot.withRecord(row, of: query.entity) { record in
      try isMatch(row, record) && isAccepted(row, record) ? body(row, record) : .continue
    }
    if let step { return step }
    if let damage { throw damage }
    return .continue
  }

  private func isMatch(_ row: RowNumber, _ record: RecordView) throws -> Bool {
    if !query.excluding.isEmpty, query.excluding.contains(row) { return false }
    if let check, try !check.matches(row, record) {
      if let damage { throw damage }
      return false
    }
    return try filter?.matches(row, record) ?? true
  }
}
