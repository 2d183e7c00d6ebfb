/// What happened in a simulation, for whoever looks at a failure.
@MainActor final class Trace {
  private static let linesMax = 150
  private var lines: [String] = []

  /// The last of them, the newest at the end.
  var last: ArraySlice<String> { lines.suffix(Self.linesMax) }

  func note(_ line: String) {
    lines.append(line)
    if lines.count > 2 * Self.linesMax { lines.removeFirst(Self.linesMax) }
  }
}
