import CCounters
import Foundation

/// Measures from when it is made until it is asked.
struct Meter {
  private let allocations = allocation_count_of_all_threads()
  private let syncs = sync_count()
  private let written = WriteCounters.now()
  private let processorTime: Double
  private let start: ContinuousClock.Instant

  init() {
    Self.forgetPeak()
    processorTime = Self.processorMilliseconds
    start = .now
  }

  func turn(rows: Int) -> PeerTurn {
    let elapsed = ContinuousClock.now - start
    return PeerTurn(
      milliseconds: elapsed / .milliseconds(1),
      processorMilliseconds: Self.processorMilliseconds - processorTime, rows: rows,
      allocations: Int(allocation_count_of_all_threads() - allocations),
      writtenBytes: (WriteCounters.now() - written).bytes, syncs: Int(sync_count() - syncs), peakBytes: Self.peakBytes)
  }

  /// How long processors have worked for this process.
  private static var processorMilliseconds: Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1000 + Double(time.tv_nsec) / 1_000_000
  }

  /// Lets the system begin anew with the most memory that the process has had.
  private static func forgetPeak() {
    guard let file = fopen("/proc/self/clear_refs", "w") else { return }
    fputs("5", file)
    fclose(file)
  }

  /// The most memory that the process has had since then; zero where the system does not tell.
  private static var peakBytes: Int {
    guard let text = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8) else { return 0 }
    let line = text.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    return (line?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) * 1024
  }
}
