import Foundation

/// What the process has given the system to write so far, as the system counts it for all threads.
///
/// So it is counted in the same way for every library, and counts are not disturbed by a busy machine. What goes through a
/// memory map is not in it.
struct WriteCounters {
  var calls = 0
  var bytes = 0

  /// The counts up to now; zeros where the system does not tell.
  static func now() -> WriteCounters {
    guard let text = try? String(contentsOfFile: "/proc/self/io", encoding: .utf8) else { return WriteCounters() }
    var counters = WriteCounters()
    for line in text.split(separator: "\n") {
      let parts = line.split(separator: ":")
      guard parts.count == 2, let count = Int(parts[1].dropFirst()) else { continue }
      switch parts[0] {
      case "wchar": counters.bytes = count
      case "syscw": counters.calls = count
      default: break
      }
    }
    return counters
  }

  static func - (left: WriteCounters, right: WriteCounters) -> WriteCounters {
    WriteCounters(calls: left.calls - right.calls, bytes: left.bytes - right.bytes)
  }

  static func + (left: WriteCounters, right: WriteCounters) -> WriteCounters {
    WriteCounters(calls: left.calls + right.calls, bytes: left.bytes + right.bytes)
  }
}
