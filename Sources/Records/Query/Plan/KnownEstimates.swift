import Synchronization

/// How many rows parts of indexes have in one state of a store: what planners have found out by counting many entries.
///
/// A program asks the same few queries again and again, and counting the entries of a part that is not used in the end may take
/// longer than the rest of a query with a limit.
final class KnownEstimates: Sendable {
  private struct Part: Hashable {
    var indexSlot: Int
    var intervals: [KeyInterval]
  }

  private struct State {
    /// The state that the estimates are of (`Snapshot.stateNumber`).
    var number = 0
    var estimates: [Part: RowEstimate] = [:]
  }

  /// More parts are not remembered: queries with ever new values would fill the memory.
  private static let partsMax = 64
  /// Of fewer entries, counting takes no longer than looking the estimate up.
  static let entriesMin = 64

  private let state = Mutex(State())

  /// What is known of a part of an index in a state; nil for nothing, and in a transaction, whose states have no number.
  func estimate(of access: IndexAccess, at number: Int?) -> RowEstimate? {
    guard let number else { return nil }
    return state.withLock { state in
      guard state.number == number, !state.estimates.isEmpty else { return nil }
      return state.estimates[Part(indexSlot: access.index.slot, intervals: access.intervals)]
    }
  }

  func note(_ estimate: RowEstimate, of access: IndexAccess, at number: Int?) {
    guard let number else { return }
    state.withLock { state in
      if state.number != number || state.estimates.count >= Self.partsMax { state = State(number: number) }
      state.estimates[Part(indexSlot: access.index.slot, intervals: access.intervals)] = estimate
    }
  }
}
