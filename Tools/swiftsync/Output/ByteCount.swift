/// Sizes for people: in the largest unit that leaves a number of at least one, and exactly.
enum ByteCount {
  private static let units = ["KiB", "MiB", "GiB", "TiB", "PiB"]

  static func text(_ count: Int) -> String {
    guard count >= 1024 else { return "\(count) bytes" }
    var value = count
    var rest = 0
    var unit = -1
    while value >= 1024, unit + 1 < units.count {
      rest = value % 1024
      value /= 1024
      unit += 1
    }
    let tenths = rest * 10 / 1024
    return "\(value)\(tenths == 0 ? "" : ".\(tenths)") \(units[unit]) (\(count) bytes)"
  }
}
