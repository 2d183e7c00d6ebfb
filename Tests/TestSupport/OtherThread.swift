import Glibc

/// Threads of the test's own, for work that blocks: blocking a task's thread could leave none for the others.
package enum OtherThread {
  /// Runs `body` on a new thread.
  package static func run<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
      start { continuation.resume(with: Swift.Result(catching: body)) }
    }
  }

  /// Returns when something holds that other threads make so.
  ///
  /// It is looked at from a thread of its own: tasks that only yield can keep the ones that they wait for from running, for
  /// ever.
  package static func wait(until isReady: @escaping @Sendable () -> Bool) async {
    await withCheckedContinuation { continuation in
      start {
        while !isReady() { usleep(50) }
        continuation.resume()
      }
    }
  }

  /// Gives other threads the time to do what they are expected not to.
  package static func waitInVain() async {
    await withCheckedContinuation { continuation in
      start {
        for _ in 0..<200 { sched_yield() }
        continuation.resume()
      }
    }
  }

  /// Runs `body` on a new thread, without waiting for it.
  package static func start(_ body: @escaping @Sendable () -> Void) {
    var thread = pthread_t()
    let code = pthread_create(
      &thread, nil,
      { argument in
        if let argument { Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().body() }
        return nil
      }, Unmanaged.passRetained(Work(body)).toOpaque())
    precondition(code == 0, "no thread for a test")
    pthread_detach(thread)
  }

  private final class Work: Sendable {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) {
      self.body = body
    }
  }
}
