import CLMDB

/// An LMDB reader that stays at one snapshot, so that none of its pages is used again. It is never read from.
///
/// Unchecked `Sendable`: LMDB lets a reader that does not belong to a thread be used on any, one at a time, and a pin has only
/// one owner.
final class Pin: @unchecked Sendable {
  private let engine: Engine
  private var transaction: OpaquePointer?
  /// LMDB's number of the transaction that made the snapshot.
  private(set) var snapshot: UInt64

  /// Pins the newest snapshot.
  init(_ engine: Engine) throws(StoreError) {
    self.engine = engine
    try engine.check(mdb_txn_begin(engine.handle, nil, UInt32(MDB_RDONLY), &transaction), "Pinning a snapshot")
    snapshot = UInt64(mdb_txn_id(transaction))
    #if BROKEN_VARIANTS
    if BrokenVariant.active == .noPin { rest() }
    #endif
  }

  deinit {
    release()
  }

  /// Gives the snapshot's pages free and keeps the place in the table of readers, which may be full the next time.
  func rest() {
    if let transaction { mdb_txn_reset(transaction) }
  }

  /// Pins the newest snapshot after a rest.
  func renew() throws(StoreError) {
    try engine.check(mdb_txn_renew(transaction), "Pinning a snapshot")
    snapshot = UInt64(mdb_txn_id(transaction))
    #if BROKEN_VARIANTS
    if BrokenVariant.active == .noPin { rest() }
    #endif
  }

  /// Gives the snapshot's pages free, and the place. Releasing again does nothing.
  func release() {
    if let transaction { mdb_txn_abort(transaction) }
    transaction = nil
  }
}
