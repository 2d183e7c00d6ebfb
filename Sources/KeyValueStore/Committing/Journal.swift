/// A store's log and checkpoints, as the writer thread uses them. A store in memory has none.
final class Journal {
  private static let retryInterval: UInt64 = 20_000_000

  let log: WriteAheadLog
  private let engine: Engine
  private let checkpointer: Checkpointer
  /// What has to happen before the first frame; nil when it has.
  private var resumption: Resumption?
  /// Finishes checkpoints.
  private let thread = BackgroundThread()
  /// Syncs relaxed frames, for which a checkpoint that syncs the data would make them wait.
  private let flusher = BackgroundThread()
  private let poison: Poison
  private let monitor: StoreMonitor
  private var pace: CheckpointPace
  private var headroom: Headroom

  /// Where the log was when LMDB published last.
  private(set) var published: LogEnd
  /// By when relaxed frames have to be synced.
  private var flushDeadline: UInt64?
  /// How long before that the interval began.
  private var flushInterval: UInt64 = 0

  init(_ store: RecoveredStore, poison: Poison, monitor: StoreMonitor) {
    log = store.log
    engine = store.engine
    checkpointer = store.checkpointer
    resumption = store.resumption
    self.poison = poison
    self.monitor = monitor
    published = store.log.end
    pace = CheckpointPace(
      store.engine.options.checkpoints, lastPage: store.engine.lastPage, pageByteCount: store.engine.pageByteCount)
    headroom = Headroom(store.data)
  }

  private var path: String { engine.path }

  /// Does what has to happen before the first frame. If that fails, the store is poisoned.
  private func ensureResumed() throws(StoreError) {
    guard let resumption else { return }
    do { try resumption.run() } catch {
      poison.set(error.file)
      throw error.store
    }
    self.resumption = nil
    published = log.end
  }

  /// Refuses to go on when the disk has no room for what LMDB may have to write later.
  func ensureHeadroom(for load: LogLoad) throws(StoreError) {
    try headroom.ensure(beyond: pace.usedByteCount, for: load)
  }

  // MARK: - The log

  /// Writes frames to the log.
  ///
  /// - Returns: Nil, or what those are to be told whose frames they are. The frames certainly don't count then, unless the
  ///   store is poisoned.
  func append(_ frames: FrameCollector) -> StoreError? {
    if frames.isEmpty { return nil }
    do throws(StoreError) { try ensureResumed() } catch { return error }
    do {
      try log.append(frames)
    } catch {
      if error.isTakenBack { return StoreError(error.cause) }
      poison.set(error.cause)
      return .outcomeUnknown(path: path, errno: error.cause.errno)
    }
    monitor.count { $0.logBytes += frames.byteCount }
    pace.noteCommit()
    return nil
  }

  /// Takes the frames back that were written last. True if it is certain that they don't count; otherwise the store is
  /// poisoned.
  func takeBack() -> Bool {
    do throws(FileError) { try log.takeBack() } catch {
      poison.set(error)
      return false
    }
    return true
  }

  /// Brings everything in the log to the medium.
  ///
  /// - Returns: Nil, or what those are to be told whose frames it was for.
  func sync() -> StoreError? {
    flushDeadline = nil
    if log.isSynced { return nil }
    do {
      if try log.sync() { monitor.count { $0.syncs += 1 } }
    } catch {
      poison.set(error)
      return .outcomeUnknown(path: path, errno: error.errno)
    }
    return nil
  }

  /// Has the log synced within some nanoseconds.
  func syncLater(within nanoseconds: UInt64) {
    let deadline = MonotonicClock.now + nanoseconds
    if let earlier = flushDeadline, earlier <= deadline { return }
    flushDeadline = deadline
    flushInterval = nanoseconds
  }

  /// LMDB has published everything that the log has.
  func notePublished() {
    published = log.end
    let lastPage = engine.lastPage
    monitor.count { [pace] in
      $0.publishes += 1
      $0.pagesGrown += max(0, lastPage - pace.lastPage)
    }
    pace.notePublish(lastPage: lastPage)
  }

  /// Applies again what LMDB has not published, after it could not.
  func replayTail(growMap: () throws(StoreError) -> Void) throws(StoreError) {
    var replay = LogReplay(engine)
    let end = try replay.run(log.segments, from: published, growMap: growMap)
    guard end.lsn == log.end.lsn else {
      throw .damaged(path: path, reason: "its log ends before commit \(log.end.lsn), which was written to it")
    }
  }

  // MARK: - In time

  /// When there is something to do; nil when never.
  var deadline: UInt64? {
    [flushDeadline, checkpointDeadline].compactMap { $0 }.min()
  }

  private var checkpointDeadline: UInt64? {
    guard let deadline = pace.deadline else { return nil }
    // Nobody says when the last one is finished, so the next is tried again after a while.
    return thread.isIdle ? deadline : max(deadline, MonotonicClock.now + Self.retryInterval)
  }

  /// Begins the sync of relaxed frames if it is due, while writing goes on.
  func flushIfDue(_ now: UInt64) {
    guard let deadline = flushDeadline, now >= deadline, !poison.isSet else { return }
    flush()
  }

  /// Begins the sync of relaxed frames before a body that may take long, unless they have most of their time left.
  func flushBeforeBody() {
    guard let deadline = flushDeadline, MonotonicClock.now + flushInterval / 2 >= deadline, !poison.isSet else {
      return
    }
    flush()
  }

  private func flush() {
    flushDeadline = nil
    if log.isSynced { return }
    let pending = log.beginSync()
    flusher.submit { [poison, monitor] in
      do throws(FileError) {
        if try pending.run() { monitor.count { $0.syncs += 1 } }
      } catch {
        poison.set(error)
      }
    }
  }

  // MARK: - Checkpoints

  /// Whether a checkpoint should begin. Waits when the last one has taken far too long.
  func isCheckpointDue(_ now: UInt64) -> Bool {
    guard !poison.isSet, pace.isDue(now, isSegmentFull: log.isSegmentFull) else { return false }
    if thread.isIdle { return true }
    guard pace.isOverdue(log) else { return false }
    thread.drain()
    return !poison.isSet
  }

  /// Begins a checkpoint, which is finished while writing goes on. Everything must be published.
  func beginCheckpoint() throws(StoreError) {
    let finish = try begin()
    thread.submit { finish() }
  }

  /// Makes a checkpoint, and returns when it is on the medium. Everything must be published.
  func checkpoint() throws(StoreError) {
    thread.drain()
    if poison.isSet { throw .mustReopen(path: path, cause: poison.reopenCause) }
    let finish = try begin()
    finish()
    if let error = poison.error { throw .outcomeUnknown(path: path, errno: error.errno) }
    if poison.isSet { throw .mustReopen(path: path, cause: poison.reopenCause) }
  }

  private func begin() throws(StoreError) -> @Sendable () -> Void {
    let pending: Checkpointer.Pending
    do {
      pending = try checkpointer.begin(log)
    } catch {
      poison.set(error.file)
      throw error.store
    }
    published = log.end
    flushDeadline = nil
    pace.noteCheckpoint()
    return { [checkpointer, poison, monitor] in
      let start = MonotonicClock.now
      do throws(FileError) {
        try checkpointer.finish(pending)
        monitor.noteCheckpoint(.nanoseconds(Int64(MonotonicClock.now - start)))
      } catch {
        poison.set(error)
      }
    }
  }

  /// Makes a last checkpoint if there is something to make one of, and lets the pin go.
  func close() {
    if !poison.isSet, pace.hasCommits { try? checkpoint() }
    flusher.stop()
    thread.stop()
    if !poison.isSet, resumption == nil { try? checkpointer.noteClosed() }
    checkpointer.releasePin()
  }
}
