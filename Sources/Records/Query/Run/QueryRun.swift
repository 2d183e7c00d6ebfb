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
    case .byIndex(let order): try forEachMatch(in: order, body)
    case .sorted(let order):
      try forEachMatch(of: sortedRows(by: SortKeyMaker(order, in: snapshot), of: plan.source)[...], body)
    }
  }

  /// Runs a closure on rows that are known to be the query's.
  @discardableResult
  func forEachMatch(
    of rows: ArraySlice<RowNumber>, _ body: (RowNumber, RecordView) throws -> ScanStep
  ) throws -> ScanStep {
    for row in rows {
      let step = try snapshot.withRecord(row, of: query.entity) { try body(row, $0) }
      if step == .stop { return .stop }
    }
    return .continue
  }

  /// The rows of the query that its limit leaves, in the order of their keys, those that its offset skips among them.
  func sortedRows(by keys: SortKeyMaker, of source: Source) throws -> [RowNumber] {
    var sorter = RowSorter(keeping: query.window.end)
    try forEachMatchByRow(of: source, isAccepted: { _, _ in true }) { row, record in
      try sorter.add({ try keys.append(row, record, to: &$0) }, accepting: { try isAccepted(row, record) })
      return .continue
    }
    return sorter.sortedRows()
  }

  func isAccepted(_ row: RowNumber, _ record: RecordView) throws -> Bool {
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
  func visit(
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
