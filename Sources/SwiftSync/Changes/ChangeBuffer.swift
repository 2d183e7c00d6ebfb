import Contexts
import Records
import Synchronization

/// What was committed and one reader of a stream has not taken yet.
///
/// It is small: whoever falls behind reads on in the history, where the same is kept once for all.
final class ChangeBuffer: CommitListener {
  enum Next {
    case changes(ChangeSet)
    /// What comes next is not here.
    case elsewhere
    /// Nothing was committed yet.
    case nothing
    /// Nothing will be.
    case end
  }

  private struct State {
    var changes: [ChangeSet] = []
    var rowCount = 0
    /// Whether something came that is not among the changes. What comes behind it is not taken in either, until the reader knows.
    var hasMissed = false
    var isOver = false
    var waiting: [CheckedContinuation<Void, Never>] = []

    mutating func miss() {
      changes = []
      rowCount = 0
      hasMissed = true
    }
  }

  /// Beyond this the reader is sent to the history.
  private static let commitsMax = 256
  private static let rowsMax = 1 << 16

  private let state = Mutex(State())

  func post(_ changes: ChangeSet) {
    update { state in
      if state.hasMissed { return }
      state.changes.append(changes)
      state.rowCount += changes.rowCount
      // A single commit is kept however large it is: its rows are in memory already.
      let isOverfull = state.changes.count > Self.commitsMax || state.rowCount > Self.rowsMax
      if isOverfull, state.changes.count > 1 { state.miss() }
    }
  }

  func postUnknown(stateNumber: Int?) {
    update { $0.miss() }
  }

  func endOfCommits() {
    update { $0.isOver = true }
  }

  /// Takes out what follows a place in the history. Without a history it is whatever comes next.
  func take(after token: Records.HistoryToken) -> Next {
    state.withLock { state in
      if state.hasMissed {
        state.hasMissed = false
        return .elsewhere
      }
      while let first = state.changes.first {
        if let number = first.token, number > token.next { return .elsewhere }
        state.changes.removeFirst()
        state.rowCount -= first.rowCount
        if first.token.map({ $0 > token }) ?? true { return .changes(first) }
      }
      return state.isOver ? .end : .nothing
    }
  }

  /// Returns when something has come, or the task is cancelled; sometimes earlier.
  nonisolated(nonsending) func wait() async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let mustWait = state.withLock { state in
          if state.hasMissed || state.isOver || !state.changes.isEmpty { return false }
          state.waiting.append(continuation)
          return true
        }
        if !mustWait {
          continuation.resume()
        } else if Task.isCancelled {
          // It may have been cancelled before there was something to wake.
          update { _ in }
        }
      }
    } onCancel: {
      update { _ in }
    }
  }

  /// Changes the state, and has the reader look at it.
  private func update(_ change: (inout State) -> Void) {
    let waiting = state.withLock { state in
      change(&state)
      defer { state.waiting = [] }
      return state.waiting
    }
    for continuation in waiting { continuation.resume() }
  }
}
