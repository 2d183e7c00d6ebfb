import Contexts
import Records
import Synchronization

/// Notices when what is pending of an entity may be something else than before.
final class PendingWatch: CommitListener {
  private struct State {
    /// Whether the value that was read last may be outdated.
    var isOutdated = true
    /// Whether observers have still to be told.
    var isUntold = false
  }

  private let entity: EntityID?
  private let state = Mutex(State())
  private let wake: @Sendable () -> Void

  /// `wake` is called once for what is to be told, on whatever thread.
  init(_ entity: EntityID?, wake: @escaping @Sendable () -> Void) {
    self.entity = entity
    self.wake = wake
  }

  func post(_ changes: ChangeSet) {
    guard let rows = entity.flatMap({ changes.entities[$0] }) else { return }
    // What a server sends makes nothing pending; what it deletes is not pending any more.
    if changes.author != InboundAuthor.name || !rows.deleted.isEmpty { note() }
  }

  func postUnknown(stateNumber: Int?) { note() }

  func postSettled() { note() }

  func endOfCommits() {}

  private func note() {
    let isFirst = state.withLock { state in
      defer { state = State(isOutdated: true, isUntold: true) }
      return !state.isUntold
    }
    if isFirst { wake() }
  }

  /// Whether the value has to be read again; it counts as read from now on.
  func takeOutdated() -> Bool { take(\.isOutdated) }

  /// Whether observers are to be told; they count as told from now on.
  func takeUntold() -> Bool { take(\.isUntold) }

  private func take(_ flag: WritableKeyPath<State, Bool> & Sendable) -> Bool {
    state.withLock { state in
      defer { state[keyPath: flag] = false }
      return state[keyPath: flag]
    }
  }
}
