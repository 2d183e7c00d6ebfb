import KeyValueStore
import TestSupport

/// A sequence of commits to tables of its own, whose progress and content are known at each moment.
struct Lane: Sendable {
  let number: Int
  private(set) var commit = 0
  private(set) var hash: UInt64 = 0
  /// The last commit that is known to survive a power cut.
  private var durableCommit = 0

  init(_ number: Int) {
    self.number = number
  }

  /// The lane as a store has it.
  init(_ number: Int, _ state: StoreState) {
    self.number = number
    commit = state.commit(of: number)
    hash = state.hash(of: number)
    durableCommit = commit
  }

  /// Makes a commit, and marks what is known of it before, after, or when it has failed.
  mutating func write(
    _ store: OpenStore, _ level: CommitLevel = .durable, _ body: @escaping @Sendable (LaneTransaction) throws -> Void
  ) throws {
    let (number, commit, hash) = (number, commit + 1, hash)
    let tables = store.tables
    do {
      self.hash = try store.write(level) { transaction in
        let lane = LaneTransaction(transaction, tables, lane: number, hash: hash)
        try body(lane)
        try lane.stamp(commit)
        Mark(.started, lane: number, commit: commit, hash: lane.hash).post()
        return lane.hash
      }
    } catch {
      if !CommitLevel.isOutcomeUnknown(error) { Mark(.failed, lane: number, commit: commit).post() }
      throw error
    }
    self.commit = commit
    Mark(.acknowledged, lane: number, commit: commit).post()
    if level == .durable { noteDurable(commit) }
  }

  /// A commit of this lane, and so each earlier one, survives a power cut.
  mutating func noteDurable(_ commit: Int) {
    durableCommit = commit
    Mark(.durable, lane: number, commit: commit).post()
  }
}
