/// Where the result of a write goes, and where its caller waits for it.
///
/// Unchecked `Sendable`: `result` is set on the writer thread before `complete`, and read by the caller after it.
final class WriteOutcome<Result: Sendable>: @unchecked Sendable {
  private enum State {
    case running
    case awaited(UnsafeContinuation<Void, any Error>)
    case succeeded
    case failed(any Error)
  }

  /// What the body returned, the last time it ran.
  var result: Result?
  private let monitor = Monitor(State.running)

  func complete(_ error: (any Error)?) {
    let continuation: UnsafeContinuation<Void, any Error>? = monitor.withLock { state in
      defer { state = if let error { .failed(error) } else { .succeeded } }
      if case .awaited(let continuation) = state { return continuation }
      return nil
    }
    monitor.wakeAll()
    if let error { continuation?.resume(throwing: error) } else { continuation?.resume() }
  }

  /// Blocks the thread until the write is done.
  func wait() throws -> Result {
    let error: (any Error)? = monitor.withLock(when: { if case .running = $0 { false } else { true } }) { state in
      if case .failed(let error) = state { error } else { nil }
    }
    return try finished(error)
  }

  /// Suspends the task until the write is done.
  func value() async throws -> Result {
    try await withUnsafeThrowingContinuation { continuation in
      let state = monitor.withLock { state in
        if case .running = state { state = .awaited(continuation) }
        return state
      }
      switch state {
      case .running, .awaited: break
      case .succeeded: continuation.resume()
      case .failed(let error): continuation.resume(throwing: error)
      }
    }
    return try finished(nil)
  }

  private func finished(_ error: (any Error)?) throws -> Result {
    if let error { throw error }
    // A write without an error has run its body to the end, which set the result.
    guard let result else { throw StoreError.transactionEnded }
    return result
  }
}
