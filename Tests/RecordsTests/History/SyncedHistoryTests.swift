import TestSupport
import Testing

@testable import Records

/// Transactions of syncs go earlier than others, when those who follow the history have had time for them.
@Suite("13.7 Transactions of syncs in the history") struct SyncedHistoryTests {
  private static let inbound = InboundAuthor.name

  /// Makes commits up to the next step of trimming.
  private func fill(_ history: HistoryStore) throws {
    repeat { try history.commit(1) } while try history.last() % HistoryTrimming.stepTransactions != 0
  }

  @Test func oldOnesGoFromBetweenOthers() throws {
    let history = try HistoryStore()
    try history.insert("1", author: Self.inbound)
    try history.insert("2")
    try history.insert("3", author: "widget")
    try history.insert("4", author: Self.inbound)
    history.wait(.seconds(86_400))
    try history.insert("5", author: Self.inbound)
    try fill(history)
    #expect(try history.tokens(through: 6) == [2, 3, 5, 6])
    // Tokens stay good, and readers who need everything are told that they haven't got it.
    #expect(try history.tokens(after: 1, through: 3) == [2, 3])
    let stretch = try history.store.read { try $0.historyStretch(after: HistoryToken(rawValue: 3)) }
    #expect(stretch.gap == .deleted)
    #expect(try history.oldest() == 0)
    #expect(try history.isSound())
    history.wait(.seconds(86_400))
    try fill(history)
    #expect(try history.tokens(through: 6) == [2, 3, 6])
  }

  @Test func whatAConsumerNeedsStays() throws {
    let history = try HistoryStore()
    try history.advance("audit", to: 0)
    try history.insert("1", author: Self.inbound)
    history.wait(.seconds(86_400))
    try fill(history)
    #expect(try history.tokens(through: 1) == [1])
    try history.advance("audit", to: 1)
    try history.advance("push", to: 0, ignoring: Self.inbound)
    try fill(history)
    #expect(try history.tokens(through: 1).isEmpty)
  }

  @Test func withoutAnyAgeEachSyncLeavesNone() throws {
    let history = try HistoryStore(HistoryPolicy(syncedAgeMax: .zero))
    try history.insert("1")
    try history.insert("2", author: Self.inbound)
    #expect(try history.tokens() == [1])
    try history.insert("3", author: "widget")
    try history.insert("4", author: Self.inbound)
    #expect(try history.tokens() == [1, 3])
    #expect(try history.last() == 4)
    try history.insert("5")
    #expect(try history.tokens() == [1, 3, 5])
    #expect(try history.isSound())
  }

  @Test("Each step looks at a bounded number of transactions and goes on where the last one ended")
  func stepsAreBounded() throws {
    let history = try HistoryStore()
    for _ in 0..<500 { try history.commit(1, author: Self.inbound) }
    history.wait(.seconds(86_400))
    var kept = try history.tokens().count
    while kept > 100 {
      try fill(history)
      let now = try history.transactions().count { $0.author == Self.inbound }
      #expect(kept - now <= 2 * Int(HistoryTrimming.stepTransactions) && now < kept)
      kept = now
    }
    #expect(try history.isSound())
  }
}
