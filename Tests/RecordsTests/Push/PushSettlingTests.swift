import FoundationEssentials
import TestSupport
import Testing

@testable import Records

/// What becomes of dirty rows when a server answers.
@Suite struct PushSettlingTests {
  private let push: PushStore

  init() throws {
    push = try PushStore()
    try push.write(by: PushStore.inbound) { _ = try $0.insertNote("a", text: "first") }
    try push.setText("a", "second")
    try push.insert("b")
  }

  private func record(_ row: UInt64) throws -> Record {
    try #require(try push.store.read { try $0.record(RowNumber(rawValue: row), of: push.note) })
  }

  @Test func takenRowIsClean() throws {
    #expect(try push.settle([1]).isEmpty)
    #expect(try push.summary() == ["new b 3-3 "])
    #expect(try push.base(of: 1) == nil)
    try push.settle([2, 7])
    #expect(try push.store.read { try !$0.hasPushEntries() })
  }

  @Test func editAfterItWasReadStaysAndHasWhatWasSentAsBase() throws {
    let (token, sent) = (try push.last, try record(1))
    try push.write { transaction in
      _ = try transaction.edit("Note", transaction.note("a")) { builder, note in
        builder.setInt64(try #require(note.attribute(named: "stars")).field, 3)
      }
    }
    #expect(try push.settle([1], through: token, sent: [1: sent]) == [1])
    #expect(try push.summary() == ["new b 3-3 ", "a 4-4 stars"])
    #expect(try push.base(of: 1) == [.string("a"), .string("second"), .null])
  }

  @Test func insertionThatWasTakenAndEditedIsAnUpdateFromThenOn() throws {
    let (token, sent) = (try push.last, try record(2))
    try push.setText("b", "later")
    try push.settle([2], through: token, sent: [2: sent])
    #expect(try push.summary() == ["a 2-2 text", "b 4-4 text"])
    #expect(try push.base(of: 2) == [.string("b"), .null, .null])
  }

  @Test func insertionThatWasTakenAndDeletedHasToBeDeletedThere() throws {
    let (token, sent) = (try push.last, try record(2))
    try push.write {
      try $0.noteHandedOut([(RowNumber(rawValue: 2), .everything)], of: $0.entity("Note"), through: token)
    }
    try push.delete("b")
    #expect(try push.settle([2], through: token, sent: [2: sent]) == [2])
    #expect(try push.summary() == ["a 2-2 text", "deleted b 4-4 "])
    try push.settle([2])
    #expect(try push.summary() == ["a 2-2 text"])
  }

  @Test func editOfAnotherAuthorMeanwhileCountsAndAnInboundOneDoesNot() throws {
    let (token, sent) = (try push.last, try record(1))
    try push.setText("a", "third", by: PushStore.inbound)
    #expect(try push.settle([1], through: token, sent: [1: sent]).isEmpty)
    try push.setText("b", "third", by: "widget")
    #expect(try push.settle([2], through: token).count == 1)
  }

  @Test func refusedRowIsParkedUntilItIsEdited() throws {
    try push.settle([1], .refused(reason: "too long", code: nil), at: 1)
    #expect(try push.summary() == ["parked a 2-2 text", "new b 3-3 "])
    try push.setText("a", "short")
    #expect(try push.summary() == ["a 2-4 text", "new b 3-3 "])
    #expect(try push.store.read { try $0.pushRefusal(of: RowNumber(rawValue: 1), push.note) } == nil)
  }

  @Test func attemptsAreCounted() throws {
    for attempt in 1...3 {
      try push.settle([1], .refused(reason: "try \(attempt)", code: "c"), at: Double(attempt))
      let refusal = try push.store.read { try $0.pushRefusal(of: RowNumber(rawValue: 1), push.note) }
      #expect(refusal?.attempts == attempt)
      #expect(refusal?.reason == "try \(attempt)")
      #expect(refusal?.since == Date(timeIntervalSinceReferenceDate: 1))
      #expect(try push.store.write { try $0.unparkPush(of: RowNumber(rawValue: 1), $0.entity("Note")) }.result)
      #expect(try push.summary().first == "a 2-2 text")
    }
    #expect(try !push.store.write { try $0.unparkPush(of: RowNumber(rawValue: 1), $0.entity("Note")) }.result)
    try push.settle([1])
    #expect(try push.summary() == ["new b 3-3 "])
  }

  @Test func refusalOfWhatWasEditedMeanwhileParksNothing() throws {
    let token = try push.last
    try push.setText("a", "third")
    #expect(try push.settle([1], .refused(reason: "too long", code: nil), through: token) == [1])
    #expect(try push.summary() == ["a 2-4 text", "new b 3-3 "])
  }

  @Test func parkedDeletionSurvivesAndCanBeTriedAgain() throws {
    try push.delete("a")
    try push.settle([1], .refused(reason: "not yours", code: nil))
    #expect(try push.summary() == ["parked deleted a 2-4 text", "new b 3-3 "])
    #expect(try push.store.write { try $0.unparkPush(of: RowNumber(rawValue: 1), $0.entity("Note")) }.result)
    #expect(try push.summary() == ["deleted a 2-4 text", "new b 3-3 "])
  }

  @Test func whatCameLaterIsKeptWholeIfTheHistoryDoesNotKnow() throws {
    let (token, sent) = (try push.last, try record(1))
    try push.setText("a", "third")
    try push.store.write { _ = try $0.deleteHistory(expiring: true) }
    #expect(try push.settle([1], through: token, sent: [1: sent]) == [1])
    #expect(try push.summary() == ["a 2-4 text", "new b 3-3 "])
  }

  @Test func newBaseIsWhatTheServerIsKnownToHave() throws {
    try push.setText("a", "server's", by: PushStore.inbound)
    try push.store.write { transaction in
      let note = try transaction.entity("Note")
      let record = try #require(try transaction.record(RowNumber(rawValue: 1), of: note))
      try transaction.rebasePush(of: RowNumber(rawValue: 1), note, on: record)
    }
    #expect(try push.base(of: 1) == [.string("a"), .string("server's"), .null])
    #expect(try push.store.violations() == [])
  }
}
