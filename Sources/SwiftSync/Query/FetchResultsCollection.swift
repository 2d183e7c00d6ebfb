/// The results of a fetch, made as they are asked for, a batch at a time.
///
/// Which rows these are, and in which order, is that of the moment of the fetch, and takes a few bytes a row. An object has
/// the values that its row has when its batch is made; one whose row is gone by then `isDeleted`.
public struct FetchResultsCollection<Element>: RandomAccessCollection {
  private let batches: ResultBatches<Element>

  init(count: Int, batchSize: Int, load: @escaping (Range<Int>) -> [Element]) {
    batches = ResultBatches(count: count, size: Swift.max(1, batchSize), load: load)
  }

  /// Zero.
  public var startIndex: Int { 0 }
  /// How many results there are.
  public var endIndex: Int { batches.count }

  /// The result at a position.
  public subscript(position: Int) -> Element { batches[position] }
}

/// Results by position. Keeps the batch that was asked for last.
private final class ResultBatches<Element> {
  let count: Int
  private let size: Int
  private let load: (Range<Int>) -> [Element]
  private var loaded: (positions: Range<Int>, elements: [Element]) = (0..<0, [])

  /// `load` makes the results at some positions, each of them.
  init(count: Int, size: Int, load: @escaping (Range<Int>) -> [Element]) {
    self.count = count
    self.size = size
    self.load = load
  }

  subscript(position: Int) -> Element {
    if !loaded.positions.contains(position) {
      let start = position - position % size
      let positions = start..<min(count, start + size)
      loaded = (positions, load(positions))
    }
    return loaded.elements[position - loaded.positions.lowerBound]
  }
}
