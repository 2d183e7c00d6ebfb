import Dispatch
import Foundation
import Records
import Synchronization

/// What has been committed while the page is open, for requests that wait for news.
final class LiveChanges: Sendable {
  /// How long a request waits for a change at most.
  static let waitSeconds = 25.0
  /// How many requests may wait at a time, so that there are connections for others.
  static let waitersMax = 64

  /// What a request learns that has waited.
  struct News: Sendable, Equatable {
    /// Grows with every commit.
    var version: Int
    /// The store can't be followed any more.
    var isGone: Bool
    /// There were too many waiting already.
    var isRefused = false
  }

  private struct State {
    var news = News(version: 0, isGone: false)
    var isEnding = false
    var waiters: [DispatchSemaphore] = []
  }

  private let state = Mutex(State())

  var news: News { state.withLock { $0.news } }

  func add(_ changes: FollowedChanges) {
    tellWaiters { state in
      state.news.version += 1
      if case .unknown(stateNumber: nil) = changes { state.news.isGone = true }
    }
  }

  /// Answers everybody who waits, and from here on at once.
  func end() {
    tellWaiters { $0.isEnding = true }
  }

  /// What is newer than a version, when there is something, or after a while.
  func wait(since version: Int, seconds: Double = waitSeconds) -> News {
    let semaphore = DispatchSemaphore(value: 0)
    let known: News? = state.withLock { state in
      if state.news.version != version || state.isEnding || state.news.isGone { return state.news }
      if state.waiters.count >= Self.waitersMax {
        return News(version: state.news.version, isGone: false, isRefused: true)
      }
      state.waiters.append(semaphore)
      return nil
    }
    if let known { return known }
    _ = semaphore.wait(timeout: .now() + seconds)
    return state.withLock { state in
      state.waiters.removeAll { $0 === semaphore }
      return state.news
    }
  }

  /// Watches that the store stays where it is. Returns never.
  ///
  /// - Throws: `Interrupted` when a signal asks the process to end.
  func watch(_ place: StorePlace) throws {
    while true {
      try Interruption.check()
      if !news.isGone, !place.isTheSame { add(.unknown(stateNumber: nil)) }
      Thread.sleep(forTimeInterval: 0.1)
    }
  }

  private func tellWaiters(_ change: (inout State) -> Void) {
    let waiters = state.withLock { state in
      change(&state)
      return state.waiters
    }
    for waiter in waiters { waiter.signal() }
  }
}
