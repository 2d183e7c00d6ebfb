import Synchronization

/// Wakes tasks that wait for a new value. It says only that there is one: whoever is slow finds the newest, and misses those between.
package final class Ticks: Sendable {
  private struct State {
    var nextNumber = 0
    var waiting: [Int: AsyncStream<Void>.Continuation] = [:]
    var isOver = false
  }

  private let state = Mutex(State())

  package init() {}

  /// A stream that ticks, until its task is cancelled, `finish()` or this is gone.
  package func stream() -> AsyncStream<Void> {
    let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let number: Int? = state.withLock { state in
      if state.isOver { return nil }
      state.nextNumber += 1
      state.waiting[state.nextNumber] = continuation
      return state.nextNumber
    }
    guard let number else {
      continuation.finish()
      return stream
    }
    continuation.onTermination = { [weak self] _ in
      self?.state.withLock { $0.waiting[number] = nil }
    }
    return stream
  }

  package func tick() {
    for continuation in state.withLock({ Array($0.waiting.values) }) { continuation.yield() }
  }

  /// Ends all streams, also those that are asked for later.
  package func finish() {
    let waiting = state.withLock { state in
      state.isOver = true
      return Array(state.waiting.values)
    }
    for continuation in waiting { continuation.finish() }
  }

  deinit {
    finish()
  }
}
