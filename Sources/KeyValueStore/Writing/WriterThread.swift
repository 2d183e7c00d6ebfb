import Glibc
import Synchronization

/// The thread that runs an environment's write transactions, one after the other, from their first read to their commit,
/// except those that a caller runs while the thread has nothing to do.
///
/// It begins when there is something to write. It knows the queue and the committer, and neither knows the environment, so it
/// does not keep that alive.
final class WriterThread: Sendable {
  /// Bodies are an application's code, so they get as much stack as a main thread.
  private static let stackBytes = 8 << 20

  let queue: WriterQueue
  private let committer: Committer
  private let path: String
  private let state = Monitor(State())
  /// Of the thread; 0 before it has begun.
  private let identity = Atomic<UInt>(0)

  private struct State {
    var thread: pthread_t?
    var last: (@Sendable () -> Void)?
  }

  /// The thread begins with the first write.
  init(_ queue: WriterQueue, _ committer: Committer, path: String) {
    self.queue = queue
    self.committer = committer
    self.path = path
  }

  /// Begins the thread if it has not begun. Only by somebody who keeps the environment open meanwhile.
  func ensureBegun() throws(StoreError) {
    if identity.load(ordering: .acquiring) != 0 { return }
    try state.withLock { (state) throws(StoreError) in
      if state.thread != nil { return }
      let thread = try Thread.start(stackBytes: Self.stackBytes, path: path) { [self] in
        Self.work(queue, committer)
        committer.turn.hold { committer.close() }
        self.state.withLock { $0.last }?()
      }
      state.thread = thread
      identity.store(UInt(thread), ordering: .releasing)
    }
  }

  /// Whether the calling thread is this one.
  var isCurrent: Bool { identity.load(ordering: .relaxed) == UInt(pthread_self()) }

  /// Ends the thread when all writes are done, and then runs `last`: before this returns, unless the thread itself has
  /// called, which goes on first.
  func stop(_ last: @escaping @Sendable () -> Void) {
    guard let thread = state.withLock({ $0.thread }) else {
      committer.turn.hold { committer.close() }
      return last()
    }
    if isCurrent {
      state.withLock { $0.last = last }
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
