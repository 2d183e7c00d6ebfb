/// A figure that was set before it was measured, and what it came to.
struct Target: Codable {
  enum Bound: Codable {
    case atLeast(Double)
    case atMost(Double)
  }

  let title: String
  let value: Double
  let bound: Bound

  init(_ title: String, _ value: Double, atLeast least: Double) {
    self.title = title
    self.value = value
    bound = .atLeast(least)
  }

  init(_ title: String, _ value: Double, atMost most: Double) {
    self.title = title
    self.value = value
    bound = .atMost(most)
  }

  var isMet: Bool {
    switch bound {
    case .atLeast(let least): value >= least
    case .atMost(let most): value <= most
    }
  }

  var line: String {
    let demand =
      switch bound {
      case .atLeast(let least): "at least \(Figure.text(least))"
      case .atMost(let most): "at most \(Figure.text(most))"
      }
    return "target: \(title): \(Figure.text(value)), \(demand): \(isMet ? "met" : "missed")"
  }
}
