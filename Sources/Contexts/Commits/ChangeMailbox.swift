import Records
import Synchronization

/// What others have committed since a context last took it in.
///
/// Commits put their change sets in from the writer's thread; the context takes them out on its own actor, between two
/// pieces of synchronous code of that actor, so that objects never change in the middle of one.
package final class ChangeMailbox: CommitListener {
  package enum Content {
    case nothing
    case changes([ChangeSet])
    /// There was more than the mailbox keeps: any row may have changed.
    case everything
  }

  private struct State {
    var changes: [ChangeSet] = []
    var rowCount = 0
    package var isOverfull = false
    var isEmpty = true
    /// Whether somebody wants to know of new rows.
    var keepsInsertions = false
  }

  /// Beyond this, looking at every object of the context is cheaper than keeping and following the changes.
  private static let rowCountMax = 1 << 16
  private static let commitCountMax = 256

  private let state = Mutex(State())
  private let wake: Mutex<(@Sendable () -> Void)?>
  /// Wakes those who iterate over values of a context that no actor brings up to date by itself.
  private let ticks = Ticks()
  /// Says without the lock that there is nothing, which is what nearly every look finds. A commit that has ended before the look is
  /// seen, because its change set was posted before its call returned.
  private let hasContent = Atomic(false)
  /// Looked at by every read, like `hasContent`.
  private let hasEnded = Atomic(false)

  /// Calls `wake` when something is put into the empty mailbox: it has the context's actor take it out.
  package init(wake: (@Sendable () -> Void)? = nil) {
    self.wake = Mutex(wake)
  }

  /// Has another actor take out what comes.
  package func setWake(_ wake: @escaping @Sendable () -> Void) {
    self.wake.withLock { $0 = wake }
    if state.withLock({ !$0.isEmpty }) { wake() }
  }

  package func wakeUp() {
    if let wake = wake.withLock({ $0 }) { wake() } else { ticks.tick() }
  }

  /// Ticks when there is something to take out, if the context's actor does not do that by itself; nil if it does.
  package var comings: AsyncStream<Void>? {
    wake.withLock { $0 == nil } ? ticks.stream() : nil
  }

  /// From now on, commits that only insert are put in too.
  package func keepInsertions() {
    state.withLock { $0.keepsInsertions = true }
  }

  package func post(_ changes: ChangeSet) {
    let count = changes.entities.values.reduce(0) { $0 + $1.updated.count + $1.deleted.count }
    let insertedCount = changes.entities.values.reduce(0) { $0 + $1.inserted.count }
    let wasEmpty = state.withLock { state in
      // A new row has no object yet that could be out of date, but it may be one that a query asks for.
      let count = count + (state.keepsInsertions ? insertedCount : 0)
      if count == 0 { return false }
      defer {
        state.isEmpty = false
        hasContent.store(true, ordering: .releasing)
      }
      if state.isOverfull { return state.isEmpty }
      state.changes.append(changes)
      state.rowCount += count
      if state.rowCount > Self.rowCountMax || state.changes.count > Self.commitCountMax {
        state.changes = []
        state.isOverfull = true
      }
      return state.isEmpty
    }
    if wasEmpty { wakeUp() }
  }

  package func postUnknown() {
    let wasEmpty = state.withLock { state in
      defer {
        state.isEmpty = false
        hasContent.store(true, ordering: .releasing)
      }
      state.changes = []
      state.isOverfull = true
      return state.isEmpty
    }
    if wasEmpty { wakeUp() }
  }

  /// What the context has taken in stays. Whoever waits for more is told.
  package func endOfCommits() {
    hasEnded.store(true, ordering: .releasing)
    ticks.finish()
    wakeUp()
  }

  /// Whether nothing will come any more.
  package var isOver: Bool { hasEnded.load(ordering: .acquiring) }

  package func take() -> Content {
    guard hasContent.load(ordering: .acquiring) else { return .nothing }
    return state.withLock { state in
      if state.isEmpty { return .nothing }
      defer {
        state = State(keepsInsertions: state.keepsInsertions)
        hasContent.store(false, ordering: .releasing)
      }
      return state.isOverfull ? .everything : .changes(state.changes)
    }
  }
}
