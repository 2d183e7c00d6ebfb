import Foundation

/// A picture as SVG.
struct Drawing {
  private let width: Double
  private let height: Double
  private var elements: [String] = []

  init(width: Double, height: Double) {
    (self.width, self.height) = (width, height)
  }

  var svg: String {
    let head =
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"\(Self.text(width))\" height=\"\(Self.text(height))\""
      + " font-family=\"sans-serif\" font-size=\"12\">"
    return ([head, "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>"] + elements + ["</svg>"])
      .joined(separator: "\n")
  }

  mutating func line(from start: (x: Double, y: Double), to end: (x: Double, y: Double), color: String) {
    elements.append(
      "<line x1=\"\(Self.text(start.x))\" x2=\"\(Self.text(end.x))\" y1=\"\(Self.text(start.y))\""
        + " y2=\"\(Self.text(end.y))\" stroke=\"\(color)\"/>")
  }

  /// A line through points, with a mark on each.
  mutating func curve(_ points: [(x: Double, y: Double)], color: String) {
    let places = points.map { "\(Self.text($0.x)),\(Self.text($0.y))" }.joined(separator: " ")
    elements.append("<polyline points=\"\(places)\" fill=\"none\" stroke=\"\(color)\" stroke-width=\"2\"/>")
    for point in points {
      elements.append(
        "<circle cx=\"\(Self.text(point.x))\" cy=\"\(Self.text(point.y))\" r=\"3\" fill=\"\(color)\"/>")
    }
  }

  mutating func rectangle(x: Double, y: Double, width: Double, height: Double, color: String) {
    elements.append(
      "<rect x=\"\(Self.text(x))\" y=\"\(Self.text(y))\" width=\"\(Self.text(width))\""
        + " height=\"\(Self.text(height))\" fill=\"\(color)\"/>")
  }

  mutating func label(_ text: String, x: Double, y: Double, size: Int, color: String = "black") {
    let escaped = text.replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(of: "<", with: "&lt;")
    elements.append(
      "<text x=\"\(Self.text(x))\" y=\"\(Self.text(y))\" font-size=\"\(size)\" fill=\"\(color)\">\(escaped)</text>")
  }

  private static func text(_ number: Double) -> String { String(format: "%.1f", number) }
}

extension Peer {
  /// The color of the peer in all pictures.
  var color: String {
    switch self {
    case .ours: "#d9480f"
    case .sqlite: "#1971c2"
    case .lmdb: "#868e96"
    }
  }
}
