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
    private(set) var changes: [(set: ChangeSet, rowCount: Int)] = []
    private var rowCount = 0
    /// That changes were not kept: snapshots with this number or a higher one show all of them. Nil if none were lost.
    private(set) var loss: Int?
    /// Whether the context has been woken since it last looked.
    var isWoken = false
    /// Whether somebody wants to know of new rows.
    var keepsInsertions = false

    var isEmpty: Bool { changes.isEmpty && loss == nil }

    mutating func keep(_ set: ChangeSet, rowCount count: Int) {
      changes.append((set, count))
      rowCount += count
      let hasRoom = rowCount <= ChangeMailbox.rowCountMax && changes.count <= ChangeMailbox.commitCountMax
      if loss != nil || !hasRoom { lose(through: 0) }
    }

    /// Does not keep the changes that are there, nor others up to a state.
    mutating func lose(through stateNumber: Int) {
      loss = changes.reduce(max(loss ?? 0, stateNumber)) { max($0, $1.set.stateNumber ?? 0) }
      changes = []
      rowCount = 0
    }

    /// Takes out what a snapshot shows.
    mutating func take(shownBy snapshot: RecordSnapshot) throws -> Content {
      if let loss {
        if loss <= snapshot.number { self.loss = nil }
        return .everything
      }
      let count = try changes.firstIndex { try !snapshot.shows($0.set) } ?? changes.count
      if count == 0 { return .nothing }
      let shown = changes.prefix(count)
      changes.removeFirst(count)
      rowCount -= shown.reduce(0) { $0 + $1.rowCount }
      return .changes(shown.map(\.set))
    }
  }

  /// Beyond this, looking at every object of the context is cheaper than keeping and following the changes.
  package static let rowCountMax = 1 << 16
  package static let commitCountMax = 256

  private let state = Mutex(State())
  private let wake: Mutex<(@Sendable () -> Void)?>
  /// Wakes those who iterate over values of a context that no actor brings up to date by itself.
  private let ticks = Ticks()
  /// Says without the lock that there is nothing, which is what nearly every look finds. A commit that a snapshot shows is seen,
  /// because its change set was posted before that could begin.
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

  /// Whether there is something to take out.
  package var isEmpty: Bool { !hasContent.load(ordering: .acquiring) }

  /// From now on, commits that only insert are put in too.
  package func keepInsertions() {
    state.withLock { $0.keepsInsertions = true }
  }

  package func post(_ changes: ChangeSet) {
    let oldCount = changes.entities.values.reduce(0) { $0 + $1.updated.count + $1.deleted.count }
    let newCount = changes.entities.values.reduce(0) { $0 + $1.inserted.count }
    update { state in
      // A new row has no object yet that could be out of date, but it may be one that a query asks for.
      let count = oldCount + (state.keepsInsertions ? newCount : 0)
      if count > 0 { state.keep(changes, rowCount: count) }
    }
  }

  package func postUnknown(stateNumber: Int?) {
    update { $0.lose(through: stateNumber ?? 0) }
  }

  private func update(_ change: (inout State) -> Void) {
    let wakes = state.withLock { state in
      change(&state)
      hasContent.store(!state.isEmpty, ordering: .releasing)
      if state.isEmpty || state.isWoken { return false }
      state.isWoken = true
      return true
    }
    if wakes { wakeUp() }
  }

  /// What the context has taken in stays. Whoever waits for more is told.
  package func endOfCommits() {
    hasEnded.store(true, ordering: .releasing)
    ticks.finish()
    wakeUp()
  }

  /// Whether nothing will come any more.
  package var isOver: Bool { hasEnded.load(ordering: .acquiring) }

  /// Takes out what a snapshot shows. What it does not show yet stays, and wakes the context again.
  package func take(shownBy snapshot: RecordSnapshot) throws -> Content {
    guard hasContent.load(ordering: .acquiring) else { return .nothing }
    let (content, isMoreThere) = try state.withLock { state in
      state.isWoken = false
      let content = try state.take(shownBy: snapshot)
      state.isWoken = !state.isEmpty
      hasContent.store(!state.isEmpty, ordering: .releasing)
      return (content, state.isWoken)
    }
    if isMoreThere { wakeUp() }
    return content
  }

  /// Notes that there was no snapshot to look at: what is there stays, and the next commit wakes the context again.
  package func noteMissedLook() {
    state.withLock { $0.isWoken = false }
  }
}
