/// The middle of some measurements, and how far apart they are.
struct Spread: Codable, Equatable {
  var median: Double
  /// A tenth of the measurements are lower.
  var low: Double
  /// A tenth of them are higher.
  var high: Double

  init(_ values: [Double]) {
    let sorted = values.sorted()
    median = sorted.quantile(0.5)
    low = sorted.quantile(0.1)
    high = sorted.quantile(0.9)
  }
}

extension [Double] {
  /// The value of sorted measurements that this share of them does not exceed; NaN if there are none.
  func quantile(_ share: Double) -> Double {
    if isEmpty { return .nan }
    return self[Swift.min(count - 1, Int((Double(count) * share).rounded(.down)))]
  }
}
