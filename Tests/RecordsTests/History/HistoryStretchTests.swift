import Testing

@testable import Records

/// Whoever needs everything reads on in stretches, and is told when something is missing.
@Suite struct HistoryStretchTests {
  private func stretch(_ history: HistoryStore, after token: UInt64) throws -> HistoryStretch {
    try history.store.read { try $0.historyStretch(after: HistoryToken(rawValue: token)) }
  }

  /// The tokens of all stretches behind a token, and the gaps between them as 0.
  private func tokens(_ history: HistoryStore, after token: UInt64) throws -> [UInt64] {
    var result: [UInt64] = []
    var end = token
    while true {
      let stretch = try stretch(history, after: end)
      result += stretch.changes.compactMap(\.token?.rawValue)
      if stretch.gap != nil { result.append(0) }
      end = stretch.end.rawValue
      if stretch.isLast { return result }
    }
  }

  @Test func stretchesHaveEverythingAndAnEnd() throws {
    let history = try HistoryStore()
    #expect(try tokens(history, after: 0) == [])
    try history.commit(600)
    let first = try stretch(history, after: 10)
    #expect(first.changes.count == HistoryStretch.transactionsMax && !first.isLast && first.gap == nil)
    #expect(first.end.rawValue == 10 + UInt64(HistoryStretch.transactionsMax))
    for token in [0, 1, 88, 89, 90, 343, 344, 345, 599, 600] as [UInt64] {
      #expect(try tokens(history, after: token) == Array(token + 1..<601))
    }
    #expect(throws: RecordError.unknownHistoryToken(token: 601, last: 600)) { try stretch(history, after: 601) }
  }

  @Test func aStretchEndsAfterManyRows() throws {
    let history = try HistoryStore()
    for count in [1, HistoryStretch.rowsMax / 2, HistoryStretch.rowsMax / 2, 1, 1] {
      try history.store.write { transaction in
        for number in 0..<count {
          _ = try transaction.insertNote("\(count) \(number) \(transaction.lastHistoryToken())")
        }
      }
    }
    #expect(try stretch(history, after: 0).changes.map(\.rowCount).count == 3)
    #expect(try tokens(history, after: 0) == [1, 2, 3, 4, 5])
  }

  @Test func deletedTransactionsAreAGap() throws {
    let history = try HistoryStore()
    for author in ["a", "b", "a", "b", "b", "a", "a", "b"] {
      try history.insert(author + "\(try history.last())", author: author)
    }
    try history.delete(expiring: false) { $0.author == "b" }
    // What precedes the gap is told first; what follows it is known to whoever looks at the rows then.
    #expect(try tokens(history, after: 0) == [1, 0])
    #expect(try tokens(history, after: 1) == [0])
    #expect(try tokens(history, after: 2) == [3, 0])
    #expect(try tokens(history, after: 5) == [6, 7, 0])
    #expect(try tokens(history, after: 7) == [0])
    #expect(try tokens(history, after: 8) == [])
    #expect(try stretch(history, after: 7).gap == .deleted)
    try history.commit(1)
    #expect(try tokens(history, after: 8) == [9])
  }

  @Test func expiredAndMissingHistoriesAreGaps() throws {
    let history = try HistoryStore()
    try history.commit(5)
    try history.delete(through: 3)
    #expect(try stretch(history, after: 2).gap == .expired)
    #expect(try tokens(history, after: 2) == [0])
    #expect(try tokens(history, after: 3) == [4, 5])
    let none = try HistoryStore(.off)
    try none.commit(5)
    #expect(try stretch(none, after: 0).gap == .notKept)
    #expect(try tokens(none, after: 0) == [0])
  }
}
