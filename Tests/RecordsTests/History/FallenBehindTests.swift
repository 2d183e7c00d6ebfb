import Synchronization
import Testing

@testable import Records

/// A consumer for whom too much would have to be kept is told of, and nobody else is.
@Suite struct FallenBehindTests {
  private static let policy = HistoryPolicy(transactionsMax: 10, consumerTransactionsMax: 100)

  private func consumer(_ name: String, of history: HistoryStore) throws -> UInt64 {
    try #require(try history.store.read { try $0.historyConsumer(named: name) }).token.rawValue
  }

  @Test func eventNamesWhoHasFallenBehindOnce() throws {
    let history = try HistoryStore(Self.policy)
    let events = Mutex<[HistoryEvent]>([])
    let observation = history.store.observeHistory { event in events.withLock { $0.append(event) } }
    try history.commit(20)
    try history.advance("late", to: 10)
    try history.advance("later", to: 5)
    try history.advance("other", to: 5, ignoring: "server")
    try history.commit(89)
    #expect(events.withLock { $0 }.isEmpty)
    // 128 transactions, of which 100 may stay: up to the 28th they go.
    try history.commit(19)
    #expect(
      events.withLock { $0 } == ["later", "other", "late"].map(HistoryEvent.consumerFellBehind))
    #expect(try history.oldest() == 28)
    try history.commit(64)
    #expect(events.withLock { $0 }.count == 3)
    // Who has caught up may fall behind again.
    try history.advance("later", to: history.last())
    try history.commit(64)
    #expect(events.withLock { $0 }.count == 3)
    try history.commit(64)
    #expect(events.withLock { $0 }.last == .consumerFellBehind(name: "later"))
    #expect(events.withLock { $0 }.count == 4)
    withExtendedLifetime(observation) {}
    #expect(try history.isSound())
  }

  @Test func endedObservationHearsNothing() throws {
    let history = try HistoryStore(Self.policy)
    let events = Mutex<[HistoryEvent]>([])
    var observation: StoreObservation? = history.store.observeHistory { event in events.withLock { $0.append(event) } }
    try history.advance("late", to: 0)
    try history.commit(100)
    withExtendedLifetime(observation) {}
    observation = nil
    try history.commit(100)
    #expect(events.withLock { $0 }.isEmpty)
  }

  /// Nothing that it needed is gone, so its token goes along and does not expire.
  @Test func tokenPassesWhatItsConsumerIgnores() throws {
    let history = try HistoryStore(Self.policy)
    let events = Mutex<[HistoryEvent]>([])
    let observation = history.store.observeHistory { event in events.withLock { $0.append(event) } }
    try history.advance("push", to: 0, ignoring: "server")
    try history.commit(256, author: "server")
    #expect(try history.oldest() == 246)
    #expect(try consumer("push", of: history) == 246)
    try history.insert("mine")
    try history.commit(63, author: "server")
    // What it needs stays, and everything behind.
    #expect(try history.tokens(after: consumer("push", of: history)).first == 257)
    #expect(try consumer("push", of: history) == 256)
    #expect(events.withLock { $0 }.isEmpty)
    withExtendedLifetime(observation) {}
    #expect(try history.isSound())
  }

  @Test func tokenPassesWhatIsDeletedAtTheBeginning() throws {
    let history = try HistoryStore()
    try history.advance("push", to: 0, ignoring: "server")
    try history.commit(5, author: "server")
    try history.insert("mine")
    try history.commit(5, author: "server")
    #expect(try history.delete() == 10)
    #expect(try history.oldest() == 5)
    #expect(try consumer("push", of: history) == 5)
    #expect(try history.tokens(after: 5) == [6])
    #expect(try history.isSound())
  }
}
