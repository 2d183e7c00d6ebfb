import Glibc

/// Threads of the test's own, for work that blocks: blocking a task's thread could leave none for the others.
enum OtherThread {
  /// Runs `body` on a new thread.
  static func run<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
      let work = Unmanaged.passRetained(Work { continuation.resume(with: Swift.Result(catching: body)) })
      var thread = pthread_t()
      let code = pthread_create(
        &thread, nil,
        { argument in
          if let argument { Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().body() }
          return nil
        }, work.toOpaque())
      if code == 0 {
        pthread_detach(thread)
      } else {
        work.release()
        continuation.resume(throwing: NoThread(code: code))
      }
    }
  }

  private struct NoThread: Error {
    var code: Int32
  }

  private final class Work: Sendable {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) {
      self.body = body
    }
  }
}
