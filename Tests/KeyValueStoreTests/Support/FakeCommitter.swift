import CLMDB

@testable import KeyValueStore

/// Commits as LMDB does, except for commits that a test wants to fail.
final class FakeCommitter: Committer {
  private let real = EngineCommitter(isDurable: false)
  private let outcomes = Monitor<[CommitOutcome]>([])

  var isDurable: Bool { real.isDurable }
  var engineFlags: Int32 { real.engineFlags }

  /// Lets the next commits end so, without committing anything.
  func fail(_ outcomes: CommitOutcome...) {
    self.outcomes.withLock { $0 += outcomes }
  }

  func commit(_ transaction: OpaquePointer) -> CommitOutcome {
    let outcome = outcomes.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    guard let outcome else { return real.commit(transaction) }
    mdb_txn_abort(transaction)
    return outcome
  }
}
