import Synchronization

/// How far commits have come: what a snapshot has to show, and what LMDB shows.
///
/// Both are counts of commits. The first is ahead while acknowledged commits wait to be published, and while LMDB shows one that
/// nobody may see yet; in both cases a snapshot has to wait.
final class CommitProgress: Sendable {
  private let expected = Atomic<UInt64>(0)
  private let visible = Atomic<UInt64>(0)
  /// Whether LMDB shows a commit that may not be seen yet, or may do so at any moment: a bulk transaction that is not on the medium,
  /// or one of which nobody has been told.
  private let hides = Atomic(false)
  /// Whether somebody waits for a publish.
  private let wanted = Atomic(false)
  private let monitor = Monitor(Waiting())

  private struct Waiting {
    var readers = 0
    /// Whether the map is about to grow, which waits for snapshots to end.
    var isGrowing = false
    var isPoisoned = false
  }

  // MARK: - Readers

  /// Whether a snapshot that begins now shows everything that it has to.
  @inline(__always)
  var isCurrent: Bool {
    visible.load(ordering: .acquiring) == expected.load(ordering: .acquiring)
  }

  /// Whether a snapshot that has begun may show what was not acknowledged: it was on its way when a bulk transaction came.
  @inline(__always)
  var hidesNewest: Bool {
    atomicMemoryFence(ordering: .acquiring)
    return hides.load(ordering: .acquiring)
  }

  /// How a wait ended.
  enum Wait {
    case isCurrent
    /// The store shows less than was acknowledged, and takes no more writes.
    case isPoisoned
    /// It would have been for the caller itself.
    case isBlocked
  }

  /// Waits until what is expected now is visible, after it has called `request`. The caller says whether it has a snapshot
  /// open already.
  func waitUntilCurrent(holdsSnapshot: Bool, request: () -> Void) -> Wait {
    let target = expected.load(ordering: .acquiring)
    monitor.withLock { $0.readers += 1 }
    wanted.store(true, ordering: .releasing)
    request()
    return monitor.withLock(
      when: { waiting in
        visible.load(ordering: .acquiring) >= target || waiting.isPoisoned || waiting.isGrowing && holdsSnapshot
      },
      { waiting in
        waiting.readers -= 1
        if visible.load(ordering: .acquiring) >= target { return .isCurrent }
        return waiting.isPoisoned ? .isPoisoned : .isBlocked
      })
  }

  /// Whether a reader waits for a publish: what a body looks at between its operations.
  @inline(__always)
  var isPublishWanted: Bool { wanted.load(ordering: .relaxed) }

  // MARK: - The writer

  /// Snapshots from now on have to show this many more commits.
  func expect(_ commits: Int) {
    expected.add(UInt64(commits), ordering: .acquiringAndReleasing)
  }

  /// Lets no snapshot begin until `noteCurrent`, because LMDB shows a commit before it may be seen.
  func expectHidden() {
    expect(1)
    hides.store(true, ordering: .sequentiallyConsistent)
  }

  /// That commit is not going to be.
  func expectHiddenNoLonger() {
    expected.subtract(1, ordering: .acquiringAndReleasing)
    hides.store(false, ordering: .releasing)
    wake()
  }

  /// LMDB shows everything that is expected.
  func noteCurrent() {
    hides.store(false, ordering: .releasing)
    visible.store(expected.load(ordering: .acquiring), ordering: .releasing)
    wake()
  }

  /// Nothing more will become visible. True the first time.
  func notePoisoned() -> Bool {
    let isFirst = monitor.withLock { waiting in
      defer { waiting.isPoisoned = true }
      return !waiting.isPoisoned
    }
    monitor.wakeAll()
    return isFirst
  }

  func noteGrowing(_ isGrowing: Bool) {
    monitor.withLock { $0.isGrowing = isGrowing }
    monitor.wakeAll()
  }

  private func wake() {
    wanted.store(false, ordering: .releasing)
    // Nobody can begin to wait for what is visible already, so without waiting readers there is nobody to wake.
    if monitor.withLock({ $0.readers > 0 }) { monitor.wakeAll() }
  }
}
