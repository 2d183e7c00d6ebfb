import CLMDB
import Glibc

// LMDB's write transaction, from its beginning to its commit.
extension Committer {
  /// The open transaction; begins it if there is none.
  func openTransaction() throws(StoreError) -> OpaquePointer {
    if let open { return open }
    let begun = try begin()
    open = begun
    return begun
  }

  func begin() throws(StoreError) -> OpaquePointer {
    try journal?.ensureHeadroom(for: LogLoad())
    var begun: OpaquePointer?
    try engine.check(mdb_txn_begin(engine.handle, nil, 0, &begun), "Beginning a write")
    guard let begun else { throw engine.error(EINVAL, "Beginning a write") }
    return begun
  }

  /// Commits the open transaction, so that snapshots show what was acknowledged.
  ///
  /// When it throws, the store is poisoned.
  func publish() throws(StoreError) {
    guard backlog.commits > 0 else {
      // There may be one with nothing in it.
      discardOpen()
      // A bulk transaction whose checkpoint has failed is in LMDB, and must stay unseen.
      if !poison.isSet { progress.noteCurrent() }
      return
    }
    guard let transaction = open, let journal, !poison.isSet else {
      throw .mustReopen(path: path, cause: poison.reopenCause)
    }
    open = nil
    do throws(StoreError) {
      do throws(StoreError) {
        try commit(transaction, journal)
      } catch {
        // All of it is in the log, so it can be done again where there is room for it.
        guard Self.isCuredByReplay(error) else { throw error }
        try journal.replayTail { () throws(StoreError) in try growMapUnasked() }
      }
    } catch {
      setPoison()
      throw error
    }
    journal.notePublished()
    backlog = Backlog()
    progress.noteCurrent()
  }

  private func commit(_ transaction: OpaquePointer, _ journal: Journal) throws(StoreError) {
    do throws(StoreError) {
      try engine.putLSN(journal.log.end.lsn, transaction)
    } catch {
      mdb_txn_abort(transaction)
      throw error
    }
    try engine.check(mdb_txn_commit(transaction), "Publishing commits")
  }

  private static func isCuredByReplay(_ error: StoreError) -> Bool {
    switch error {
    case .engine(_, _, MDB_MAP_FULL), .transactionTooLarge: true
    default: false
    }
  }

  func discardOpen() {
    if let open { mdb_txn_abort(open) }
    open = nil
  }

  // MARK: - Failures

  func checkUsable() throws(StoreError) {
    if poison.isSet { throw .mustReopen(path: path, cause: poison.reopenCause) }
    if map.isLost { throw .mustReopen(path: path, cause: .mapLost) }
  }

  /// Notes that nothing may be written any more.
  func setPoison() {
    poison.set()
    noteFailure()
  }

  /// Lets those know that wait for what can't come any more.
  func noteFailure() {
    // What is open belongs to the writer thread.
    if isOnCaller { return queue.requestTick() }
    discardOpen()
    if progress.notePoisoned() { monitor.tell(.mustReopen(path: path, cause: poison.reopenCause)) }
  }

  // MARK: - The map

  /// Makes the map larger for a body that did not fit. Nothing may be open.
  func growMap(for write: Write) throws(StoreError) {
    if write.callerHoldsSnapshot { throw .snapshotBlocksGrowth(path: path) }
    try growMapUnasked()
  }

  /// Makes the map larger, after all snapshots of this process have ended. Whoever waits for the writer with a snapshot
  /// open would be waited for in turn, and is sent away.
  private func growMapUnasked() throws(StoreError) {
    let refusal = StoreError.snapshotBlocksGrowth(path: path)
    for held in queue.removeSnapshotHolders(refusingMoreWith: refusal) { held.end(refusal) }
    progress.noteGrowing(true)
    defer {
      progress.noteGrowing(false)
      queue.acceptSnapshotHolders()
    }
    monitor.tell(.mapGrown(byteCount: try map.grow()))
  }
}
