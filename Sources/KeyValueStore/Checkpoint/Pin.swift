import CLMDB

/// An LMDB reader that stays at one snapshot, so that none of its pages is used again. It is never read from.
///
/// Unchecked `Sendable`: LMDB lets a reader that does not belong to a thread be ended on any, and `release` is called once,
/// by its only owner.
final class Pin: @unchecked Sendable {
  private var transaction: OpaquePointer?
  /// LMDB's number of the transaction that made the snapshot.
  let snapshot: UInt64

  /// Pins the newest snapshot.
  init(_ engine: Engine) throws(StoreError) {
    try engine.check(mdb_txn_begin(engine.handle, nil, UInt32(MDB_RDONLY), &transaction), "Pinning a snapshot")
    snapshot = UInt64(mdb_txn_id(transaction))
    #if BROKEN_VARIANTS
    if BrokenVariant.active == .noPin { release() }
    #endif
  }

  deinit {
    release()
  }

  /// Gives the snapshot's pages free. Releasing again does nothing.
  func release() {
    if let transaction { mdb_txn_abort(transaction) }
    transaction = nil
  }
}
