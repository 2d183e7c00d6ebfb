import Foundation
import Synchronization

/// A thread that works beside what is measured, until it is stopped.
final class BackgroundThread: Sendable {
  private let isStopped = Atomic(false)
  private let failure = Mutex<(any Error)?>(nil)
  private let running = DispatchGroup()

  /// Starts the thread. `body` asks now and then whether it is time to return.
  init(_ body: @escaping @Sendable (_ isStopped: () -> Bool) throws -> Void) {
    running.enter()
    Thread.detachNewThread { [self] in
      do { try body { isStopped.load(ordering: .relaxed) } } catch { failure.withLock { $0 = error } }
      running.leave()
    }
  }

  /// Ends the thread, waits for it, and throws what it has thrown.
  func stop() throws {
    isStopped.store(true, ordering: .relaxed)
    running.wait()
    if let error = failure.withLock({ $0 }) { throw error }
  }
}
