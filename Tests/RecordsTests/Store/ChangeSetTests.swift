import Synchronization
import Testing

@testable import Records

/// A commit says what it did, and tells whoever observes.
@Suite struct ChangeSetTests {
  private let office: Office

  init() throws {
    office = try Office()
  }

  private func changes(_ body: @Sendable (RecordTransaction) throws -> Void) throws -> ChangeSet {
    try office.store.write(body).changes
  }

  private func id(_ entity: String) throws -> EntityID {
    try office.read { try $0.entity(entity).id }
  }

  @Test func bothEndsOfALinkAreUpdated() throws {
    let rows = try office.write { [try $0.insertPerson("a"), try $0.insertPerson("b"), try $0.insertPerson("c")] }
    let person = try office.read { try $0.entity("Person") }
    let moved = try changes { transaction in
      _ = try transaction.setMembers(of: transaction.relationship("Person", "reports"), owner: rows[0], to: [rows[2]])
    }
    #expect(
      try #require(moved.entities[person.id]).updated.mapValues { person.names(of: $0) }
        == [rows[0]: ["reports"], rows[2]: ["manager"]])
    let taken = try changes { transaction in
      _ = try transaction.setMembers(of: transaction.relationship("Person", "reports"), owner: rows[1], to: [rows[2]])
    }
    #expect(
      try #require(taken.entities[person.id]).updated.mapValues { person.names(of: $0) }
        == [rows[0]: ["reports"], rows[1]: ["reports"], rows[2]: ["manager"]])
  }

  @Test func rowMadeAndDeletedInOneTransactionIsNothing() throws {
    let changes = try changes { transaction in
      let row = try transaction.insertPerson("a")
      _ = try transaction.delete(row, of: transaction.entity("Person"))
    }
    #expect(changes.isEmpty)
  }

  @Test func deletedRowIsNotUpdated() throws {
    let row = try office.write { try $0.insertPerson("a") }
    let changes = try changes { transaction in
      _ = try transaction.edit("Person", row) { builder, _ in builder.setString(0, "b") }
      _ = try transaction.delete(row, of: transaction.entity("Person"))
    }
    let person = try #require(changes.entities[try id("Person")])
    #expect(person.deleted == [row] && person.updated.isEmpty && person.inserted.isEmpty)
  }

  @Test func touchedRowIsUpdatedWithoutAProperty() throws {
    let row = try office.write { try $0.insertPerson("a") }
    let changes = try changes { try $0.touch(row, of: $0.entity("Person")) }
    #expect(try #require(changes.entities[try id("Person")]).updated == [row: PropertySet()])
    #expect(throws: RecordError.noSuchRow(entity: "Person", row: RowNumber(rawValue: 9))) {
      try office.write { try $0.touch(RowNumber(rawValue: 9), of: $0.entity("Person")) }
    }
  }

  @Test func changesOfARunningTransactionAreVisibleInIt() throws {
    try office.write { transaction in
      #expect(transaction.changes.isEmpty)
      let row = try transaction.insertPerson("a")
      #expect(transaction.changes.entities[try transaction.entity("Person").id]?.inserted == [row])
    }
  }

  @Test func observersSeeCommitsInOrderUntilTheyEnd() throws {
    let seen = Mutex<[String]>([])
    let store = office.store
    let observation = store.observeCommits { changes in seen.withLock { $0.append(changes.author ?? "-") } }
    for author in ["a", "b"] { _ = try store.write(author: author) { _ = try $0.insertPerson(author) } }
    // Told before the call that wrote returned.
    #expect(seen.withLock { $0 } == ["a", "b"])
    _ = try store.write(author: "nothing") { _ in }
    _ = try? store.write(author: "failed") { _ = try $0.insertPerson("a") }
    #expect(seen.withLock { $0 } == ["a", "b"])
    withExtendedLifetime(observation) {}
  }

  @Test func observerThatIsGoneIsNotCalled() throws {
    let calls = Mutex(0)
    do {
      let observation = office.store.observeCommits { _ in calls.withLock { $0 += 1 } }
      withExtendedLifetime(observation) {}
    }
    _ = try office.write { try $0.insertPerson("a") }
    #expect(calls.withLock { $0 } == 0)
  }

  @Test func concurrentWritersAreObservedInTheOrderOfTheirRows() async throws {
    let store = office.store
    let seen = Mutex<[UInt64]>([])
    let person = try id("Person")
    let observation = store.observeCommits { changes in
      seen.withLock { $0 += changes.entities[person]?.inserted.map(\.rawValue) ?? [] }
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<40 {
        group.addTask { _ = try await store.write { _ = try $0.insertPerson("p\(number)") } }
      }
      try await group.waitForAll()
    }
    #expect(seen.withLock { $0 } == Array(1...40))
    withExtendedLifetime(observation) {}
  }
}
