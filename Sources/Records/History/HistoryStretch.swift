/// Why a stretch of the history does not have everything.
package enum HistoryGap: Sendable, Hashable {
  /// The oldest transactions are not kept any more.
  case expired
  /// Transactions were deleted by name.
  case deleted
  /// The store keeps no history.
  case notKept
}

/// What was committed after a token, or the beginning of it.
package struct HistoryStretch: Sendable {
  /// At most so many transactions are read at a time,
  static let transactionsMax = 256
  /// and no more once they have so many rows, so that a reader that is far behind needs little memory.
  static let rowsMax = 1 << 16

  /// Change sets whose tokens follow one another without a gap, the first one next to the token that was given.
  package var changes: [ChangeSet] = []
  /// Why the next one cannot be told: it is not there, or some behind it are not. Only if there are no changes.
  package var gap: HistoryGap?
  /// The token up to which everything is told, or skipped by the gap.
  package var end: HistoryToken
  /// Whether there was nothing behind the end.
  package var isLast = true
}

extension RecordSnapshot {
  /// Reads on in the history, for somebody who needs everything.
  ///
  /// Where something is missing, the stretch ends before it; and the one that begins there says why, and ends with the last
  /// transaction: whoever has missed one has to look at the rows anyway.
  ///
  /// - Throws: `RecordError.unknownHistoryToken`, `.damagedTransaction`.
  package func historyStretch(after token: HistoryToken) throws -> HistoryStretch {
    var stretch = HistoryStretch(end: token)
    let last = try lastHistoryToken()
    do {
      var rowCount = 0
      try forEachTransaction(after: token) { transaction in
        guard transaction.token == stretch.end.next, stretch.changes.count < HistoryStretch.transactionsMax,
          rowCount < HistoryStretch.rowsMax
        else {
          stretch.isLast = false
          return .stop
        }
        let changes = transaction.changes(catalog)
        rowCount += changes.rowCount
        stretch.changes.append(changes)
        stretch.end = transaction.token
        return .continue
      }
    } catch RecordError.historyNotKept {
      return HistoryStretch(gap: .notKept, end: last)
    } catch RecordError.historyExpired {
      return HistoryStretch(gap: .expired, end: last)
    }
    // The last one may be there without content, because it was deleted.
    if stretch.end < last {
      if stretch.changes.isEmpty { return HistoryStretch(gap: .deleted, end: last) }
      stretch.isLast = false
    }
    return stretch
  }

  /// Whether the history is kept.
  package func isHistoryKept() throws -> Bool { try historyState().isKept }
}

extension ChangeSet {
  /// How many rows it names.
  package var rowCount: Int {
    entities.values.reduce(0) { $0 + $1.inserted.count + $1.updated.count + $1.deleted.count }
  }
}
