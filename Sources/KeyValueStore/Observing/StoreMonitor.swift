/// Counts what a store does, and tells those who want to know.
final class StoreMonitor: Sendable {
  private let metrics = Monitor(EnvironmentMetrics())
  private let observers = Monitor(Observers())

  private struct Observers {
    var next = 0
    var handlers: [Int: @Sendable (StoreEvent) -> Void] = [:]
  }

  var current: EnvironmentMetrics { metrics.withLock { $0 } }

  func count(_ change: (inout EnvironmentMetrics) -> Void) {
    metrics.withLock(change)
  }

  /// Calls `handler` with every event from now on, for as long as the result lives.
  func observe(_ handler: @escaping @Sendable (StoreEvent) -> Void) -> EventObservation {
    let number = observers.withLock { observers in
      observers.next += 1
      observers.handlers[observers.next] = handler
      return observers.next
    }
    return EventObservation { [self] in observers.withLock { _ = $0.handlers.removeValue(forKey: number) } }
  }

  func tell(_ event: StoreEvent) {
    let handlers = observers.withLock { Array($0.handlers.values) }
    for handler in handlers { handler(event) }
  }

  func noteGroup(commits: Int) {
    if commits == 0 { return }
    count { metrics in
      metrics.commits += commits
      metrics.groups += 1
      metrics.groupSizeMax = max(metrics.groupSizeMax, commits)
    }
  }

  func noteCheckpoint(_ duration: Duration) {
    count { metrics in
      metrics.checkpoints += 1
      metrics.checkpointTime += duration
      metrics.checkpointTimeLast = duration
      metrics.checkpointTimeMax = max(metrics.checkpointTimeMax, duration)
    }
    tell(.checkpoint(duration: duration))
  }
}
