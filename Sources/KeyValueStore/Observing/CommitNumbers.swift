import CLMDB

/// How far the commits have come that LMDB has published, by its numbers of transactions.
struct CommitNumbers: Equatable {
  /// What a snapshot shows that begins now.
  var visible: Int
  /// What the newest meta page is of. It is ahead for the moment in which LMDB publishes, or when the writer died in that.
  var newest: Int

  var isAllVisible: Bool { newest <= visible }
}

extension EnvironmentCore {
  /// Looks at what is published, without waiting for what is not.
  func commitNumbers() throws(StoreError) -> CommitNumbers {
    let (place, transaction) = try beginSnapshot(showingAll: false)
    defer { endSnapshot(place) }
    var info = MDB_envinfo()
    try engine.check(mdb_env_info(engine.handle, &info), "Reading the sizes")
    return CommitNumbers(visible: mdb_txn_id(transaction), newest: info.me_last_txnid)
  }
}

extension Snapshot {
  /// LMDB's number of the transaction that made the state; it grows with each that was published, whatever that changed.
  package final var number: Int { transaction.map { mdb_txn_id($0) } ?? 0 }
}
