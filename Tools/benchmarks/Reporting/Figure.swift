import Foundation

/// Numbers with as many digits as a measurement deserves: three or four, but whole numbers in full.
enum Figure {
  static func text(_ value: Double?) -> String {
    guard let value, value.isFinite else { return "-" }
    if value.rounded() == value, abs(value) < 1e15 { return String(Int(value)) }
    let digits = abs(value) >= 1000 ? 0 : abs(value) >= 100 ? 1 : abs(value) >= 10 ? 2 : 3
    return String(format: "%.\(digits)f", value)
  }
}
