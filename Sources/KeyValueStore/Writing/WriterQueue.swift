/// The writes that wait for the writer thread, in the order of their arrival.
final class WriterQueue: Sendable {
  /// What the writer thread has to do next.
  enum Task {
    case write(Write)
    /// A reader waits for what was acknowledged.
    case publish
    /// The deadline has passed, or there is something to do at once.
    case tick
    /// The queue was stopped and is empty.
    case end
  }

  private struct State {
    /// The newest last.
    var arrived: [Write] = []
    /// The oldest last.
    var leaving: [Write] = []
    var isPublishWanted = false
    var isTickWanted = false
    var isStopped = false
    /// What a write gets whose caller holds a snapshot, while the map grows.
    var refusal: StoreError?

    var hasWork: Bool { !arrived.isEmpty || !leaving.isEmpty || isPublishWanted || isTickWanted || isStopped }

    mutating func popFirst() -> Write? {
      if leaving.isEmpty {
        leaving = arrived.reversed()
        arrived.removeAll(keepingCapacity: true)
      }
      let write = leaving.popLast()
      write?.state = .taken
      return write
    }

    mutating func remove(where isUnwanted: (Write) -> Bool) -> [Write] {
      let removed = leaving.reversed().filter(isUnwanted) + arrived.filter(isUnwanted)
      leaving.removeAll(where: isUnwanted)
      arrived.removeAll(where: isUnwanted)
      for write in removed { write.state = .taken }
      return removed
    }

    mutating func nextTask() -> Task {
      if isPublishWanted {
        isPublishWanted = false
        return .publish
      }
      if isTickWanted {
        isTickWanted = false
        return .tick
      }
      if let write = popFirst() { return .write(write) }
      return isStopped ? .end : .tick
    }
  }

  private let monitor = Monitor(State())

  /// How many writes wait.
  var count: Int {
    monitor.withLock { $0.arrived.count + $0.leaving.count }
  }

  // MARK: - On any thread

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

  /// Has the writer thread publish as soon as it comes round.
  func requestPublish() {
    monitor.withLock { $0.isPublishWanted = true }
    monitor.wakeAll()
  }

  /// Has the writer thread look after what is due as soon as it comes round.
  func requestTick() {
    monitor.withLock { $0.isTickWanted = true }
    monitor.wakeAll()
  }

  /// Whether there is something for the writer thread to do.
  var hasWork: Bool { monitor.withLock { $0.hasWork } }

  /// Takes a write out that has not been taken yet; true if it was waiting.
  func remove(_ write: Write) -> Bool {
    monitor.withLock { state in
      if write.state == .new { write.state = .taken }
      return !state.remove { $0 === write }.isEmpty
    }
  }

  /// Lets `nextTask` return `.end` once the queue is empty.
  func stop() {
    monitor.withLock { $0.isStopped = true }
    monitor.wakeAll()
  }

  // MARK: - On the writer thread

  /// Waits until there is something to do, no longer than until `deadline`.
  func waitForWork(until deadline: UInt64?) {
    guard let deadline else { return monitor.withLock(when: { $0.hasWork }, { _ in }) }
    monitor.withLock(when: { $0.hasWork }, until: deadline, { _ in })
  }

  /// What has to be done now.
  func nextTask() -> Task {
    monitor.withLock { $0.nextTask() }
  }

  /// The next write, if one waits.
  func nextWaiting() -> Write? {
    monitor.withLock { $0.popFirst() }
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
}
