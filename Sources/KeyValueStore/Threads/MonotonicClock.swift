import Glibc

/// Nanoseconds of the system's monotonic clock, which is the one that `Monitor` waits by.
enum MonotonicClock {
  static var now: UInt64 { read(CLOCK_MONOTONIC) }

  /// To a few milliseconds, and cheaper.
  static var coarse: UInt64 {
    // CLOCK_MONOTONIC_COARSE, which Glibc's module leaves out.
    read(6)
  }

  private static func read(_ clock: clockid_t) -> UInt64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }
}

extension Duration {
  /// The same in nanoseconds, within what a clock can hold.
  var nanoseconds: UInt64 {
    if self <= .zero { return 0 }
    let (seconds, attoseconds) = components
    let nanosecondsMax = UInt64.max / 4
    guard UInt64(seconds) < nanosecondsMax / 1_000_000_000 else { return nanosecondsMax }
    return UInt64(seconds) * 1_000_000_000 + UInt64(attoseconds / 1_000_000_000)
  }
}
