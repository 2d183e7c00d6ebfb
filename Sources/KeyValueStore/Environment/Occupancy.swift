import Glibc

/// Who is inside an environment: open handles, open snapshots, writes that wait or run.
///
/// Two things have to know. The map can be replaced only while no snapshot is open in this process, and the environment
/// is closed by whoever leaves last, once there is no handle any more.
final class Occupancy: Sendable {
  private struct State {
    var handles = 1
    var writes = 0
    var open: [SnapshotPlace] = []
    var idle: [SnapshotPlace] = []
    /// Whether somebody waits for the snapshots to end, or replaces the map.
    var isGated = false
    /// Whether the last one has left: nobody gets in any more.
    var isOver = false
    var isTornDown = false

    /// Ends the occupation when nobody is left; true for the one who left last.
    mutating func endIfEmpty() -> Bool {
      guard handles == 0, writes == 0, open.isEmpty, !isOver else { return false }
      isOver = true
      return true
    }

    var ownsSnapshot: Bool {
      let thread = pthread_self()
      return open.contains { pthread_equal($0.thread, thread) != 0 }
    }
  }

  /// More places than this are not kept for later, because other processes may need them.
  private static let idlePlacesMax = 64

  private let monitor = Monitor(State())

  // MARK: - Handles

  /// Another handle; false when the environment is being closed.
  func addHandle() -> Bool {
    monitor.withLock { state in
      if state.isOver { return false }
      state.handles += 1
      return true
    }
  }

  /// One handle less; true when its caller has to tear the environment down.
  func removeHandle() -> Bool {
    monitor.withLock { state in
      state.handles -= 1
      return state.endIfEmpty()
    }
  }

  /// Waits until the environment is torn down, or in use by another handle.
  func waitUntilVacated() {
    monitor.withLock(when: { $0.isTornDown || $0.handles > 0 }) { _ in }
  }

  func noteTornDown() {
    monitor.withLock { $0.isTornDown = true }
    monitor.wakeAll()
  }

  // MARK: - Writes

  /// A write that will wait and run; false when the environment is being closed.
  func addWrite() -> Bool {
    monitor.withLock { state in
      if state.isOver { return false }
      state.writes += 1
      return true
    }
  }

  /// One write less; true when its caller has to tear the environment down.
  func removeWrite() -> Bool {
    monitor.withLock { state in
      state.writes -= 1
      return state.endIfEmpty()
    }
  }

  /// Whether a write waits or runs.
  var hasWrites: Bool { monitor.withLock { $0.writes > 0 } }

  // MARK: - Snapshots

  /// A place for a snapshot of the calling thread; nil when the environment is being closed.
  ///
  /// Waits while the map is being replaced, unless the thread has a snapshot already: the replacement waits for that one.
  func addSnapshot() -> SnapshotPlace? {
    monitor.withLock(when: { !$0.isGated || $0.isOver || $0.ownsSnapshot }) { state in
      if state.isOver { return nil }
      let place = state.idle.popLast() ?? SnapshotPlace()
      place.thread = pthread_self()
      place.index = state.open.count
      place.begin = MonotonicClock.coarse
      place.isKnownAsOld = false
      state.open.append(place)
      return place
    }
  }

  /// One snapshot less; true when its caller has to tear the environment down.
  func removeSnapshot(_ place: SnapshotPlace) -> Bool {
    let (isLast, isAwaited, surplus) = monitor.withLock { state in
      let moved = state.open.removeLast()
      if moved !== place {
        state.open[place.index] = moved
        moved.index = place.index
      }
      let isKept = place.transaction != nil && state.idle.count < Self.idlePlacesMax
      if isKept { state.idle.append(place) }
      return (state.endIfEmpty(), state.isGated && state.open.isEmpty, isKept ? nil : place)
    }
    surplus?.discard()
    if isAwaited { monitor.wakeAll() }
    return isLast
  }

  /// Whether the calling thread has a snapshot open.
  var callerHoldsSnapshot: Bool {
    monitor.withLock { $0.ownsSnapshot }
  }

  /// How long the oldest open snapshot has been open; nil when none is.
  var oldestSnapshotAge: Duration? {
    let begin = monitor.withLock { $0.open.map(\.begin).min() }
    return begin.map { .nanoseconds(Int64(MonotonicClock.coarse - $0)) }
  }

  /// The ages of the open snapshots that are older than `age` and have not been told of before.
  func snapshotsGrownOld(_ age: Duration) -> [Duration] {
    let now = MonotonicClock.coarse
    let limit = age.nanoseconds
    return monitor.withLock { state in
      state.open.filter { !$0.isKnownAsOld && now > $0.begin + limit }.map { place in
        place.isKnownAsOld = true
        return .nanoseconds(Int64(now - place.begin))
      }
    }
  }

  var openSnapshotCount: Int {
    monitor.withLock { $0.open.count }
  }

  /// Runs `body` while no snapshot is open: lets no new one begin, and waits for the others to end.
  ///
  /// Returns false, without having run it, when the calling thread has a snapshot open itself.
  func withoutSnapshots(_ body: () throws(StoreError) -> Void) throws(StoreError) -> Bool {
    let mayEnter = monitor.withLock(when: { !$0.isGated || $0.ownsSnapshot }) { state in
      if state.ownsSnapshot { return false }
      state.isGated = true
      return true
    }
    guard mayEnter else { return false }
    defer {
      monitor.withLock { $0.isGated = false }
      monitor.wakeAll()
    }
    monitor.withLock(when: { $0.open.isEmpty }) { _ in }
    try body()
    return true
  }

  /// Gives back the places kept for later. Only for the tearing down.
  func discardIdlePlaces() {
    let idle = monitor.withLock { state in
      defer { state.idle = [] }
      return state.idle
    }
    for place in idle { place.discard() }
  }
}
