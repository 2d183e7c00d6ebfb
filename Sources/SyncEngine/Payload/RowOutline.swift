/// Where the rows of a text are, window by window, found without a look at what is in them.
struct RowOutline: Sendable {
  /// A stretch of the text that has a number of whole rows.
  struct Window: Sendable {
    /// From the first byte of the first row to the last of the last.
    let text: Range<Int>
    let firstRow: Int
    let rowCount: Int
  }

  /// How much text a window has, as a rule. With what is made of it, it stays in a processor's cache.
  static let windowBytes = 1 << 20

  private(set) var windows: [Window] = []
  private(set) var rowCount = 0
  let format: PayloadFormat
  /// The node of the array that the rows are elements of.
  private(set) var arrayNode = 0
  /// How deep the rows lie in the document.
  private(set) var depth: Int

  init(_ format: PayloadFormat) {
    self.format = format
    depth = format == .json ? 1 : 0
  }

  mutating func append(_ text: Range<Int>, rowCount count: Int) {
    windows.append(Window(text: text, firstRow: rowCount, rowCount: count))
    rowCount += count
  }

  /// Says where the array is, if it isn't all of the document.
  mutating func setPlace(arrayNode: Int, depth: Int) {
    self.arrayNode = arrayNode
    self.depth = depth
  }

  /// One window for all rows.
  var merged: RowOutline {
    guard windows.count > 1, let first = windows.first, let last = windows.last else { return self }
    var merged = self
    merged.windows = [
      Window(text: first.text.lowerBound..<last.text.upperBound, firstRow: 0, rowCount: rowCount)
    ]
    return merged
  }
}
