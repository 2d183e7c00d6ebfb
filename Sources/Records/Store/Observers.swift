import Synchronization

/// Whoever wants to know of something that happens in a store: of commits, or of what becomes of the history.
final class Observers<Event: Sendable>: Sendable {
  typealias Observer = @Sendable (Event) -> Void

  private struct State {
    var nextNumber = 0
    /// In the order in which they were added.
    var observers: [(number: Int, observer: Observer)] = []
  }

  private let state = Mutex(State())

  func add(_ observer: @escaping Observer) -> StoreObservation {
    let number = state.withLock { state in
      state.nextNumber += 1
      state.observers.append((state.nextNumber, observer))
      return state.nextNumber
    }
    return StoreObservation { [weak self] in
      self?.state.withLock { $0.observers.removeAll { $0.number == number } }
    }
  }

  var isEmpty: Bool { state.withLock { $0.observers.isEmpty } }

  func notify(_ event: Event) {
    // Called outside of the lock: an observer may end its own observation.
    for (_, observer) in state.withLock({ $0.observers }) { observer(event) }
  }
}

/// Keeps an observer registered; it is not called any more once this is gone.
package final class StoreObservation: Sendable {
  private let cancel: @Sendable () -> Void

  init(cancel: @escaping @Sendable () -> Void) {
    self.cancel = cancel
  }

  deinit {
    cancel()
  }
}
