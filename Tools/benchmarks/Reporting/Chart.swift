import Foundation

/// A report's cases of which every peer does the same, as bars: how many times the time of LMDB each needed.
///
/// The axis is logarithmic, so that half and double look alike.
struct Chart {
  private struct Group {
    var title: String
    var bars: [Bar]
  }

  private struct Bar {
    var peer: Peer
    /// The median of the ratios within rounds.
    var ratio: Double
    var milliseconds: Double
  }

  private let groups: [Group]
  private let caption: String

  init(of report: Report) {
    groups = report.cases.compactMap { benchmark in
      guard let floor = benchmark.milliseconds[Peer.lmdb.rawValue] else { return nil }
      let bars = Peer.allCases.compactMap { peer -> Bar? in
        guard let times = benchmark.milliseconds[peer.rawValue], !times.isEmpty else { return nil }
        let ratios = zip(times, floor).map { $0 / $1 }
        return Bar(peer: peer, ratio: Spread(ratios).median, milliseconds: Spread(times).median)
      }
      return Group(title: "\(benchmark.name): \(benchmark.summary)", bars: bars)
    }
    caption = "\(report.rowCount) rows. \(report.machine.lines.joined(separator: "; "))"
  }

  private static let width = 960.0
  private static let margin = 24.0
  /// Where bars begin, behind the peers' names.
  private static let start = 96.0
  /// What is left for the figures behind the longest bar.
  private static let figures = 150.0
  private static let barHeight = 15.0
  private static let groupGap = 34.0

  /// The ratios at the ends of the axis: powers of ten around everything, and around one.
  private var ends: (low: Double, high: Double) {
    let exponents = groups.flatMap(\.bars).map(\.ratio).filter { $0 > 0 && $0.isFinite }.map(log10)
    return (min(-1, (exponents.min() ?? 0).rounded(.down)), max(1, (exponents.max() ?? 0).rounded(.up)))
  }

  var svg: String {
    let ends = ends
    let scale = (Self.width - Self.start - Self.figures - Self.margin) / (ends.high - ends.low)
    func x(_ exponent: Double) -> Double { Self.start + (exponent - ends.low) * scale }
    let height = groups.reduce(2 * Self.margin + 20) { $0 + Self.groupGap + Double($1.bars.count) * Self.barHeight }
    var drawing = Drawing(width: Self.width, height: height)
    drawing.label(caption, x: Self.margin, y: Self.margin, size: 10)
    for exponent in stride(from: ends.low, through: ends.high, by: 1) {
      drawing.line(
        from: (x(exponent), 44), to: (x(exponent), height - Self.margin),
        color: exponent == 0 ? "black" : "lightgray")
      drawing.label("×\(Figure.text(pow(10, exponent)))", x: x(exponent) - 8, y: 40, size: 10)
    }
    var y = Self.margin + 20
    for group in groups {
      y += Self.groupGap
      drawing.label(group.title, x: Self.margin, y: y - 6, size: 12)
      for bar in group.bars {
        // Bars begin where the peer is as fast as LMDB.
        let from = x(min(0, log10(bar.ratio)))
        let to = x(max(0, log10(bar.ratio)))
        drawing.rectangle(
          x: from, y: y, width: max(1, to - from), height: Self.barHeight - 3, color: bar.peer.color)
        drawing.label(bar.peer.rawValue, x: Self.margin, y: y + 10, size: 11)
        drawing.label(
          "×\(Figure.text(bar.ratio)), \(Figure.text(bar.milliseconds)) ms", x: to + 6, y: y + 10, size: 11)
        y += Self.barHeight
      }
    }
    return drawing.svg
  }
}
