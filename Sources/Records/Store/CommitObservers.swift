import Synchronization

/// Whoever wants to know of commits.
final class CommitObservers: Sendable {
  typealias Observer = @Sendable (ChangeSet) -> Void

  private struct State {
    var nextNumber = 0
    /// In the order in which they were added.
    var observers: [(number: Int, observer: Observer)] = []
  }

  private let state = Mutex(State())

  func add(_ observer: @escaping Observer) -> CommitObservation {
    let number = state.withLock { state in
      state.nextNumber += 1
      state.observers.append((state.nextNumber, observer))
      return state.nextNumber
    }
    return CommitObservation { [weak self] in
      self?.state.withLock { $0.observers.removeAll { $0.number == number } }
    }
  }

  var isEmpty: Bool { state.withLock { $0.observers.isEmpty } }

  func notify(_ changes: ChangeSet) {
    // Called outside of the lock: an observer may end its own observation.
    for (_, observer) in state.withLock({ $0.observers }) { observer(changes) }
  }
}

/// Keeps an observer of commits registered; it is not called any more once this is gone.
package final class CommitObservation: Sendable {
  private let cancel: @Sendable () -> Void

  init(cancel: @escaping @Sendable () -> Void) {
    self.cancel = cancel
  }

  deinit {
    cancel()
  }
}
