/// The members that a row has before they are replaced by others, and which of them stay.
struct CurrentMembers {
  private var rows: [RowNumber] = []
  private var ranks: [UInt64] = []
  private var isTaken: [Bool] = []

  /// Adds a member; they come in ascending order of their rows, as they lie in the table.
  mutating func append(_ row: RowNumber, rank: UInt64) {
    rows.append(row)
    ranks.append(rank)
    isTaken.append(false)
  }

  /// The rank of a member that stays; nil for a row that is not a member.
  mutating func takeRank(of row: RowNumber) -> UInt64? {
    var low = 0
    var high = rows.count
    while low < high {
      let middle = (low + high) / 2
      if rows[middle] < row { low = middle + 1 } else { high = middle }
    }
    guard low < rows.count, rows[low] == row else { return nil }
    isTaken[low] = true
    return ranks[low]
  }

  /// The members that do not stay.
  var remaining: [RowNumber] {
    rows.indices.filter { !isTaken[$0] }.map { rows[$0] }
  }
}

/// Tells whether a row in a list occurs there for the first time. Most lists are short enough to look back in them.
struct SeenRows {
  private static let countWithoutSetMax = 16

  private let rows: [RowNumber]
  private var seen: Set<RowNumber> = []

  init(_ rows: [RowNumber]) {
    self.rows = rows
  }

  mutating func isFirst(_ row: RowNumber, at position: Int) -> Bool {
    if rows.count > SeenRows.countWithoutSetMax { return seen.insert(row).inserted }
    return !rows[..<position].contains(row)
  }
}
