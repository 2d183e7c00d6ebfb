/// What an acknowledged write has survived when its call returns.
public enum Durability: Sendable, Hashable {
  /// It is on the medium: it survives the end of the process and a power cut.
  case full
  /// It is in the log, in the system's memory: it survives the end of the process, however that comes about. A power cut
  /// may take back the last writes, in the opposite order of their commits, and never a part of one.
  ///
  /// They are on the medium after `flushEvery` at the latest, after the next write with `.full`, or after `flush()`.
  case relaxed(flushEvery: Duration)

  /// Relaxed, with a flush after 100 milliseconds.
  public static let relaxed = Durability.relaxed(flushEvery: .milliseconds(100))

  /// In nanoseconds; nil for `.full`.
  var flushInterval: UInt64? {
    switch self {
    case .full: nil
    case .relaxed(let interval): interval.nanoseconds
    }
  }
}
