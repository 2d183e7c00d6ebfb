import Glibc

/// The thread that runs an environment's write transactions, one after the other, from their first read to their commit,
/// except those that a caller runs while the thread has nothing to do.
///
/// The thread knows the queue and the committer, and neither knows the environment, so it does not keep that alive.
final class WriterThread: Sendable {
  /// Bodies are an application's code, so they get as much stack as a main thread.
  private static let stackBytes = 8 << 20

  let queue: WriterQueue
  private let thread: pthread_t
  private let ending: Monitor<Ending>

  private struct Ending {
    var last: (@Sendable () -> Void)?
  }

  /// Starts the thread.
  init(_ queue: WriterQueue, _ committer: Committer, path: String) throws(StoreError) {
    self.queue = queue
    let ending = Monitor(Ending())
    self.ending = ending
    thread = try Thread.start(stackBytes: Self.stackBytes, path: path) {
      Self.work(queue, committer)
      committer.turn.hold { committer.close() }
      ending.withLock { $0.last }?()
    }
  }

  /// Whether the calling thread is this one.
  var isCurrent: Bool { pthread_equal(thread, pthread_self()) != 0 }

  /// Ends the thread when all writes are done, and then runs `last`: before this returns, unless the thread itself has
  /// called, which goes on first.
  func stop(_ last: @escaping @Sendable () -> Void) {
    if isCurrent {
      ending.withLock { $0.last = last }
      pthread_detach(thread)
      queue.stop()
    } else {
      queue.stop()
      pthread_join(thread, nil)
      last()
    }
  }

  private static func work(_ queue: WriterQueue, _ committer: Committer) {
    var goesOn = true
    while goesOn {
      queue.waitForWork(until: committer.turn.hold { committer.rest() })
      // Nothing is taken out of the queue without the turn: as long as something waits there, no caller goes before it.
      let ended: EndedGroup? = committer.turn.hold {
        switch queue.nextTask() {
        case .write(let write): return committer.perform(write)
        case .publish: committer.publishForReader()
        case .tick: committer.tick()
        case .end: goesOn = false
        }
        return nil
      }
      if let ended {
        ended.tellCallers()
        committer.turn.hold { committer.tick() }
      }
    }
  }
}
