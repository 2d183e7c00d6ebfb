import KeyValueStore

extension QueryRun {
  typealias Visit = (RowNumber, RecordView) throws -> ScanStep

  /// Runs a closure on the rows of the query in the order of an index, those that agree in it in the order of the other terms.
  func forEachMatch(in order: IndexOrder, _ body: Visit) throws {
    // When the walk has cost as much as a scan of all rows would, it costs at most as much again to make that scan.
    let entriesMax =
      order.fallback == nil ? Int.max : max(256, plan.estimate.count / Int(QueryPlanner.Cost.lookedUpRecord))
    let ties = order.ties.map { SortKeyMaker($0, of: entity, in: snapshot) }
    var found = 0
    let isComplete = try forEachGroup(in: order, entriesMax: entriesMax) { group in
      try visit(&group, ties) { row, record in
        found += 1
        return try body(row, record)
      }
    }
    if !isComplete, let fallback = order.fallback {
      let rows = try sortedRows(by: SortKeyMaker(fallback, of: entity, in: snapshot), of: .everything)
      try forEachMatch(of: rows.dropFirst(found), body)
    }
  }

  /// Runs a closure on the rows of a group that are the query's.
  private func visit(_ group: inout [RowNumber], _ ties: SortKeyMaker?, _ body: Visit) throws -> ScanStep {
    if group.count > 1 {
      if let ties { return try forEachMatch(of: sortedRows(by: ties, of: .rows(group))[...], body) }
      group.sort()
    }
    for row in group where try visit(row, isAccepted: isAccepted, body) == .stop { return .stop }
    return .continue
  }

  /// Visits the rows that agree in what the index decides, a group after the other.
  ///
  /// - Returns: Whether there were no more than `entriesMax` entries. Otherwise only the groups before were visited.
  private func forEachGroup(
    in order: IndexOrder, entriesMax: Int, _ body: (inout [RowNumber]) throws -> ScanStep
  ) throws -> Bool {
    let index = order.access.index
    try snapshot.settle(index)
    // The rows of one key of the index are in the order of their numbers already.
    let isByRowWithin = order.ties == nil && order.valueCount == index.attributes.count && !order.isReversed
    var group: [RowNumber] = []
    var groupKey: [UInt8] = []
    var entryCount = 0
    var isStopped = false

    func endGroup() throws -> ScanStep {
      defer { group.removeAll(keepingCapacity: true) }
      isStopped = try body(&group) == .stop
      return isStopped ? .stop : .continue
    }

    let intervals = order.access.intervals
    for interval in order.isReversed ? intervals.reversed() : intervals where !isStopped && entryCount <= entriesMax {
      try snapshot.forEachEntryInOrder(of: index, in: interval, isReversed: order.isReversed) { key, row in
        guard let end = KeySpan.byteCount(of: index.attributes[..<order.valueCount], in: key) else {
          throw snapshot.damagedEntry(of: index)
        }
        let values = UnsafeRawBufferPointer(rebasing: key[..<end])
        let isSame = groupKey.withUnsafeBytes { $0.hasSameBytes(as: values) }
        if isByRowWithin || !isSame {
          if try endGroup() == .stop { return .stop }
          groupKey.removeAll(keepingCapacity: true)
          groupKey.append(contentsOf: values)
        }
        entryCount += 1
        group.append(row)
        return entryCount > entriesMax ? .stop : .continue
      }
    }
    if entryCount > entriesMax { return isStopped }
    if !isStopped { _ = try endGroup() }
    return true
  }
}
