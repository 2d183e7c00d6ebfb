/// The rows that the commit cases begin with, and an endless sequence of updates of them.
///
/// Everything follows from numbers, so every contender and every run gets the same rows.
struct RowSource: Sendable {
  let rowCount: Int

  /// The key of a row. Keys are spread over the whole range, so that rows drawn at random lie on pages at random.
  func key(_ index: Int) -> [UInt8] {
    var numbers = PseudoRandom(seed: UInt64(index))
    return numbers.bytes(Row.keyBytes)
  }

  /// All rows in the order of their keys, which is the order that every store loads fastest and most densely.
  func sortedRows() -> [Row] {
    var values = PseudoRandom(seed: 1)
    return (0..<rowCount).map { key($0) }.sorted { $0.lexicographicallyPrecedes($1) }
      .map { Row(key: $0, value: values.bytes(Row.valueBytes)) }
  }

  /// Updates of rows drawn at random. Different seeds draw differently.
  func updates(seed: Int) -> RowUpdates {
    RowUpdates(source: self, numbers: PseudoRandom(seed: 0x5EED_0000 + UInt64(seed)))
  }
}

/// An endless sequence of rows with new values.
struct RowUpdates {
  let source: RowSource
  var numbers: PseudoRandom

  mutating func next() -> Row {
    let index = Int(numbers.next() % UInt64(source.rowCount))
    return Row(key: source.key(index), value: numbers.bytes(Row.valueBytes))
  }
}
