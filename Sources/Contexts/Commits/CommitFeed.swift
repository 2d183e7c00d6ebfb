import Records
import Synchronization

/// Who is told of a store's commits.
package protocol CommitListener: AnyObject, Sendable {
  /// Takes in what a commit did.
  func post(_ changes: ChangeSet)
  /// Takes in that something was committed of which is not known what it did. Snapshots with this number or a higher one show it; nil
  /// if that is not known either.
  func postUnknown(stateNumber: Int?)
  /// Takes in that a server has answered for local changes, which changes no row.
  func postSettled()
  /// The store is closed: nothing will come any more.
  func endOfCommits()
}

extension CommitListener {
  package func postSettled() {}
}

/// Hands the change set of every commit to the contexts and streams of a store.
///
/// There is one observer of commits for all of them, because registering one waits for the writer, and making a context must
/// not.
package final class CommitFeed: Sendable {
  private struct Subscription {
    weak var listener: (any CommitListener)?
  }

  private struct State {
    var subscriptions: [Subscription] = []
    var isOver = false
  }

  private let state = Mutex(State())

  package init() {}

  /// Every commit that ends from now on reaches the listener, as long as it is there.
  package func add(_ listener: any CommitListener) {
    let isOver = state.withLock { state in
      state.subscriptions.removeAll { $0.listener == nil }
      state.subscriptions.append(Subscription(listener: listener))
      return state.isOver
    }
    if isOver { listener.endOfCommits() }
  }

  package func deliver(_ changes: ChangeSet) {
    for listener in listeners { listener.post(changes) }
  }

  package func deliverUnknown(stateNumber: Int?) {
    for listener in listeners { listener.postUnknown(stateNumber: stateNumber) }
  }

  package func deliverSettled() {
    for listener in listeners { listener.postSettled() }
  }

  package func end() {
    state.withLock { $0.isOver = true }
    for listener in listeners { listener.endOfCommits() }
  }

  private var listeners: [any CommitListener] { state.withLock { $0.subscriptions.compactMap(\.listener) } }
}
