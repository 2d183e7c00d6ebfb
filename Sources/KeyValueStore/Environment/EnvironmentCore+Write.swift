import CLMDB
import Glibc

extension EnvironmentCore {
  // MARK: - On the caller's thread

  /// Runs a write and waits for it.
  func write<Result: Sendable>(_ body: @Sendable (WriteTransaction) throws -> Result) throws -> Result {
    let outcome = WriteOutcome<Result>()
    return try withoutActuallyEscaping(body) { body in
      try submit(
        Write(
          to: self, callerHoldsSnapshot: occupancy.callerHoldsSnapshot,
          body: { outcome.result = try body($0) },
          completion: { outcome.complete($0) }))
      return try outcome.wait()
    }
  }

  /// Runs a write while the task waits for it. A task that is cancelled before its turn has come waits no longer.
  func write<Result: Sendable>(
    _ body: @escaping @Sendable (WriteTransaction) throws -> Result
  ) async throws -> Result {
    let outcome = WriteOutcome<Result>()
    // A task holds no snapshot while it waits: the bodies of reads do not wait for tasks.
    let write = Write(
      to: self, callerHoldsSnapshot: false,
      body: { outcome.result = try body($0) },
      completion: { outcome.complete($0) })
    return try await withTaskCancellationHandler {
      try submit(write)
      return try await outcome.value()
    } onCancel: {
      if let writer, writer.queue.remove(write) { abandon(write, because: CancellationError()) }
    }
  }

  private func submit(_ write: Write) throws {
    guard let writer else { throw StoreError.readOnly(path: directory) }
    if isForked { throw StoreError.forked(path: directory) }
    if writer.isCurrent { throw StoreError.writeInsideWrite }
    guard occupancy.addWrite() else { throw StoreError.closed(path: directory) }
    do {
      if try !writer.queue.append(write) { throw CancellationError() }
    } catch {
      leaveWrite()
      throw error
    }
  }

  /// Ends a write that was taken out of the queue.
  func abandon(_ write: Write, because error: any Error) {
    write.dropBody()
    leaveWrite()
    write.complete(error)
  }

  private func leaveWrite() {
    if occupancy.removeWrite() { tearDown() }
  }

  // MARK: - On the writer thread

  /// Runs a write from its beginning to its commit.
  func perform(_ write: Write) {
    var error: (any Error)?
    do { while try !attempt(write) { try growMap(for: write) } } catch let failure { error = failure }
    write.dropBody()
    leaveWrite()
    write.complete(error)
  }

  /// Runs a write once; false when the map is too small for it, and nothing has happened.
  private func attempt(_ write: Write) throws -> Bool {
    if mustReopen || isMapLost { throw StoreError.mustReopen(path: directory) }
    var begun: OpaquePointer?
    try engine.check(mdb_txn_begin(engine.handle, nil, 0, &begun), "Beginning a write")
    guard let begun else { throw engine.error(EINVAL, "Beginning a write") }
    let transaction = WriteTransaction(self, begun)
    do {
      try write.run(in: transaction)
      if let failure = transaction.failure { throw failure }
    } catch {
      transaction.end()
      mdb_txn_abort(begun)
      if transaction.hasOutgrownMap { return false }
      throw error
    }
    transaction.end()
    switch committer.commit(begun) {
    case .committed:
      transaction.noteCommitted()
      return true
    case .refused(MDB_MAP_FULL): return false
    case .refused(let code): throw engine.error(code, "Committing")
    case .unknown(let code):
      mustReopen = true
      throw engine.error(code, "Committing")
    }
  }
}

extension EnvironmentCore {
  /// Whether the calling thread is in the middle of a transaction of this store.
  var isCurrentThreadInside: Bool {
    writer?.isCurrent == true || occupancy.callerHoldsSnapshot
  }
}
