import Glibc

/// A thread for what takes as long as the medium does and nobody waits for: finishing checkpoints, or syncs of the log. It
/// does one thing after the other.
final class BackgroundThread: Sendable {
  private struct State {
    var jobs: [@Sendable () -> Void] = []
    var isWorking = false
    var isStopped = false

    var isIdle: Bool { jobs.isEmpty && !isWorking }
  }

  private let monitor: Monitor<State>
  private let thread: pthread_t

  init(path: String) throws(StoreError) {
    let monitor = Monitor(State())
    self.monitor = monitor
    thread = try Thread.start(stackBytes: 512 << 10, path: path) { Self.work(monitor) }
  }

  func submit(_ job: @escaping @Sendable () -> Void) {
    monitor.withLock { $0.jobs.append(job) }
    monitor.wakeAll()
  }

  /// Whether nothing waits or runs.
  var isIdle: Bool { monitor.withLock { $0.isIdle } }

  /// Waits until everything is done.
  func drain() {
    monitor.withLock(when: { $0.isIdle }) { _ in }
  }

  /// Ends the thread when everything is done.
  func stop() {
    monitor.withLock { $0.isStopped = true }
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
