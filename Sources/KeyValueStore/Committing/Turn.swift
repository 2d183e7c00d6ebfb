import Glibc
import Synchronization

/// The right to use the committer: one thread at a time has it, the writer thread or one that runs a write of its own.
///
/// Unchecked `Sendable`: the mutex is what guards, and its pointer never changes.
final class Turn: @unchecked Sendable {
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  /// The thread that has the turn; 0 when nobody has it.
  private let holder = Atomic<UInt>(0)

  init() {
    mutex = .allocate(capacity: 1)
    mutex.initialize(to: pthread_mutex_t())
    pthread_mutex_init(mutex, nil)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  /// Whether the calling thread has the turn.
  var isMine: Bool { holder.load(ordering: .relaxed) == Self.thread }

  /// Waits for the turn, and has it while `body` runs.
  func hold<Result>(_ body: () -> Result) -> Result {
    pthread_mutex_lock(mutex)
    return run(body)
  }

  /// The same without waiting; nil when another thread has the turn.
  func holdIfFree<Result>(_ body: () -> Result) -> Result? {
    guard pthread_mutex_trylock(mutex) == 0 else { return nil }
    return run(body)
  }

  private func run<Result>(_ body: () -> Result) -> Result {
    holder.store(Self.thread, ordering: .relaxed)
    defer {
      holder.store(0, ordering: .relaxed)
      pthread_mutex_unlock(mutex)
    }
    return body()
  }

  private static var thread: UInt { UInt(pthread_self()) }
}
