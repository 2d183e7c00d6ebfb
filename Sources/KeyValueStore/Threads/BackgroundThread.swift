import Glibc

/// A thread for what takes as long as the medium does and nobody waits for: finishing checkpoints, or syncs of the log. It
/// does one thing after the other, and begins with the first.
final class BackgroundThread: Sendable {
  private struct State {
    var thread: pthread_t?
    var jobs: [@Sendable () -> Void] = []
    var isWorking = false
    var isStopped = false

    var isIdle: Bool { jobs.isEmpty && !isWorking }
  }

  private static let stackBytes = 512 << 10

  private let monitor = Monitor(State())

  /// Does something later; at once if there can be no thread.
  func submit(_ job: @escaping @Sendable () -> Void) {
    let isTaken = monitor.withLock { state in
      if state.thread == nil {
        state.thread = try? Thread.start(stackBytes: Self.stackBytes, path: "") { [monitor] in Self.work(monitor) }
      }
      if state.thread != nil { state.jobs.append(job) }
      return state.thread != nil
    }
    if isTaken { monitor.wakeAll() } else { job() }
  }

  /// Whether nothing waits or runs.
  var isIdle: Bool { monitor.withLock { $0.isIdle } }

  /// Waits until everything is done.
  func drain() {
    monitor.withLock(when: { $0.isIdle }) { _ in }
  }

  /// Ends the thread when everything is done.
  func stop() {
    let thread = monitor.withLock { state in
      state.isStopped = true
      return state.thread
    }
    guard let thread else { return }
    monitor.wakeAll()
    pthread_join(thread, nil)
  }

  private static func work(_ monitor: Monitor<State>) {
    while true {
      let job = monitor.withLock(when: { !$0.jobs.isEmpty || $0.isStopped }) { state -> (@Sendable () -> Void)? in
        if state.jobs.isEmpty { return nil }
        state.isWorking = true
        return state.jobs.removeFirst()
      }
      guard let job else { return }
      job()
      monitor.withLock { $0.isWorking = false }
      monitor.wakeAll()
    }
  }
}
