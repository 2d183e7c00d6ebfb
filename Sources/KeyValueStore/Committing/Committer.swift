import CLMDB
import Glibc

/// The one place that decides how writes become durable and visible: docs/recovery.md, "Writing".
///
/// LMDB's write transaction stays open over many commits; each of these is a nested one. What waits when the writer thread
/// comes round is a group, made durable together.
///
/// Unchecked `Sendable`: after its creation it is used only by the thread that has the turn.
final class Committer: @unchecked Sendable {
  private enum Limit {
    /// A group ends when its frames have this many bytes, so that its first member does not wait for too long.
    static let groupBytes = 1 << 20
    /// And a group of this many writes is made durable before the next is begun.
    static let groupWrites = 256
    /// LMDB publishes after this many commits,
    static let backlogCommits = 256
    /// or this many bytes of frames,
    static let backlogBytes = 1 << 20
    /// or this many nanoseconds.
    static let backlogAge: UInt64 = 5_000_000
    /// After a reader has had to wait, this many groups are published at once, so that the next does not have to.
    static let eagerGroups = 8
  }

  let engine: Engine
  let map: DataMap
  let progress = CommitProgress()
  let poison: Poison
  let journal: Journal?
  let monitor: StoreMonitor
  let queue: WriterQueue
  let turn = Turn()
  private let occupancy: Occupancy
  let frames = FrameCollector()

  /// LMDB's write transaction, kept open until the next publish.
  var open: OpaquePointer?
  /// Acknowledged, but not published.
  var backlog = Backlog()
  private var group = CommitGroup()
  private var eagerGroups = 0
  /// When the last writes were acknowledged.
  private var lastTurn: UInt64 = 0
  /// The transaction whose body runs now.
  var running: WriteTransaction?
  /// Until when the writer thread sleeps, if nothing comes; nil when for ever.
  var wakesAt: UInt64?
  /// Whether callers have tried to run writes themselves since it woke up.
  var callersWrite = false
  /// How many of them still have to go to the writer thread.
  var refusals = 0
  /// Whether the turn is a caller's.
  var isOnCaller = false

  struct Backlog {
    var commits = 0
    var load = LogLoad()
    var begin: UInt64 = 0
  }

  init(
    engine: Engine, occupancy: Occupancy, map: DataMap, queue: WriterQueue, journal: Journal?, poison: Poison,
    monitor: StoreMonitor
  ) {
    self.engine = engine
    self.occupancy = occupancy
    self.map = map
    self.queue = queue
    self.journal = journal
    self.poison = poison
    self.monitor = monitor
  }

  var path: String { engine.path }

  // MARK: - A turn of the writer thread

  /// Runs a write, and those that wait behind it, from their bodies to their commit.
  ///
  /// - Returns: Those that have ended with it. `tick` is due when they have been told.
  func perform(_ first: Write) -> EndedGroup {
    var next: Write? = first
    while let write = next {
      run(write)
      let hasRoom = group.members.count < Limit.groupWrites && frames.byteCount < Limit.groupBytes
      next = hasRoom && !progress.isPublishWanted ? queue.nextWaiting() : nil
    }
    return endGroup() ?? EndedGroup(CommitGroup(), nil)
  }

  /// What has to happen in time: publish, sync relaxed frames, begin a checkpoint.
  func tick() {
    let now = MonotonicClock.now
    if open != nil {
      if isPublishDue(now) { try? publish() }
      eagerGroups = max(0, eagerGroups - 1)
    }
    guard let journal else { return }
    journal.flushIfDue(now)
    // Failures poison the store, and the next write says so.
    if journal.isCheckpointDue(now), (try? publish()) != nil {
      try? journal.beginCheckpoint()
      // What an old snapshot holds back, a checkpoint would have set free.
      for age in occupancy.snapshotsGrownOld(engine.options.snapshotAgeMax) {
        monitor.tell(.snapshotTooOld(age: age))
      }
    }
    if poison.isSet { noteFailure() }
  }

  /// Whether the open transaction has been open for long enough. Empty, it was there for a caller that did not come.
  func isPublishDue(_ now: UInt64) -> Bool {
    if now >= backlog.begin + Limit.backlogAge { return true }
    if backlog.commits == 0 { return false }
    return eagerGroups > 0 || backlog.commits >= Limit.backlogCommits || backlog.load.byteCount >= Limit.backlogBytes
  }

  /// When `tick` has something to do; nil when never.
  var deadline: UInt64? {
    if poison.isSet { return nil }
    let publish = open != nil ? backlog.begin + Limit.backlogAge : nil
    return [publish, journal?.deadline].compactMap { $0 }.min()
  }

  /// Publishes for a reader that waits, or is about to begin.
  func publishForReader() {
    eagerGroups = Limit.eagerGroups
    if (try? publish()) == nil { noteFailure() }
  }

  /// Publishes, makes a last checkpoint, and gives up everything that belongs to the thread.
  func close() {
    try? publish()
    discardOpen()
    journal?.close()
  }

  // MARK: - The group

  private func run(_ write: Write) {
    do {
      if runsAloneAnyway {
        // What has come meanwhile was not alone.
        defer { lastTurn = MonotonicClock.now }
        return try runAlone(write, isBulk: false)
      }
      while true {
        let outcome = try join(write)
        if outcome != .done { monitor.count { $0.reruns += 1 } }
        switch outcome {
        case .done: return
        case .needsLargerMap:
          commitGroup()
          try publish()
          try growMap(for: write)
        case .runsAlone(let isBulk):
          commitGroup()
          return try runAlone(write, isBulk: isBulk)
        }
      }
    } catch {
      write.end(error)
    }
  }

  /// Whether a body that comes now has no use of a group.
  ///
  /// Without a log there is nothing to share, and nothing to fall back on if LMDB can't publish. And after a while without
  /// writes the next one will hardly be followed by others at once: alone, it is visible at once, and may become a bulk
  /// transaction without running again.
  private var runsAloneAnyway: Bool {
    if journal == nil { return true }
    return open == nil && group.transaction == nil && MonotonicClock.now > lastTurn + Limit.backlogAge
  }

  /// Runs a body in a nested transaction and makes it a member of the group.
  func join(_ write: Write) throws -> BodyOutcome {
    try checkUsable()
    let parent = try group.transaction ?? openTransaction()
    var begun: OpaquePointer?
    try engine.check(mdb_txn_begin(engine.handle, parent, 0, &begun), "Beginning a write")
    guard let child = begun else { throw engine.error(EINVAL, "Beginning a write") }
    frames.beginFrame()
    let transaction = WriteTransaction(
      write.environment, child, recorder: frames, interruption: backlog.commits > 0 ? progress : nil)
    do {
      if let restart = try runBody(write, transaction) {
        mdb_txn_abort(child)
        frames.dropFrame()
        return restart
      }
    } catch {
      mdb_txn_abort(child)
      frames.dropFrame()
      throw error
    }
    if group.transaction == nil {
      // What the members after it change goes into this one when they succeed.
      group.transaction = child
    } else {
      let code = mdb_txn_commit(child)
      if code != MDB_SUCCESS {
        frames.dropFrame()
        if code == MDB_TXN_FULL { return .runsAlone(isBulk: false) }
        throw engine.error(code, "Committing")
      }
    }
    group.add(write, transaction, hasChanged: frames.endFrame())
    return .done
  }

  /// Makes the group durable, then visible, and tells its members.
  private func commitGroup() {
    endGroup()?.tellCallers()
  }

  /// Makes the group durable, then visible; nil when there is none.
  func endGroup() -> EndedGroup? {
    lastTurn = MonotonicClock.now
    if group.transaction == nil { return nil }
    let group = group
    self.group = CommitGroup()
    let error = commit(group)
    if error == nil { group.noteCommitted() }
    return EndedGroup(group, error)
  }

  var groupActsOnWriterThread: Bool { group.actsOnWriterThread }

  /// Takes back what the members of the group have changed. They have to run again.
  func undoGroup() {
    if let transaction = group.transaction { mdb_txn_abort(transaction) }
    group = CommitGroup()
    frames.removeAll()
  }

  private func commit(_ group: CommitGroup) -> (any Error)? {
    guard let transaction = group.transaction, let journal else { return nil }
    let load = frames.load
    var failure: StoreError?
    do throws(StoreError) {
      try journal.ensureHeadroom(for: backlog.load + load)
      failure = journal.append(frames)
    } catch {
      failure = error
    }
    frames.removeAll()
    if failure == nil { failure = makeDurable(group.sync) }
    if let failure {
      mdb_txn_abort(transaction)
      if poison.isSet { noteFailure() }
      return failure
    }
    let code = mdb_txn_commit(transaction)
    if code != MDB_SUCCESS {
      let isUndone = load.byteCount == 0 || journal.takeBack()
      setPoison()
      return isUndone ? engine.error(code, "Committing") : StoreError.outcomeUnknown(path: path, errno: code)
    }
    progress.expect(group.commits)
    if backlog.commits == 0 { backlog.begin = MonotonicClock.now }
    backlog.commits += group.commits
    backlog.load = backlog.load + load
    monitor.noteGroup(commits: group.commits)
    return nil
  }

  func makeDurable(_ sync: SyncNeed) -> StoreError? {
    guard let journal else { return nil }
    switch sync {
    case .none: return nil
    case .now: return journal.sync()
    case .within(let nanoseconds):
      journal.syncLater(within: nanoseconds)
      return nil
    }
  }
}
