import KeyValueStore

extension RecordSnapshot {
  /// The token of the last transaction; `.start` when there was none yet. Takes the same time however many there were.
  ///
  /// Whoever reads the rows of this snapshot and then the history behind this token misses nothing and sees nothing twice.
  package func lastHistoryToken() throws -> HistoryToken {
    let table = tables.history
    return try snapshot.withCursor(in: table) { cursor in
      try cursor.last() ? HistoryEntry.token(cursor.key, in: table) : .start
    }
  }

  /// The oldest token whose successors are known: what happened up to it is not kept any more.
  package func oldestHistoryToken() throws -> HistoryToken {
    try historyState().floor
  }

  /// Runs a closure on the transactions of the history, in the order of their tokens.
  ///
  /// Tokens are dense: where the tokens of two successive transactions are not, those between them were deleted one by one.
  ///
  /// - Parameters:
  ///   - after: The last token that is known already; nil begins with the oldest transaction that is kept.
  ///   - through: The last token of interest; nil goes to the end.
  ///   - body: Must not write in the transaction that it reads from.
  /// - Throws: For a token that is given, `RecordError.historyExpired` when transactions behind it are not kept any more,
  ///   `.unknownHistoryToken` when the store has not come to it, `.historyNotKept`. `.damagedTransaction`, and what the
  ///   closure throws.
  package func forEachTransaction(
    after: HistoryToken? = nil, through: HistoryToken? = nil, _ body: (HistoryTransaction) throws -> ScanStep
  ) throws {
    if let after { try check(after) }
    let table = tables.history
    let first = (after ?? .start).next.rawValue.withBytes { [UInt8]($0) }
    let last = through.map { $0.rawValue.withBytes { [UInt8]($0) } }
    try snapshot.scan(table, in: last.map { .from(first, through: $0) } ?? .from(first)) { key, value in
      guard let transaction = try HistoryEntry.read(key, value, in: table) else { return .continue }
      return try body(transaction)
    }
  }

  private func check(_ token: HistoryToken) throws {
    let state = try historyState()
    if !state.isKept { throw RecordError.historyNotKept }
    if token < state.floor {
      throw RecordError.historyExpired(token: token.rawValue, oldest: state.floor.rawValue)
    }
    let last = try lastHistoryToken()
    if token > last { throw RecordError.unknownHistoryToken(token: token.rawValue, last: last.rawValue) }
  }
}
