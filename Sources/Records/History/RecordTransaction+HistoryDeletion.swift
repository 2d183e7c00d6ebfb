import KeyValueStore

extension RecordTransaction {
  /// Deletes transactions of the history, except those that a consumer has not seen yet.
  ///
  /// - Parameters:
  ///   - after: Only those behind this token.
  ///   - through: Only those up to this token.
  ///   - expiring: Whether tokens that lie before a deleted beginning of the history expire: so that somebody who would miss
  ///     something is told. Otherwise whoever reads the rest must not need what is deleted.
  ///   - isUnwanted: Which of them.
  /// - Returns: How many were deleted.
  /// - Throws: `RecordError.damagedTransaction`, and what the closure throws.
  @discardableResult
  package func deleteHistory(
    after: HistoryToken? = nil, through: HistoryToken? = nil, expiring: Bool,
    where isUnwanted: (HistoryTransaction) throws -> Bool = { _ in true }
  ) throws -> Int {
    var state = try historyState()
    if !state.isKept { return 0 }
    let last = try lastHistoryToken()
    var protection = try historyProtection()
    var isBeginning = after == nil
    var count = 0
    // Here a token from before the beginning is no mistake.
    try forEachTransaction(after: max(after ?? state.floor, state.floor), through: through) { transaction in
      guard try isUnwanted(transaction), !protection.covers(transaction) else {
        isBeginning = false
        return .continue
      }
      try removeHistoryEntry(transaction.token, last: last)
      if isBeginning {
        state.floor = transaction.token
        protection.noteRemoval(of: transaction.token, transaction)
      }
      count += 1
      return .continue
    }
    if expiring, count > 0 {
      try write(state)
      try write(protection)
    }
    return count
  }
}
