import KeyValueStore
import Synchronization
import TestSupport
import Testing

@testable import Records

/// An entry that is not what was written is found, by readers and by the check of the whole store.
@Suite struct HistoryDamageTests {
  private let history: HistoryStore

  init() throws {
    history = try HistoryStore()
    try history.commit(3)
    try history.advance("push", to: 1)
  }

  private func tamper(
    _ table: String = "history", _ body: @Sendable (WriteTransaction, Table) throws -> Void
  ) throws {
    let table = try history.store.environment.table(table)
    try history.store.environment.write { try body($0, table) }
  }

  private static func key(_ token: UInt64) -> [UInt8] { token.withBytes { [UInt8]($0) } }

  private func violations() throws -> [InvariantViolation] {
    try history.store.read { try $0.checkInvariants() }
  }

  private func flipBit(in table: String = "history", key: [UInt8]) throws {
    try tamper(table) { transaction, table in
      var bytes = try #require(try transaction.value(for: key, in: table))
      bytes[bytes.count / 2] ^= 16
      try transaction.put(bytes, for: key, in: table)
    }
  }

  @Test func flippedBit() throws {
    try flipBit(key: Self.key(2))
    #expect(throws: RecordError.damagedTransaction(token: 2)) { try history.tokens() }
    #expect(try history.tokens(after: 2) == [3])
    #expect(try violations() == [.damagedTransaction(token: 2)])
    #expect(throws: RecordError.damagedTransaction(token: 2)) { try history.delete() }
  }

  @Test func followersAreToldOnceOfEachState() throws {
    let told = Mutex<[Int?]>([])
    let follower = try ChangeFollower(history.store) { news in
      if case .unknown(let number) = news { told.withLock { $0.append(number) } }
    }
    func look() throws -> Int {
      try history.store.read { snapshot in
        for _ in 0..<3 { follower.catchUp(through: snapshot) }
        return snapshot.number
      }
    }
    try tamper { try $0.put([1, 2, 3], for: Self.key(4), in: $1) }
    let first = try look()
    #expect(told.withLock(\.self) == [first])
    try tamper { try $0.put([1, 2, 3, 4], for: Self.key(4), in: $1) }
    let second = try look()
    #expect(told.withLock(\.self) == [first, second])
    try tamper { _ = try $0.delete(Self.key(4), in: $1) }
    _ = try look()
    #expect(told.withLock(\.self) == [first, second])
  }

  @Test func entryUnderAnotherToken() throws {
    try tamper { transaction, table in
      let value = try #require(try transaction.value(for: Self.key(1), in: table))
      try transaction.put(value, for: Self.key(2), in: table)
    }
    #expect(try violations() == [.damagedTransaction(token: 2)])
  }

  @Test(arguments: [[1], [UInt8](repeating: 0, count: 8), [UInt8](repeating: 255, count: 8)])
  func keyThatIsNoToken(key: [UInt8]) throws {
    try tamper { try $0.put([], for: key, in: $1) }
    #expect(try violations().contains(.damagedEntry(table: "history")))
    // One before the first token is not even met.
    if key.allSatisfy({ $0 == 0 }) { return }
    #expect(throws: RecordError.damagedEntry(table: "history")) { try history.tokens() }
  }

  @Test func damagedStateAndConsumers() throws {
    try history.delete(through: 1)
    try flipBit(in: "meta", key: MetaKey.history)
    #expect(throws: RecordError.damagedEntry(table: "meta")) { try history.tokens(after: 1) }
    #expect(try violations() == [.damagedEntry(table: "meta")])
    try flipBit(in: "meta", key: MetaKey.history)
    #expect(try violations() == [])
    try flipBit(in: "meta", key: MetaKey.consumer("push"))
    #expect(throws: RecordError.damagedEntry(table: "meta")) { try history.store.read { try $0.historyConsumers() } }
    #expect(try violations() == [.damagedEntry(table: "meta")])
  }

  @Test func whatCannotBeIsAViolation() throws {
    try tamper("meta") { transaction, meta in
      var state = HistoryState()
      state.floor = HistoryToken(rawValue: 2)
      try transaction.put(SealedValue.seal(state.bytes, under: MetaKey.history), for: MetaKey.history, in: meta)
    }
    #expect(try violations() == [.wrongTransaction(token: 1), .wrongTransaction(token: 2)])
    try tamper { transaction, table in
      for token in 1...3 as ClosedRange<UInt64> { try transaction.delete(Self.key(token), in: table) }
    }
    let found = try violations()
    #expect(found.prefix(2) == [.wrongTransaction(token: 2), .consumerBeyondHistory(name: "push")])
    #expect(found.dropFirst(2).allSatisfy { if case .wrongPushEntry("Note", _) = $0 { true } else { false } })
  }

  @Test func rowThatWasNotHandedOut() throws {
    try tamper { transaction, table in
      var writer = CompactWriter()
      let note = try #require(history.store.catalog.entity(named: "Note"))
      var changes = ChangeSet.EntityChanges()
      changes.inserted = [RowNumber(rawValue: 77)]
      HistoryTransaction(
        token: HistoryToken(rawValue: 4), timestamp: .distantPast, author: nil, writer: "",
        sections: [HistorySection(changes, of: note)]
      ).write(to: &writer)
      try transaction.put(SealedValue.seal(writer.bytes, under: Self.key(4)), for: Self.key(4), in: table)
    }
    #expect(try violations() == [.wrongTransaction(token: 4)])
  }

  /// Whatever the bytes are, reading them ends, and with a transaction or an error.
  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func anyBytesAreReadOrRefused(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var changes = ChangeSet.EntityChanges()
    changes.inserted = (1...9).map(RowNumber.init)
    changes.updated = [RowNumber(rawValue: 20): PropertySet([0, 2]), RowNumber(rawValue: 22): PropertySet([1])]
    changes.deleted = [RowNumber(rawValue: 30)]
    changes.tombstones = Tombstones(properties: [0], values: [.string("abc")])
    let note = try #require(history.store.catalog.entity(named: "Note"))
    let transaction = HistoryTransaction(
      token: HistoryToken(rawValue: 1), timestamp: .distantPast, author: "me", writer: "w",
      sections: [HistorySection(changes, of: note)])
    var writer = CompactWriter()
    transaction.write(to: &writer)
    var refused = 0
    for _ in 0..<500 {
      var bytes = writer.bytes
      for _ in 0...random.below(3) { bytes[random.below(bytes.count)] = UInt8(truncatingIfNeeded: random.next()) }
      if random.below(4) == 0 { bytes.removeLast(random.below(bytes.count)) }
      bytes.withUnsafeBytes { bytes in
        var reader = CompactReader(bytes)
        do {
          _ = try HistoryTransaction(token: transaction.token, from: &reader)
        } catch {
          refused += 1
        }
      }
    }
    #expect(refused > 100)
  }
}
