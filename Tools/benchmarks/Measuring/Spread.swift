/// The middle of some measurements, and how far apart they are.
struct Spread: Codable, Equatable {
  var median: Double
  /// A tenth of the measurements are lower, or as large a part as was asked for.
  var low: Double
  /// As large a part of them is higher.
  var high: Double

  init(_ values: [Double], tail: Double = 0.1) {
    let sorted = values.sorted()
    median = sorted.quantile(0.5)
    low = sorted.quantile(tail)
    high = sorted.quantile(1 - tail)
  }
}

extension [Double] {
  /// The value of sorted measurements that this share of them does not exceed; NaN if there are none.
  func quantile(_ share: Double) -> Double {
    if isEmpty { return .nan }
    return self[Swift.min(count - 1, Int((Double(count) * share).rounded(.down)))]
  }
}
