extension EnvironmentCore {
  /// Runs a write and waits for it.
  func write<Result: Sendable>(
    _ durability: Durability, _ body: @Sendable (WriteTransaction) throws -> Result
  ) throws -> Result {
    let outcome = WriteOutcome<Result>()
    return try withoutActuallyEscaping(body) { body in
      let write = Write(
        to: self, durability, callerHoldsSnapshot: occupancy.callerHoldsSnapshot,
        body: { outcome.result = try body($0) },
        completion: { outcome.complete($0) })
      if let ended = perform(write) { ended.tellCallers() } else { try submit(write) }
      return try outcome.wait()
    }
  }

  /// Runs a write while the task waits for it. A task that is cancelled before its turn has come waits no longer.
  func write<Result: Sendable>(
    _ durability: Durability, _ body: @escaping @Sendable (WriteTransaction) throws -> Result
  ) async throws -> Result {
    let outcome = WriteOutcome<Result>()
    // A task holds no snapshot while it waits: the bodies of reads do not wait for tasks.
    let write = Write(
      to: self, durability, callerHoldsSnapshot: false,
      body: { outcome.result = try body($0) },
      completion: { outcome.complete($0) })
    return try await withTaskCancellationHandler {
      try submit(write)
      return try await outcome.value()
    } onCancel: {
      if let writer, writer.queue.remove(write) { write.end(CancellationError()) }
    }
  }

  /// Runs a write on the calling thread; nil when it has to be submitted.
  private func perform(_ write: Write) -> EndedGroup? {
    guard let committer, !isForked, !isCurrentThreadWriting, occupancy.addWrite() else { return nil }
    let ended = committer.turn.holdIfFree { committer.performOnCaller(write) } ?? nil
    if ended == nil { leaveWrite() }
    return ended
  }

  private func submit(_ write: Write) throws {
    guard let writer else { throw StoreError.readOnly(path: directory) }
    if isForked { throw StoreError.forked(path: directory) }
    if isCurrentThreadWriting { throw StoreError.writeInsideWrite }
    guard occupancy.addWrite() else { throw StoreError.closed(path: directory) }
    do {
      try writer.ensureBegun()
      if try !writer.queue.append(write) { throw CancellationError() }
    } catch {
      leaveWrite()
      throw error
    }
  }

  /// One write less is waiting or running.
  func leaveWrite() {
    if occupancy.removeWrite() { tearDown() }
  }

  /// Whether the calling thread is in the middle of a transaction of this store.
  var isCurrentThreadInside: Bool {
    isCurrentThreadWriting || occupancy.callerHoldsSnapshot
  }

  /// Whether the calling thread is the one that runs a write now, or might.
  var isCurrentThreadWriting: Bool {
    writer?.isCurrent == true || committer?.turn.isMine == true
  }
}
