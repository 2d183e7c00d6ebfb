import Glibc
import Synchronization

/// Threads for work that blocks.
enum Threads {
  /// Runs `body` on some threads at the same time, with their numbers, and throws the first of their errors when all have
  /// ended.
  static func run(_ count: Int, _ body: @escaping @Sendable (Int) throws -> Void) throws {
    let failure = Failure()
    let threads = try (0..<count).map { number in
      try start { do { try body(number) } catch { failure.note(error) } }
    }
    for thread in threads { pthread_join(thread, nil) }
    if let error = failure.error { throw error }
  }

  private static func start(_ body: @escaping @Sendable () -> Void) throws -> pthread_t {
    let work = Unmanaged.passRetained(Work(body))
    var thread = pthread_t()
    let code = pthread_create(
      &thread, nil,
      { argument in
        if let argument { Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().body() }
        return nil
      }, work.toOpaque())
    guard code == 0 else {
      work.release()
      throw HarnessError("no thread can be started: error \(code)")
    }
    return thread
  }

  private final class Work: Sendable {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) {
      self.body = body
    }
  }

  private final class Failure: Sendable {
    private let first = Mutex<(any Error)?>(nil)

    func note(_ error: any Error) {
      first.withLock { if $0 == nil { $0 = error } }
    }

    var error: (any Error)? { first.withLock { $0 } }
  }
}
