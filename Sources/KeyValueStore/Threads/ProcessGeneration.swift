import Glibc
import Synchronization

/// How many times the calling process is a fork of the first one that asked.
///
/// A child process has none of its parent's threads and none of its locks, but all of its memory. What was opened before
/// the fork must not be used after it, and comparing two numbers is how to know.
enum ProcessGeneration {
  private static let forks = Atomic<Int>(0)
  private static let isWatching: Bool = pthread_atfork(nil, nil, { noteFork() }) == 0

  static var current: Int {
    _ = isWatching
    return forks.load(ordering: .relaxed)
  }

  static func noteFork() {
    forks.add(1, ordering: .relaxed)
  }
}
