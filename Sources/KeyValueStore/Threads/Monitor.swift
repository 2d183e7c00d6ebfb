import Glibc

/// State that several threads share: a mutex, a condition, and what they guard.
///
/// The standard library's `Mutex` has no condition to wait on, and most waits here are for another thread's change.
///
/// Unchecked `Sendable`: `state` is reached only by the closures below, all of which run with the mutex held; the two
/// pointers never change and live as long as the object.
final class Monitor<State>: @unchecked Sendable {
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let condition: UnsafeMutablePointer<pthread_cond_t>
  /// Of one thread at a time, by the mutex; so its exclusivity need not be checked, which is for what one thread does within itself:
  /// the closures don't call out.
  @exclusivity(unchecked) private var state: State

  init(_ state: State) {
    self.state = state
    mutex = .allocate(capacity: 1)
    mutex.initialize(to: pthread_mutex_t())
    pthread_mutex_init(mutex, nil)
    condition = .allocate(capacity: 1)
    condition.initialize(to: pthread_cond_t())
    var attributes = pthread_condattr_t()
    pthread_condattr_init(&attributes)
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    pthread_cond_init(condition, &attributes)
    pthread_condattr_destroy(&attributes)
  }

  deinit {
    pthread_cond_destroy(condition)
    condition.deallocate()
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  /// Runs `body` with the lock held. It must not call out to code that may take the lock again.
  func withLock<Result, Failure: Error>(_ body: (inout State) throws(Failure) -> Result) throws(Failure) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body(&state)
  }

  /// Like `withLock`, but waits first until `isReady` holds; others make it hold and call `wakeAll`.
  func withLock<Result, Failure: Error>(
    when isReady: (State) -> Bool, _ body: (inout State) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while !isReady(state) { pthread_cond_wait(condition, mutex) }
    return try body(&state)
  }

  /// Like the one before, but waits no longer than until `deadline`, in nanoseconds of `MonotonicClock`. `body` learns
  /// from the state what it was.
  func withLock<Result, Failure: Error>(
    when isReady: (State) -> Bool, until deadline: UInt64, _ body: (inout State) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    var time = timespec()
    time.tv_sec = Int(deadline / 1_000_000_000)
    time.tv_nsec = Int(deadline % 1_000_000_000)
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while !isReady(state), pthread_cond_timedwait(condition, mutex, &time) == 0 {}
    return try body(&state)
  }

  /// Lets every waiting thread look at the state again.
  func wakeAll() {
    pthread_cond_broadcast(condition)
  }
}
