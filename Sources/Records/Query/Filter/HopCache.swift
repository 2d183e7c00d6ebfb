/// The last results of a condition on the rows that a relationship leads to. Many rows lead to few, and often to the same one
/// behind each other.
struct HopCache {
  static let places = 4096
  /// The first result. Where all rows lead to one, as the members of a relationship do, there is no other, and no table.
  private var first: (row: RowNumber, result: Bool)?
  private var rows: [RowNumber] = []
  private var results: [Bool] = []

  subscript(row: RowNumber) -> Bool? {
    get {
      if let first, first.row == row { return first.result }
      let place = Int(row.rawValue % UInt64(HopCache.places))
      return place < rows.count && rows[place] == row ? results[place] : nil
    }
    set {
      if first == nil {
        first = newValue.map { (row, $0) }
        return
      }
      if rows.isEmpty {
        // No row has the number zero.
        rows = [RowNumber](repeating: RowNumber(rawValue: 0), count: HopCache.places)
        results = [Bool](repeating: false, count: HopCache.places)
      }
      let place = Int(row.rawValue % UInt64(HopCache.places))
      rows[place] = row
      results[place] = newValue ?? false
    }
  }
}
