import Records

/// Rows in the order in which they were added, each once. Most are a handful, for which looking at each is faster than hashing.
struct RowSet {
  private(set) var rows: [RowNumber] = []
  private var hashed: Set<RowNumber>?
  private static let unhashedMax = 16

  init() {}

  /// An empty set with room for rows.
  init(capacity: Int) {
    rows.reserveCapacity(capacity)
  }

  /// A set of rows that are all different.
  init(_ rows: [RowNumber]) {
    self.rows = rows
    if rows.count > Self.unhashedMax { hashed = Set(rows) }
  }

  func contains(_ row: RowNumber) -> Bool {
    hashed?.contains(row) ?? rows.contains(row)
  }

  mutating func insert(_ row: RowNumber) {
    if contains(row) { return }
    rows.append(row)
    if hashed != nil {
      hashed?.insert(row)
    } else if rows.count > Self.unhashedMax {
      hashed = Set(rows)
    }
  }
}
