import Foundation
import Synchronization

/// Threads that run at the same time and are waited for.
enum Threads {
  /// Runs `body` on as many new threads, and returns what they returned; throws the first error when all are through.
  static func run<Result: Sendable>(
    _ count: Int, _ body: @escaping @Sendable (_ index: Int) throws -> Result
  ) throws -> [Result] {
    let results = Box<[Swift.Result<Result, any Error>]>([])
    let running = DispatchGroup()
    for index in 0..<count {
      running.enter()
      Thread.detachNewThread {
        let result = Swift.Result { try body(index) }
        results.value.withLock { $0.append(result) }
        running.leave()
      }
    }
    running.wait()
    return try results.value.withLock { try $0.map { try $0.get() } }
  }

  /// A mutex that closures can share.
  private final class Box<Value: Sendable>: Sendable {
    let value: Mutex<Value>

    init(_ value: Value) {
      self.value = Mutex(value)
    }
  }
}
