import KeyValueStore

/// Which of a query's rows are returned: counts them off as they come.
package struct RowWindow: Sendable {
  private var skipped: Int
  private var left: Int?

  /// After how many rows nothing more is returned; nil when there is no limit.
  var end: Int? {
    left.map { left in
      let (sum, isTooLarge) = skipped.addingReportingOverflow(left)
      return isTooLarge ? .max : sum
    }
  }

  /// Whether no further row is returned.
  package var isOver: Bool { left == 0 }

  package init(offset: Int, limit: Int?) {
    skipped = max(0, offset)
    left = limit.map { max(0, $0) }
  }

  /// How many of a number of further rows are returned.
  func count(of total: Int) -> Int {
    let rest = max(0, total - skipped)
    return left.map { min($0, rest) } ?? rest
  }

  /// Runs a closure on the next row, if that is returned, and says whether to go on.
  package mutating func next(_ body: () throws -> ScanStep) rethrows -> ScanStep {
    if skipped > 0 {
      skipped -= 1
      return .continue
    }
    if isOver { return .stop }
    left = left.map { $0 - 1 }
    let step = try body()
    return isOver ? .stop : step
  }
}

extension RecordQuery {
  var window: RowWindow { RowWindow(offset: offset, limit: limit) }
}
