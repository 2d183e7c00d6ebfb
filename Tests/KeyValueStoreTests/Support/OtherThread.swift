import Glibc

/// Threads of the test's own, for work that blocks: blocking a task's thread could leave none for the others.
enum OtherThread {
  /// Runs `body` on a new thread.
  static func run<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
      start { continuation.resume(with: Swift.Result(catching: body)) }
    }
  }

  /// Runs `body` on a new thread, without waiting for it.
  static func start(_ body: @escaping @Sendable () -> Void) {
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
