extension EnvironmentCore {
  /// Runs a write and waits for it.
  func write<Result: Sendable>(
    _ durability: Durability, _ body: @Sendable (WriteTransaction) throws -> Result
  ) throws -> Result {
    let outcome = WriteOutcome<Result>()
    return try withoutActuallyEscaping(body) { body in
      try submit(
        Write(
          to: self, durability, callerHoldsSnapshot: occupancy.callerHoldsSnapshot,
          body: { outcome.result = try body($0) },
          completion: { outcome.complete($0) }))
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

  /// One write less is waiting or running.
  func leaveWrite() {
    if occupancy.removeWrite() { tearDown() }
  }

  /// Whether the calling thread is in the middle of a transaction of this store.
  var isCurrentThreadInside: Bool {
    writer?.isCurrent == true || occupancy.callerHoldsSnapshot
  }
}
