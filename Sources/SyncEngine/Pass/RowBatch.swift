import Records

/// The rows of a payload that a pass has in hand: all of them, or those of one window of its text.
struct RowBatch {
  private enum Source {
    case values([PayloadValue])
    case window(ParsedWindow)
  }

  private let source: Source
  /// Their positions in the payload.
  let rows: Range<Int>
  /// Where their values lie.
  let memory: PayloadMemory

  init(_ values: [PayloadValue], memory: PayloadMemory) {
    source = .values(values)
    rows = 0..<values.count
    self.memory = memory
  }

  init(_ window: ParsedWindow) {
    source = .window(window)
    rows = window.window.firstRow..<window.window.firstRow + window.window.rowCount
    memory = window.memory
  }

  /// The object of a row; nil for one that was not parsed.
  func value(_ row: Int) -> PayloadValue? {
    switch source {
    case .values(let values): return values[row]
    case .window(let window):
      let root = window.root(ofRow: row - rows.lowerBound)
      return root > 0 ? PayloadValue(memory: memory, index: root) : nil
    }
  }

  /// The places of a row's values.
  func values(_ row: Int, by reader: RowReader) -> RowValues {
    switch source {
    case .values(let values): reader.read(values[row])
    case .window(let window): window.reading(ofRow: row - rows.lowerBound)
    }
  }

  /// The values of a row whose keys it had before. Asked for after its values.
  func repetitions(_ row: Int, by reader: RowReader) -> [Int] {
    switch source {
    case .values: reader.repetitions
    case .window(let window): window.repetitions(ofRow: row - rows.lowerBound)
    }
  }

  /// The digest of a row's text; nil if there is none.
  func digest(_ row: Int) -> RowDigest? {
    guard case .window(let window) = source, !window.digests.isEmpty else { return nil }
    return window.digests[row - rows.lowerBound]
  }

  /// Where a row's text is in the payload's; nil if it is no text.
  func textPlace(_ row: Int) -> Range<Int>? {
    guard case .window(let window) = source else { return nil }
    return window.textPlace(ofRow: row - rows.lowerBound)
  }
}
