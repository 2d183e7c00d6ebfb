import KeyValueStore

/// One run of a plan on a snapshot. A class, because the closures that it passes on for each row refer to it.
final class QueryRun {
  typealias Acceptance = (RowNumber, RecordView) throws -> Bool

  let plan: QueryPlan
  let snapshot: RecordSnapshot
  private let check: FilterEvaluator?
  private let filter: FilterEvaluator?
  private let accepting: Acceptance?
  private let damage: RecordError?
  let entity: Entity
  /// The rows that are left out; nil if there are none.
  private let excluded: Set<RowNumber>?
  private let scanned: ClosedRange<RowNumber>?

  init(_ plan: QueryPlan, in snapshot: RecordSnapshot, accepting: Acceptance?) throws {
    self.plan = plan
    self.snapshot = snapshot
    self.accepting = accepting
    entity = plan.query.entity
    excluded = plan.query.excluding.isEmpty ? nil : plan.query.excluding
    scanned = plan.query.scanned
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
      try forEachMatch(of: sortedRows(by: SortKeyMaker(order, of: entity, in: snapshot), of: plan.source)[...], body)
    }
  }

  /// Runs a closure on rows that are known to be the query's.
  @discardableResult
  func forEachMatch(
    of rows: ArraySlice<SortedRow>, _ body: (RowNumber, RecordView) throws -> ScanStep
  ) throws -> ScanStep {
    for sorted in rows {
      let row = sorted.row
      let step =
        if let record = sorted.record(of: entity) {
          try body(row, record)
        } else {
          try snapshot.withRecord(row, of: entity) { try body(row, $0) }
        }
      if step == .stop { return .stop }
    }
    return .continue
  }

  /// The rows of the query that its limit leaves, in the order of their keys, those that its offset skips among them.
  func sortedRows(by keys: SortKeyMaker, of source: Source) throws -> [SortedRow] {
    var sorter = RowSorter(keeping: query.window.end)
    try forEachMatchByRow(of: source, isAccepted: { _, _ in true }) { row, record in
      if sorter.isBehind(keys.leadingWord(of: record)) { return .continue }
      try sorter.add(record, { try keys.append(row, record, to: &$0) }, accepting: { try isAccepted(row, record) })
      return .continue
    }
    return sorter.sortedRows()
  }

  func isAccepted(_ row: RowNumber, _ record: RecordView) throws -> Bool {
    try accepting?(row, record) ?? true
  }

  @inline(__always)
  private func forEachMatchByRow(
    of source: Source, isAccepted: Acceptance, _ body: (RowNumber, RecordView) throws -> ScanStep
  ) throws {
    switch source {
    case .everything:
      try snapshot.forEachRecord(of: entity, from: scanned?.lowerBound) { row, record in
        if let scanned, row > scanned.upperBound { return .stop }
        return try isMatch(row, record) && isAccepted(row, record) ? body(row, record) : .continue
      }
    case _ where source.isByRow:
      try snapshot.forEachRow(in: source, of: entity) { try visit($0, isAccepted: isAccepted, body) }
    default:
      for row in try snapshot.sortedRows(in: source, of: entity) {
        if try visit(row, isAccepted: isAccepted, body) == .stop { return }
      }
    }
  }

  /// Looks at a row that the source has named.
  func visit(
    _ row: RowNumber, isAccepted: Acceptance, _ body: (RowNumber, RecordView) throws -> ScanStep
  ) throws -> ScanStep {
    let step = try snapshot.withRecord(row, of: entity) { record in
      try isMatch(row, record) && isAccepted(row, record) ? body(row, record) : .continue
    }
    if let step { return step }
    if let damage { throw damage }
    return .continue
  }

  private func isMatch(_ row: RowNumber, _ record: RecordView) throws -> Bool {
    if let excluded, excluded.contains(row) { return false }
    if let check, try !check.matches(row, record) {
      if let damage { throw damage }
      return false
    }
    return try filter?.matches(row, record) ?? true
  }
}
