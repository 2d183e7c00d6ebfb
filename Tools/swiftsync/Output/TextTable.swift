/// Text in columns that are as wide as their widest cell.
struct TextTable {
  enum Alignment {
    case left, right
  }

  private let indentation: Int
  private let alignments: [Alignment]
  private var rows: [[String]] = []

  /// A column without an alignment of its own is aligned to the left.
  init(indentation: Int = 0, alignments: [Alignment] = []) {
    self.indentation = indentation
    self.alignments = alignments
  }

  mutating func add(_ cells: [String]) {
    rows.append(cells)
  }

  /// The rows as lines without blanks at their ends.
  var lines: [String] {
    let columnCount = rows.map(\.count).max() ?? 0
    let widths = (0..<columnCount).map { column in
      rows.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0
    }
    return rows.map { cells in
      // Without the empty cells at its end, no line ends in blanks.
      let cells = cells[..<((cells.lastIndex { !$0.isEmpty } ?? -1) + 1)]
      var line = String(repeating: " ", count: cells.isEmpty ? 0 : indentation)
      for (column, cell) in cells.enumerated() {
        if column > 0 { line += "  " }
        let isRight = column < alignments.count && alignments[column] == .right
        let isLast = column == cells.count - 1
        let padding = String(repeating: " ", count: isLast && !isRight ? 0 : widths[column] - cell.count)
        line += isRight ? padding + cell : cell + padding
      }
      return line
    }
  }
}
