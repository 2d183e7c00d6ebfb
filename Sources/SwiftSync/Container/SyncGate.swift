import SyncEngine
import Synchronization

/// Decides which syncs of a store may run beside each other.
///
/// Syncs whose work is one transaction of the store share the gate: the store's writer orders them, and makes many small ones
/// durable together. A sync that works on objects, over several turns of their actor, has it alone. Whoever comes first is let
/// in first: one that waits for its turn is not overtaken, also not by those that could share the gate with the ones inside.
final class SyncGate: Sendable {
  enum Access {
    case shared, exclusive
  }

  private struct Waiter {
    let ticket: UInt64
    let access: Access
    let continuation: CheckedContinuation<Bool, Never>
  }

  private struct State {
    /// How many are inside; -1 for one that has the gate alone.
    var inside = 0
    var waiters: [Waiter] = []
    var lastTicket: UInt64 = 0
    /// The tickets of callers that asked, were not let in at once, and have not been told yet. False for those that were
    /// cancelled before they began to wait.
    var isWanted: [UInt64: Bool] = [:]

    func admits(_ access: Access) -> Bool {
      access == .shared ? inside >= 0 : inside == 0
    }

    mutating func enter(_ access: Access) {
      inside = access == .shared ? inside + 1 : -1
    }

    mutating func leave() {
      inside = max(inside, 1) - 1
    }

    /// Takes out the waiters that may enter now, in their order.
    mutating func admitted() -> [Waiter] {
      var admitted: [Waiter] = []
      for waiter in waiters {
        guard admits(waiter.access) else { break }
        enter(waiter.access)
        admitted.append(waiter)
      }
      waiters.removeFirst(admitted.count)
      return admitted
    }
  }

  private let state = Mutex(State())

  /// How many wait to be let in.
  var waiterCount: Int { state.withLock { $0.waiters.count } }

  /// Runs a closure inside of the gate, when it is its turn.
  ///
  /// - Parameters:
  ///   - access: Whether others may be inside too.
  ///   - model: The name of the model that is synced, for errors.
  ///   - isolation: The actor of the caller, which the closure runs on.
  ///   - body: What is done inside.
  /// - Returns: What the closure returns.
  /// - Throws: `SyncError.cancelled` when the task is cancelled before that, at once; `SyncError.syncInsideSync` if the task is one
  ///   of a closure that has the gate alone; what the closure throws.
  func entering<Result>(
    _ access: Access, syncing model: String, isolation: isolated (any Actor)? = #isolation,
    _ body: nonisolated(nonsending) () async throws -> Result
  ) async throws -> Result {
    if Stay.current?.isInside(self) == true { throw SyncError.syncInsideSync(model: model) }
    guard !Task.isCancelled, await enter(access) else { throw SyncError.cancelled }
    defer { leave() }
    if access == .shared { return try await body() }
    let stay = Stay(in: self)
    defer { stay.end() }
    return try await Stay.$current.withValue(stay) {
      // A closure that did not capture it would leave the actor.
      _ = isolation
      return try await body()
    }
  }

  /// - Returns: False if the task was cancelled before its turn came. Then it is not inside.
  private nonisolated(nonsending) func enter(_ access: Access) async -> Bool {
    let ticket: UInt64? = state.withLock { state in
      if state.waiters.isEmpty, state.admits(access) {
        state.enter(access)
        return nil
      }
      state.lastTicket += 1
      state.isWanted[state.lastTicket] = true
      return state.lastTicket
    }
    guard let ticket else { return true }
    defer { state.withLock { $0.isWanted[ticket] = nil } }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { wait(Waiter(ticket: ticket, access: access, continuation: $0)) }
    } onCancel: {
      cancel(ticket)
    }
  }

  private func wait(_ waiter: Waiter) {
    let (refused, admitted) = state.withLock { state -> (Bool, [Waiter]) in
      if state.isWanted[waiter.ticket] == false { return (true, []) }
      state.waiters.append(waiter)
      // The gate may have become free between asking and waiting.
      return (false, state.admitted())
    }
    if refused { waiter.continuation.resume(returning: false) }
    for waiter in admitted { waiter.continuation.resume(returning: true) }
  }

  private func cancel(_ ticket: UInt64) {
    let (cancelled, admitted) = state.withLock { state -> (Waiter?, [Waiter]) in
      guard let place = state.waiters.firstIndex(where: { $0.ticket == ticket }) else {
        if state.isWanted[ticket] != nil { state.isWanted[ticket] = false }
        return (nil, [])
      }
      let waiter = state.waiters.remove(at: place)
      // Those behind it may only have waited for it.
      return (waiter, state.admitted())
    }
    cancelled?.continuation.resume(returning: false)
    for waiter in admitted { waiter.continuation.resume(returning: true) }
  }

  private func leave() {
    let admitted = state.withLock { state in
      state.leave()
      return state.admitted()
    }
    for waiter in admitted { waiter.continuation.resume(returning: true) }
  }
}

/// The stay of a task, and of those that it starts, in a gate that it has alone: models' own code runs then. What it asks for
/// might be to get in once more, which would never end.
private final class Stay: Sendable {
  @TaskLocal static var current: Stay?

  private let gate: SyncGate
  /// A stay in another store's gate around this one.
  private let outer: Stay?
  private let hasEnded = Atomic(false)

  init(in gate: SyncGate) {
    self.gate = gate
    outer = Self.current
  }

  /// From now on tasks that were started inside and live on wait like all others.
  func end() { hasEnded.store(true, ordering: .relaxed) }

  func isInside(_ gate: SyncGate) -> Bool {
    (self.gate === gate && !hasEnded.load(ordering: .relaxed)) || outer?.isInside(gate) == true
  }
}
