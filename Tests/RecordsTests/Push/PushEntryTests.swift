import FoundationEssentials
import TestSupport
import Testing

@testable import Records

/// What the store keeps of local changes until a server has answered for them.
@Suite struct PushEntryTests {
  private let push: PushStore

  /// Two rows that a server knows, one of them with a text.
  init() throws {
    push = try PushStore()
    try push.write(by: PushStore.inbound) { transaction in
      _ = try transaction.insertNote("a", text: "first")
      _ = try transaction.insertNote("b")
    }
    try #require(try push.entries().isEmpty)
  }

  @Test func inboundChangesAreNotKept() throws {
    try push.setText("a", "other", by: PushStore.inbound)
    try push.delete("b", by: PushStore.inbound)
    #expect(try push.store.read { try !$0.hasPushEntries() })
  }

  @Test func everyOtherAuthorIsLocal() throws {
    try push.setText("a", "other", by: "widget")
    try push.setText("b", "other")
    #expect(try push.summary() == ["a 2-2 text", "b 3-3 text"])
  }

  @Test func rowsBecomeDirtyInTheOrderOfTheHistory() throws {
    try push.write { transaction in
      try transaction.setText(of: "b", to: "x")
      _ = try transaction.delete(transaction.note("a"), of: transaction.entity("Note"))
      _ = try transaction.insertNote("c")
    }
    try push.insert("d")
    #expect(try push.summary() == ["new c 2-2 ", "b 2-2 text", "deleted a 2-2 ", "new d 3-3 "])
  }

  @Test func baseIsWhatWasThereBeforeTheFirstEdit() throws {
    try push.setText("a", "second")
    try push.setText("a", "third")
    #expect(try push.summary() == ["a 2-3 text"])
    #expect(try push.base(of: 1) == [.string("a"), .string("first"), .null])
    try push.delete("a")
    #expect(try push.summary() == ["deleted a 2-4 text"])
    #expect(try push.base(of: 1) == [.string("a"), .string("first"), .null])
  }

  @Test func baseOfSeveralChangesInOneTransactionIsFromBeforeTheFirst() throws {
    try push.write { transaction in
      let (list, row) = (
        try transaction.insert("List") { builder, list in
          builder.setString(try #require(list.attribute(named: "id")).field, "l")
        }, try transaction.note("a")
      )
      _ = try transaction.setMembers(of: transaction.relationship("List", "notes"), owner: list, to: [row])
      try transaction.setText(of: "a", to: "second")
      _ = try transaction.delete(row, of: transaction.entity("Note"))
    }
    #expect(try push.base(of: 1) == [.string("a"), .string("first"), .null])
    #expect(try push.summary() == ["deleted a 2-2 "])
  }

  @Test("Members, and values that are assigned anew, make a row dirty, and leave it as it was")
  func changesThatNoRecordShows() throws {
    try push.write { transaction in
      let related = try transaction.relationship("Note", "related")
      _ = try transaction.setMembers(of: related, owner: transaction.note("a"), to: [transaction.note("b")])
      try transaction.touch(transaction.note("b"), of: transaction.entity("Note"))
    }
    #expect(try push.summary() == ["a 2-2 related", "b 2-2 "])
    #expect(try push.base(of: 1) == [.string("a"), .string("first"), .null])
    #expect(try push.base(of: 2) == [.string("b"), .null, .null])
  }

  @Test func rowThatNoServerHeardOfGoesWithoutATrace() throws {
    try push.insert("c", "d")
    try push.write { transaction in
      try transaction.noteHandedOut(
        [(transaction.note("d"), .everything)], of: transaction.entity("Note"), through: transaction.lastHistoryToken())
    }
    try push.delete("c")
    try push.delete("d")
    #expect(try push.summary() == ["new sent deleted d 2-4 "])
  }

  @Test func rowThatIsMadeAndDeletedByOneTransactionIsNotKept() throws {
    try push.write { transaction in
      _ = try transaction.delete(transaction.insertNote("c"), of: transaction.entity("Note"))
    }
    #expect(try push.entries().isEmpty)
  }

  @Test func deletionByTheServerMakesARowClean() throws {
    try push.setText("a", "second")
    try push.insert("c")
    try push.delete("a", by: PushStore.inbound)
    #expect(try push.summary() == ["new c 3-3 "])
    #expect(try push.base(of: 1) == nil)
  }

  @Test func failedTransactionLeavesNothing() throws {
    struct Stop: Error {}
    #expect(throws: Stop.self) {
      try push.store.write { transaction in
        try transaction.setText(of: "a", to: "second")
        throw Stop()
      }
    }
    #expect(try push.entries().isEmpty)
  }

  @Test func entriesOutliveTheProcess() throws {
    let folder = try TemporaryFolder()
    do {
      let push = try PushStore(in: folder)
      try push.insert("a")
      try push.settle([1], .refused(reason: "no", code: "rejected"), at: 5)
    }
    let push = try PushStore(in: folder)
    #expect(try push.summary() == ["new parked a 1-1 "])
    let refusal = try push.store.read { try $0.pushRefusal(of: RowNumber(rawValue: 1), push.note) }
    #expect(
      refusal
        == PushRefusal(reason: "no", code: "rejected", attempts: 1, since: Date(timeIntervalSinceReferenceDate: 5)))
  }

  @Test func differencesAreByValue() throws {
    try push.write { transaction in
      _ = try transaction.edit("Note", transaction.note("a")) { builder, note in
        builder.setString(try #require(note.attribute(named: "text")).field, "second")
        builder.setInt64(try #require(note.attribute(named: "stars")).field, 1)
      }
    }
    try push.setText("a", "first")
    let names = try push.store.read { snapshot in
      let note = try push.note
      let entry = try #require(try snapshot.pushEntry(of: RowNumber(rawValue: 1), note))
      let base = try #require(try snapshot.pushBase(of: entry.row, note))
      return try snapshot.withRecord(entry.row, of: note) { record in
        note.names(of: base.differences(from: record, among: entry.changed, of: note))
      }
    }
    #expect(names == ["stars"])
  }
}
