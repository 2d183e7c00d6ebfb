import CLMDB
import Glibc

/// A reader of LMDB, used by one snapshot at a time and kept in between.
///
/// Unchecked `Sendable`: all but `transaction` is touched with the occupancy's lock held, and that only by the
/// thread whose snapshot has the place.
final class SnapshotPlace: @unchecked Sendable {
  var thread = pthread_t()
  var index = 0
  /// When the snapshot began, in nanoseconds of `MonotonicClock`.
  var begin: UInt64 = 0
  /// Whether somebody has been told that it has been open for too long.
  var isKnownAsOld = false
  /// LMDB's transaction: running, or reset and ready to be renewed. Nil before the first snapshot.
  private(set) var transaction: OpaquePointer?

  /// Begins a snapshot of the newest state; returns LMDB's code.
  func begin(in engine: OpaquePointer) -> Int32 {
    if let transaction { return mdb_txn_renew(transaction) }
    return mdb_txn_begin(engine, nil, UInt32(MDB_RDONLY), &transaction)
  }

  /// Ends the snapshot; the place in the table of readers stays taken.
  func reset() {
    if let transaction { mdb_txn_reset(transaction) }
  }

  /// Ends the snapshot so that LMDB keeps the tables that were opened in it; returns LMDB's code.
  func commit() -> Int32 {
    defer { transaction = nil }
    return mdb_txn_commit(transaction)
  }

  /// Gives the place in the table of readers back.
  func discard() {
    if let transaction { mdb_txn_abort(transaction) }
    transaction = nil
  }
}
