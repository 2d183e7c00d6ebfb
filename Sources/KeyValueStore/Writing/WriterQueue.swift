/// The writes that wait for the writer thread, in the order of their arrival.
final class WriterQueue: Sendable {
  private struct State {
    /// The newest last.
    var arrived: [Write] = []
    /// The oldest last.
    var leaving: [Write] = []
    var isStopped = false
    /// What a write gets whose caller holds a snapshot, while the map grows.
    var refusal: StoreError?

    mutating func popFirst() -> Write? {
      if leaving.isEmpty {
        leaving = arrived.reversed()
        arrived.removeAll(keepingCapacity: true)
      }
      return leaving.popLast()
    }

    mutating func remove(where isUnwanted: (Write) -> Bool) -> [Write] {
      let removed = leaving.reversed().filter(isUnwanted) + arrived.filter(isUnwanted)
      leaving.removeAll(where: isUnwanted)
      arrived.removeAll(where: isUnwanted)
      for write in removed { write.state = .taken }
      return removed
    }
  }

  private let monitor = Monitor(State())

  /// How many writes wait.
  var count: Int {
    monitor.withLock { $0.arrived.count + $0.leaving.count }
  }

  /// Adds a write at the end; false when it has been taken out before it came.
  func append(_ write: Write) throws(StoreError) -> Bool {
    let isAdded = try monitor.withLock { (state) throws(StoreError) -> Bool in
      if write.callerHoldsSnapshot, let refusal = state.refusal { throw refusal }
      guard write.state == .new else { return false }
      write.state = .waiting
      state.arrived.append(write)
      return true
    }
    monitor.wakeAll()
    return isAdded
  }

  /// The next write; waits until there is one. Nil when the queue was stopped and is empty.
  func next() -> Write? {
    monitor.withLock(when: { !$0.arrived.isEmpty || !$0.leaving.isEmpty || $0.isStopped }) { state in
      let write = state.popFirst()
      write?.state = .taken
      return write
    }
  }

  /// Takes a write out that has not been taken yet; true if it was waiting.
  func remove(_ write: Write) -> Bool {
    monitor.withLock { state in
      if write.state == .new { write.state = .taken }
      return !state.remove { $0 === write }.isEmpty
    }
  }

  /// Takes out the writes whose callers hold a snapshot, and refuses new ones of that kind until `acceptSnapshotHolders`.
  func removeSnapshotHolders(refusingMoreWith refusal: StoreError) -> [Write] {
    monitor.withLock { state in
      state.refusal = refusal
      return state.remove { $0.callerHoldsSnapshot }
    }
  }

  func acceptSnapshotHolders() {
    monitor.withLock { $0.refusal = nil }
  }

  /// Lets `next` return nil once the queue is empty.
  func stop() {
    monitor.withLock { $0.isStopped = true }
    monitor.wakeAll()
  }
}
