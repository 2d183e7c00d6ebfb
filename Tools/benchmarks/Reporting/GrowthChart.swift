import Foundation

/// Reports of the same cases with different numbers of rows: how the time of each case grows with them, a small picture a case.
///
/// Both axes are logarithmic: ten times the rows are as far to the right everywhere as ten times the time is up.
struct GrowthChart {
  private struct Picture {
    var title: String
    var curves: [(peer: Peer, points: [(rows: Double, milliseconds: Double)])]
  }

  private let pictures: [Picture]
  private let caption: String
  private let rowCounts: [Double]

  private static let columns = 3
  private static let size = (width: 320.0, height: 240.0)
  private static let margin = (left: 48.0, top: 34.0, right: 12.0, bottom: 28.0)
  private static let top = 40.0

  init(of reports: [Report]) {
    let reports = reports.sorted { $0.rowCount < $1.rowCount }
    rowCounts = reports.map { Double($0.rowCount) }
    let first = reports.first
    pictures = (first?.cases ?? []).compactMap { benchmark in
      let curves = Peer.allCases.compactMap { peer -> (peer: Peer, points: [(rows: Double, milliseconds: Double)])? in
        let points = reports.compactMap { report -> (rows: Double, milliseconds: Double)? in
          guard let known = report.cases.first(where: { $0.name == benchmark.name }),
            let times = known.milliseconds[peer.rawValue], !times.isEmpty
          else { return nil }
          return (Double(report.rowCount), Spread(times).median)
        }
        return points.count > 1 ? (peer, points) : nil
      }
      return curves.isEmpty ? nil : Picture(title: "\(benchmark.name): \(benchmark.summary)", curves: curves)
    }
    caption = "Milliseconds by number of rows. \(first?.machine.lines.joined(separator: "; ") ?? "")"
  }

  var svg: String {
    let rows = (pictures.count + Self.columns - 1) / Self.columns
    var drawing = Drawing(
      width: Double(Self.columns) * Self.size.width, height: Self.top + Double(rows) * Self.size.height)
    drawing.label(caption, x: 12, y: 16, size: 10)
    for (place, peer) in Peer.allCases.enumerated() {
      drawing.label(peer.rawValue, x: 12 + Double(place) * 70, y: 32, size: 11, color: peer.color)
    }
    for (place, picture) in pictures.enumerated() {
      let x = Double(place % Self.columns) * Self.size.width
      let y = Self.top + Double(place / Self.columns) * Self.size.height
      draw(picture, into: &drawing, x: x, y: y)
    }
    return drawing.svg
  }

  private func draw(_ picture: Picture, into drawing: inout Drawing, x left: Double, y top: Double) {
    let times = picture.curves.flatMap(\.points).map(\.milliseconds).filter { $0 > 0 }
    let low = (log10(times.min() ?? 1)).rounded(.down)
    let high = max(low + 1, log10(times.max() ?? 1).rounded(.up))
    let (first, last) = (log10(rowCounts.first ?? 1), log10(rowCounts.last ?? 10))
    let plot = (
      width: Self.size.width - Self.margin.left - Self.margin.right,
      height: Self.size.height - Self.margin.top - Self.margin.bottom
    )
    func place(_ rows: Double, _ milliseconds: Double) -> (x: Double, y: Double) {
      let across = (log10(rows) - first) / max(0.001, last - first)
      let up = (log10(milliseconds) - low) / (high - low)
      return (
        left + Self.margin.left + across * plot.width, top + Self.margin.top + (1 - up) * plot.height
      )
    }
    drawing.label(picture.title, x: left + 8, y: top + 20, size: 9)
    for exponent in stride(from: low, through: high, by: 1) {
      let start = place(rowCounts.first ?? 1, pow(10, exponent))
      drawing.line(from: start, to: (start.x + plot.width, start.y), color: "lightgray")
      drawing.label(Figure.text(pow(10, exponent)), x: left + 8, y: start.y + 4, size: 9)
    }
    for rows in rowCounts {
      let start = place(rows, pow(10, low))
      drawing.line(from: start, to: (start.x, start.y - plot.height), color: "#eeeeee")
      drawing.label(Figure.text(rows), x: start.x - 12, y: start.y + 14, size: 9)
    }
    for curve in picture.curves {
      drawing.curve(
        curve.points.filter { $0.milliseconds > 0 }.map { place($0.rows, $0.milliseconds) }, color: curve.peer.color)
    }
  }
}
