import Testing

@testable import Records

/// History stays within the limits of its policy, and consumers get more, but not without end.
@Suite struct HistoryTrimmingTests {
  @Test func onlySoManyTransactionsAreKept() throws {
    let history = try HistoryStore(HistoryPolicy(transactionsMax: 100))
    for _ in 0..<8 {
      try history.commit(64)
      let tokens = try history.tokens()
      #expect(tokens.count <= 100)
      #expect(try tokens == Array(history.oldest() + 1...history.last()))
    }
    #expect(try history.isSound())
  }

  @Test func oldTransactionsGo() throws {
    let history = try HistoryStore(HistoryPolicy(ageMax: .seconds(100)))
    try history.commit(40)
    history.wait(.seconds(60))
    try history.commit(23)
    history.wait(.seconds(60))
    #expect(try history.tokens().count == 63)
    try history.commit(1)
    #expect(try history.tokens() == Array(41...64))
    // A store that nobody writes to keeps its history, and the newest transaction always stays.
    history.wait(.seconds(1000))
    #expect(try history.tokens() == Array(41...64))
    try history.commit(64)
    #expect(try history.tokens() == Array(65...128))
    #expect(try history.isSound())
  }

  @Test func historyTakesOnlySoManyBytes() throws {
    let history = try HistoryStore(HistoryPolicy(bytesMax: 1 << 20))
    let id = String(repeating: "x", count: 50_000)
    for number in 0..<60 {
      let row = try history.store.write { try $0.insertNote("\(number)\(id)") }.result
      try history.store.write { _ = try $0.delete(row, of: $0.entity("Note")) }
      let table = try history.store.environment.table("history")
      let size = try history.store.environment.read { try $0.statistics(of: table) }
      #expect((size.leafPages + size.branchPages + size.overflowPages) * 4096 <= 1 << 20 + 60_000)
    }
    #expect(try history.tokens().count > 20)
    #expect(try history.oldest() > 40)
    #expect(try history.isSound())
  }

  /// Small transactions make room for large ones, however many are needed for one.
  @Test func trimmingCatchesUpWithLargeTransactions() throws {
    let history = try HistoryStore(HistoryPolicy(bytesMax: 256 << 10))
    try history.commit(3000)
    let id = String(repeating: "x", count: 100_000)
    for _ in 0..<5 {
      let row = try history.store.write { try $0.insertNote(id) }.result
      try history.store.write { _ = try $0.delete(row, of: $0.entity("Note")) }
    }
    let table = try history.store.environment.table("history")
    let size = try history.store.environment.read { try $0.statistics(of: table) }
    #expect((size.leafPages + size.branchPages + size.overflowPages) * 4096 <= 256 << 10 + 110_000)
  }

  @Test func whatAConsumerHasNotSeenStaysUpToALimit() throws {
    let history = try HistoryStore(HistoryPolicy(transactionsMax: 10, consumerTransactionsMax: 300))
    try history.commit(5)
    try history.advance("push", to: 5)
    try history.commit(251)
    #expect(try history.tokens() == Array(6...256))
    #expect(try history.tokens(after: 5).count == 251)
    try history.commit(64)
    // The limit is reached: the oldest go, and the consumer has fallen behind.
    #expect(try history.tokens().count == 300)
    #expect(throws: RecordError.historyExpired(token: 5, oldest: 20)) { try history.tokens(after: 5) }
    // With the consumer at the end only the standard is kept.
    try history.advance("push", to: history.last())
    try history.commit(64)
    try history.commit(64)
    try history.commit(64)
    #expect(try history.tokens().count <= 10 + 192)
    try history.advance("push", to: history.last())
    try history.commit(64)
    try history.commit(64)
    #expect(try history.isSound())
  }

  @Test func aConsumerKeepsNothingThatItIgnores() throws {
    let history = try HistoryStore(HistoryPolicy(transactionsMax: 10))
    try history.advance("push", to: 0, ignoring: "server")
    try history.commit(128, author: "server")
    #expect(try history.tokens().count == 10)
    try history.commit(64)
    try history.commit(64)
    #expect(try history.tokens() == Array(129...256))
  }

  @Test func aStepRemovesOnlySomeOfTooMany() throws {
    let history = try HistoryStore(HistoryPolicy(transactionsMax: 1000))
    try history.commit(5)
    try history.advance("push", to: 0)
    try history.commit(1275)
    #expect(try history.tokens().count == 1280)
    try history.advance("push", to: 1280)
    try history.commit(64)
    #expect(try history.tokens().count == 1344 - 128)
    try history.commit(64)
    #expect(try history.tokens().count == 1280 - 128)
  }
}
