import CLMDB

// Writes that run on the threads of their callers. Handing a write to the writer thread and its outcome back takes as long
// as a small commit, so a caller that finds nobody before it runs its write itself.
//
// It does so in the transaction that the writer thread has open. Beginning and committing that one stays with the thread,
// because LMDB's lock belongs to it; a nested transaction belongs to nobody. So whatever needs more than a nested
// transaction goes to the thread after all, and so does the work that is due from time to time.
extension Committer {
  /// After a body wanted to act on its commit, which happens on the writer thread, this many go there at once.
  private static let refusalsAfterAction = 256

  /// Runs a write on the calling thread, which has the turn.
  ///
  /// - Returns: How it has ended; nil when nothing has happened, and the writer thread has to run it.
  func performOnCaller(_ write: Write) -> EndedGroup? {
    callersWrite = true
    if refusals > 0 {
      refusals -= 1
      return nil
    }
    // Whoever waits in the queue came first.
    guard open != nil, !queue.hasWork else { return nil }
    isOnCaller = true
    defer { isOnCaller = false }
    do {
      guard try join(write) == .done else {
        monitor.count { $0.reruns += 1 }
        return nil
      }
    } catch {
      return EndedGroup(write, error)
    }
    if groupActsOnWriterThread {
      undoGroup()
      monitor.count { $0.reruns += 1 }
      refusals = Self.refusalsAfterAction
      return nil
    }
    let ended = endGroup()
    if needsThread { queue.requestTick() }
    return ended
  }

  /// Whether the writer thread has something to do that it does not know of, or can't wait.
  private var needsThread: Bool {
    if poison.isSet || isPublishDue(MonotonicClock.now) || journal?.log.isSegmentFull == true { return true }
    guard let deadline else { return false }
    return wakesAt.map { deadline < $0 } ?? true
  }

  /// What the writer thread does before it waits: it opens a transaction for callers, if there are any.
  ///
  /// - Returns: When it has to be awake again.
  func rest() -> UInt64? {
    if callersWrite, journal != nil, (try? checkUsable()) != nil, open == nil {
      _ = try? openTransaction()
      backlog.begin = MonotonicClock.now
    }
    callersWrite = false
    wakesAt = deadline
    return wakesAt
  }
}
