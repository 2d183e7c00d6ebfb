/// How long each of many operations took.
final class Latencies {
  private var microseconds: [Double] = []

  func note(_ duration: Duration) {
    microseconds.append(duration / .microseconds(1))
  }

  /// Forgets what was noted: the warm-up, for instance.
  func reset() {
    microseconds.removeAll(keepingCapacity: true)
  }

  static let columns = ["operations", "p50 µs", "p99 µs", "p99.9 µs", "p99.99 µs", "max µs"]

  /// One value for each of `columns`.
  var values: [Double] {
    let sorted = microseconds.sorted()
    return [Double(sorted.count)] + [0.5, 0.99, 0.999, 0.9999, 1].map { sorted.quantile($0) }
  }

  /// How many times the median a quantile is.
  func multipleOfMedian(_ share: Double) -> Double {
    let sorted = microseconds.sorted()
    return sorted.quantile(share) / sorted.quantile(0.5)
  }
}
