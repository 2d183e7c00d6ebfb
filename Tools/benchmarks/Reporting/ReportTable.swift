/// Numbers in columns, a named row each.
struct ReportTable: Codable {
  struct Row: Codable {
    var label: String
    /// Nil where there is no number.
    var values: [Double?]
  }

  var title: String
  var columns: [String]
  var rows: [Row] = []

  init(_ title: String, columns: [String]) {
    self.title = title
    self.columns = columns
  }

  mutating func add(_ label: String, _ values: [Double?]) {
    rows.append(Row(label: label, values: values.map { $0.flatMap { $0.isFinite ? $0 : nil } }))
  }

  /// The table as text: labels to the left, numbers to the right, every column as wide as it must be.
  var lines: [String] {
    let cells = [[title] + columns] + rows.map { [$0.label] + $0.values.map(Figure.text) }
    let widths = (0...columns.count).map { column in
      cells.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0
    }
    return cells.map { row in
      row.enumerated().map { column, cell in
        let padding = String(repeating: " ", count: widths[column] - cell.count)
        return column == 0 ? cell + padding : padding + cell
      }.joined(separator: "  ")
    }
  }
}
