import FoundationEssentials
import Testing

@testable import Records

/// Every commit that changes something leaves one transaction, which says what the commit's change set said.
@Suite struct HistoryRecordingTests {
  private let history: HistoryStore

  init() throws {
    history = try HistoryStore(time: 100)
  }

  @Test func commitLeavesOneTransaction() throws {
    let committed = try history.insert("a", "b", author: "me")
    history.wait(.seconds(5))
    try history.insert("c")
    let transactions = try history.transactions()
    #expect(committed.token == HistoryToken(rawValue: 1))
    #expect(transactions.map(\.token.rawValue) == [1, 2])
    #expect(transactions.map(\.author) == ["me", nil])
    #expect(transactions.map(\.writer) == ["test", "test"])
    #expect(transactions.map(\.timestamp.timeIntervalSinceReferenceDate) == [100, 105])
    #expect(transactions[0].changes(history.store.catalog).entities == committed.entities)
    #expect(try history.isSound())
  }

  @Test func nothingIsLeftByACommitWithoutChangesOrAFailedOne() throws {
    struct Failure: Error {}
    #expect(try history.store.write { _ in }.changes.token == nil)
    #expect(throws: Failure.self) {
      try history.store.write { transaction in
        _ = try transaction.insertNote("a")
        throw Failure()
      }
    }
    _ = try history.store.write { transaction in
      _ = try transaction.delete(try transaction.insertNote("a"), of: transaction.entity("Note"))
    }
    #expect(try history.last() == 0)
    #expect(try history.transactions().isEmpty)
  }

  @Test func anEqualValueIsAnUpdateWithoutProperties() throws {
    let row = try history.store.write { try $0.insertNote("a") }.result
    try history.store.write { try $0.touch(row, of: $0.entity("Note")) }
    let note = try history.store.read { try $0.entity("Note") }
    let changes = try #require(history.transactions(after: 1).first).changes(history.store.catalog)
    #expect(changes.entities[note.id]?.updated == [row: PropertySet()])
  }

  @Test func manyRowsTakeFewBytes() throws {
    try history.store.write { transaction in
      for number in 0..<5000 { _ = try transaction.insertNote("\(number)") }
    }
    try history.store.write { transaction in
      for number in 1...5000 {
        _ = try transaction.edit("Note", RowNumber(rawValue: UInt64(number))) { builder, note in
          builder.setString(try #require(note.attribute(named: "text")).field, "new")
        }
      }
    }
    let table = try history.store.environment.table("history")
    try history.store.environment.read { snapshot in
      try snapshot.scan(table) { _, value in
        #expect(value.count < 40)
        return .continue
      }
    }
    let changes = try history.transactions().map { $0.changes(history.store.catalog) }
    let note = try history.store.read { try $0.entity("Note") }
    #expect(changes[0].entities[note.id]?.inserted.count == 5000)
    #expect(changes[1].entities[note.id]?.updated.count == 5000)
  }

  @Test func observerIsToldTheToken() throws {
    let seen = Seen()
    let observation = history.store.observeCommits { seen.add($0.token) }
    try history.insert("a")
    try history.insert("b")
    #expect(seen.tokens == [HistoryToken(rawValue: 1), HistoryToken(rawValue: 2)])
    _ = observation
  }

  /// Every random transaction reads from the history as its commit reported it.
  @Test(arguments: 1...4 as ClosedRange<UInt64>)
  func historyRepeatsWhatCommitsSaid(seed: UInt64) throws {
    let office = try Office()
    var model = ModelStore(.office)
    var generator = OperationGenerator(seed: seed)
    var reported: [ChangeSet] = []
    for step in 0..<200 {
      let plan = generator.plan(&model, operationsMax: step % 3 == 0 ? 1 : 8)
      let committed = try? office.store.write(author: step % 2 == 0 ? nil : "\(step)") { transaction in
        var runner = PlanRunner(transaction)
        try runner.run(plan)
      }
      if let changes = committed?.changes, !changes.isEmpty { reported.append(changes) }
    }
    try #require(reported.count > 50)
    let kept = try office.read { try $0.transactions() }.map { $0.changes(office.store.catalog) }
    #expect(kept.map(\.token) == reported.map(\.token))
    #expect(kept.map(\.author) == reported.map(\.author))
    #expect(kept.map(\.entities) == reported.map(\.entities))
    #expect(kept.map { $0.token?.rawValue } == (1...UInt64(kept.count)).map { $0 })
    #expect(try office.read { try $0.checkInvariants() } == [])
  }
}
