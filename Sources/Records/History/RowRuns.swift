/// Row numbers in ascending order, as runs of consecutive ones: the hundred thousand rows of a first sync are one run.
struct RowRuns: Sendable, Equatable {
  private(set) var runs: [ClosedRange<UInt64>] = []

  init() {}

  /// - Parameter rows: In ascending order.
  init(_ rows: some Sequence<RowNumber>) {
    for row in rows {
      if let last = runs.last, last.upperBound + 1 == row.rawValue {
        runs[runs.count - 1] = last.lowerBound...row.rawValue
      } else {
        runs.append(row.rawValue...row.rawValue)
      }
    }
  }

  var isEmpty: Bool { runs.isEmpty }

  var rows: [RowNumber] {
    runs.flatMap { $0.lazy.map(RowNumber.init(rawValue:)) }
  }

  /// The number of runs; for each how far it begins behind the one before it, doubled, plus one if it has more than one row,
  /// and then how many more than two.
  func write(to writer: inout CompactWriter) {
    writer.append(count: runs.count)
    var end: UInt64 = 0
    for run in runs {
      let isLong = run.lowerBound < run.upperBound
      writer.append(((run.lowerBound - end) << 1) | (isLong ? 1 : 0))
      if isLong { writer.append(run.upperBound - run.lowerBound - 1) }
      end = run.upperBound
    }
  }

  init(from reader: inout CompactReader) throws(MalformedBytes) {
    let count = try reader.count()
    runs.reserveCapacity(count)
    var end: UInt64 = 0
    for _ in 0..<count {
      let step = try reader.number()
      let first = end + (step >> 1)
      let rest = step & 1 == 1 ? try reader.number() : nil
      let last = rest.map { first.addingReportingOverflow($0.addingReportingOverflow(1).partialValue).partialValue }
      // Rows ascend, and their doubles are numbers too.
      guard first > end, first <= last ?? first, last ?? first < 1 << 62 else { throw MalformedBytes() }
      runs.append(first...(last ?? first))
      end = last ?? first
    }
  }
}
