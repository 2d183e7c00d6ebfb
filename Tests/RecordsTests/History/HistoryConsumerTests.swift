import FoundationEssentials
import Testing

@testable import Records

/// What a named consumer has not seen yet is kept for it.
@Suite struct HistoryConsumerTests {
  private let history: HistoryStore

  init() throws {
    history = try HistoryStore()
    try history.commit(4)
  }

  private func consumers() throws -> [HistoryConsumer] {
    try history.store.read { try $0.historyConsumers() }
  }

  @Test func consumersAreRememberedByName() throws {
    try history.advance("push", to: 2, ignoring: "server")
    try history.advance("a", to: 0)
    try history.advance("", to: 4)
    let date = Date(timeIntervalSinceReferenceDate: 7)
    #expect(
      try consumers() == [
        HistoryConsumer(name: "", token: HistoryToken(rawValue: 4), timestamp: date, ignoredAuthor: nil),
        HistoryConsumer(name: "a", token: .start, timestamp: date, ignoredAuthor: nil),
        HistoryConsumer(name: "push", token: HistoryToken(rawValue: 2), timestamp: date, ignoredAuthor: "server"),
      ])
    #expect(try history.store.read { try $0.historyConsumer(named: "a")?.token } == .start)
    #expect(try history.store.read { try $0.historyConsumer(named: "b") } == nil)
    #expect(try history.isSound())
  }

  @Test func consumerDoesNotMoveBack() throws {
    try history.advance("push", to: 3)
    try history.advance("push", to: 1)
    #expect(try consumers().map(\.token.rawValue) == [3])
  }

  @Test func consumerCannotBeAheadOfTheHistory() throws {
    #expect(throws: RecordError.unknownHistoryToken(token: 5, last: 4)) { try history.advance("push", to: 5) }
    #expect(try consumers().isEmpty)
  }

  @Test func whatAConsumerHasNotSeenIsNotDeleted() throws {
    try history.advance("push", to: 3)
    try history.advance("widget", to: 1)
    #expect(try history.delete() == 1)
    #expect(try history.tokens() == [2, 3, 4])
    let isRemoved = try history.store.write { try $0.removeHistoryConsumer("widget") }.result
    #expect(isRemoved)
    #expect(try history.delete() == 2)
    #expect(try history.tokens() == [4])
    #expect(try !history.store.write { try $0.removeHistoryConsumer("widget") }.result)
    #expect(try history.isSound())
  }

  @Test func whatAConsumerIgnoresIsNotKeptForIt() throws {
    try history.advance("push", to: 4, ignoring: "server")
    try history.insert("a", author: "server")
    try history.insert("b", author: "widget")
    try history.insert("c", author: "server")
    #expect(try history.delete(after: 4) == 2)
    #expect(try history.tokens(after: 4) == [6])
  }

  @Test func consumerMovesWithTheTransactionThatDoesItsWork() throws {
    struct Failure: Error {}
    let token = HistoryToken(rawValue: 2)
    #expect(throws: Failure.self) {
      try history.store.write { transaction in
        _ = try transaction.insertNote("x")
        try transaction.advanceHistoryConsumer("push", to: token)
        throw Failure()
      }
    }
    #expect(try consumers().isEmpty)
    try history.store.write { transaction in
      _ = try transaction.insertNote("x")
      try transaction.advanceHistoryConsumer("push", to: token)
    }
    #expect(try consumers().map(\.token.rawValue) == [2])
  }
}
