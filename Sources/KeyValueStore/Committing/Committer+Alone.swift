import CLMDB
import Glibc

// Bodies that run directly in LMDB's transaction: what they change is published with their commit.
extension Committer {
  /// Runs a write in a transaction of its own, and tells its caller. Throws instead if that can't be done.
  func runAlone(_ write: Write, isBulk: Bool) throws {
    // The body may take long, and what was written before it need not wait for that.
    journal?.flushBeforeBody()
    while true {
      try publish()
      try checkUsable()
      switch try runOnce(write, isBulk: isBulk) {
      case .done: return
      case .needsLargerMap: try growMap(for: write)
      case .runsAlone: throw StoreError.transactionTooLarge
      }
      monitor.count { $0.reruns += 1 }
    }
  }

  private func runOnce(_ write: Write, isBulk: Bool) throws -> BodyOutcome {
    let start = MonotonicClock.now
    let begun = try begin()
    let recorder = journal == nil ? nil : frames
    recorder?.beginFrame()
    if isBulk { recorder?.giveUp() }
    let transaction = WriteTransaction(
      write.environment, begun, recorder: recorder, mayOutgrowLog: true, interruption: nil)
    do {
      if let restart = try runBody(write, transaction) {
        mdb_txn_abort(begun)
        recorder?.dropFrame()
        return restart
      }
    } catch {
      mdb_txn_abort(begun)
      recorder?.dropFrame()
      throw error
    }
    guard let journal else {
      let outcome: BodyOutcome? = try hiding {
        let code = mdb_txn_commit(begun)
        if code == MDB_MAP_FULL { return .needsLargerMap }
        try engine.check(code, "Committing")
        return nil
      }
      return outcome ?? end(write, transaction)
    }
    guard frames.hasGivenUp else { return try commit(begun, of: write, transaction, journal) }
    frames.dropFrame()
    if let outcome = try commitBulk(begun, journal) { return outcome }
    monitor.count { $0.bulkTransactions += 1 }
    monitor.tell(.bulkTransaction(duration: .nanoseconds(Int64(MonotonicClock.now - start))))
    return end(write, transaction)
  }

  /// Logs and publishes a transaction.
  private func commit(
    _ begun: OpaquePointer, of write: Write, _ transaction: WriteTransaction, _ journal: Journal
  ) throws -> BodyOutcome {
    let hasChanged = frames.endFrame()
    if let outcome = try log(begun, journal, SyncNeed(write.durability, hasChanged: hasChanged)) { return outcome }
    if hasChanged {
      if let outcome = try hiding({ try publish(begun, journal) }) { return outcome }
      journal.notePublished()
      monitor.noteGroup(commits: 1)
    } else {
      mdb_txn_abort(begun)
    }
    return end(write, transaction)
  }

  /// Publishes a transaction of which the log has only a mark, and makes a checkpoint of it.
  ///
  /// - Returns: Nil, or that the transaction, which is gone then, needs a larger map.
  private func commitBulk(_ begun: OpaquePointer, _ journal: Journal) throws -> BodyOutcome? {
    frames.beginFrame()
    frames.markBulk()
    _ = frames.endFrame()
    if let outcome = try log(begun, journal, .none) { return outcome }
    // Nobody may see it before it is durable.
    if let outcome = try hiding({ try publish(begun, journal) }) { return outcome }
    journal.notePublished()
    do throws(StoreError) {
      try journal.checkpoint()
    } catch {
      setPoison()
      // LMDB has it, whatever has failed.
      throw StoreError.outcomeUnknown(path: path, errno: poison.error?.errno ?? EIO)
    }
    monitor.noteGroup(commits: 1)
    return nil
  }

  /// Writes the collected frame to the log.
  ///
  /// - Returns: Nil, or that the transaction, which is gone then, needs a larger map.
  private func log(_ begun: OpaquePointer, _ journal: Journal, _ sync: SyncNeed) throws -> BodyOutcome? {
    if !frames.isEmpty {
      do throws(StoreError) {
        try engine.putLSN(journal.log.end.lsn + 1, begun)
      } catch {
        mdb_txn_abort(begun)
        frames.removeAll()
        if case .engine(_, _, MDB_MAP_FULL) = error { return .needsLargerMap }
        throw error
      }
    }
    var failure = journal.append(frames)
    frames.removeAll()
    if failure == nil { failure = makeDurable(sync) }
    guard let failure else { return nil }
    mdb_txn_abort(begun)
    if poison.isSet { noteFailure() }
    throw failure
  }

  /// Commits LMDB's transaction, whose frame is in the log.
  ///
  /// - Returns: Nil, or that it needs a larger map. Its frame is taken back then.
  private func publish(_ begun: OpaquePointer, _ journal: Journal) throws -> BodyOutcome? {
    let code = mdb_txn_commit(begun)
    if code == MDB_SUCCESS { return nil }
    guard journal.takeBack() else {
      setPoison()
      throw StoreError.outcomeUnknown(path: path, errno: code)
    }
    if code == MDB_MAP_FULL { return .needsLargerMap }
    let error = engine.error(code, "Committing")
    // LMDB had not come to its meta page, or it will refuse the next transaction itself.
    if case .diskFull = error { throw error }
    setPoison()
    throw error
  }

  /// Commits LMDB's transaction so that no snapshot shows it before `end`: whoever sees a commit finds that those who asked to be told
  /// of it have been.
  private func hiding(_ commit: () throws -> BodyOutcome?) throws -> BodyOutcome? {
    progress.expectHidden()
    var isCommitted = false
    // Otherwise nothing is visible that was not before.
    defer { if !isCommitted { progress.expectHiddenNoLonger() } }
    let outcome = try commit()
    isCommitted = outcome == nil
    return outcome
  }

  private func end(_ write: Write, _ transaction: WriteTransaction) -> BodyOutcome {
    transaction.noteCommitted()
    progress.noteCurrent()
    write.end(nil)
    return .done
  }

  // MARK: - Bodies

  /// Runs a body; nil when its transaction can be committed, or how it has to run again.
  func runBody(_ write: Write, _ transaction: WriteTransaction) throws -> BodyOutcome? {
    running = transaction
    defer {
      running = nil
      transaction.end()
    }
    do {
      try write.run(in: transaction)
    } catch {
      if let restart = transaction.restart { return restart }
      throw error
    }
    if let restart = transaction.restart { return restart }
    if let failure = transaction.failure { throw failure }
    return nil
  }
}
