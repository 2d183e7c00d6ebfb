import CLMDB
import Glibc

/// Decides how a finished transaction becomes durable. Nothing else commits.
package protocol Committer: Sendable {
  /// Whether a committed transaction survives a power cut. If not, nothing else has to be synced either.
  var isDurable: Bool { get }
  /// Flags that the LMDB environment is opened with.
  var engineFlags: Int32 { get }
  /// Commits LMDB's transaction, which is gone afterwards in every case.
  func commit(_ transaction: OpaquePointer) -> CommitOutcome
}

/// How a commit ended.
package enum CommitOutcome: Sendable, Equatable {
  /// The transaction is durable and visible.
  case committed
  /// Nothing of the transaction is there, for the reason that LMDB's code gives.
  case refused(code: Int32)
  /// It can't be said what is on the medium. There must be no write before the store has been opened again.
  case unknown(code: Int32)
}

/// LMDB's own commit.
package struct EngineCommitter: Committer {
  package let isDurable: Bool

  package init(isDurable: Bool) {
    self.isDurable = isDurable
  }

  package var engineFlags: Int32 { isDurable ? 0 : MDB_NOSYNC }

  package func commit(_ transaction: OpaquePointer) -> CommitOutcome {
    let engine = mdb_txn_env(transaction)
    let code = mdb_txn_commit(transaction)
    switch code {
    case MDB_SUCCESS: return .committed
    case EIO where Engine.isDiskFull(engine): return .refused(code: ENOSPC)
    // After a failed sync nobody knows which of the pages have been written, and asking again does not tell.
    case EIO: return .unknown(code: code)
    default: return .refused(code: code)
    }
  }
}
