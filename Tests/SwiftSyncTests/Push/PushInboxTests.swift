import Foundation
import TestSupport
import Testing

@testable import SwiftSync

/// Changes that a server will not take, and what can be done about them.
@MainActor
@Suite struct PushInboxTests {
  private let container: SyncContainer
  private var context: ModelContext { container.mainContext }

  /// An insertion, an update and a deletion that were rejected.
  init() async throws {
    container = try errandContainer()
    try await container.sync(
      payload: [["id": "u", "title": "first", "stars": 1], ["id": "d", "title": "first", "stars": 2]], as: Errand.self)
    try context.addErrand("i", title: "new")
    try context.editErrand("u") { errand in
      errand.title = "mine"
      errand.round = ErrandRound(id: 1)
    }
    try context.deleteErrand("d")
    try await reject()
  }

  private func reject(_ reason: String = "too long") async throws {
    try await container.push(Errand.self) { changes in
      Dictionary(uniqueKeysWithValues: changes.changes.map { ($0.id, .rejected(reason: reason, code: "length")) })
    }
  }

  private func parked(_ id: String) throws -> SyncParkedChange {
    try #require(try container.pushInbox().first { $0.id.description == id })
  }

  @Test func inboxListsWhatWasRejected() throws {
    let inbox = try container.pushInbox()
    #expect(inbox.map(\.id.description) == ["u", "d", "i"] || Set(inbox.map(\.id.description)) == ["u", "d", "i"])
    let update = try parked("u")
    #expect(update.kind == .update && update.changedProperties == ["title", "round"])
    #expect(update.reason == "too long" && update.code == "length" && update.attempts == 1)
    #expect(update.id == SyncRowIdentity(Errand.self, "u") && update.id.model == "Errand")
    #expect(try parked("i").kind == .insert && parked("d").kind == .delete)
    #expect(try container.pushInbox(for: Errand.self).count == 3)
    #expect(try container.pushInbox(for: ErrandRound.self).isEmpty)
    #expect(try context.pendingText() == "")
  }

  @Test func inboxOutlivesTheProcess() async throws {
    let folder = try TemporaryFolder()
    let url = URL(filePath: folder["store"])
    do {
      let container = try errandContainer(at: url)
      try container.mainContext.addErrand("a")
      try await container.push(Errand.self) { _ in ["a": .rejected(reason: "no")] }
      container.modelContainer.close()
    }
    let container = try errandContainer(at: url)
    let change = try #require(try container.pushInbox().first)
    #expect(change.id.description == "a" && change.reason == "no")
    #expect(try await container.retry(change))
    #expect(try container.mainContext.pendingText() == "+a")
  }

  @Test func editTakesAChangeOut() throws {
    try context.editErrand("u") { $0.title = "short" }
    try context.deleteErrand("i")
    #expect(try container.pushInbox().map(\.id.description) == ["d"])
    // A server may have the row that it has said no to: another try may have got through.
    #expect(try context.pendingText() == "~u -i")
  }

  @Test func retryKeepsTheKeyAndCountsAttempts() async throws {
    let change = try parked("u")
    #expect(try await container.retry(change))
    #expect(try await !container.retry(change))
    let pending = try SwiftSync.pendingChangeSet(for: Errand.self, in: context)
    #expect(pending.changes.map(\.idempotencyKey) == [change.idempotencyKey])
    try await reject("still too long")
    let again = try parked("u")
    #expect(again.attempts == 2 && again.since == change.since && again.reason == "still too long")
  }

  @Test("Giving up deletes what was made here, reverts what was changed, and brings back what was deleted")
  func discard() async throws {
    for id in ["i", "u", "d"] { #expect(try await container.discard(parked(id))) }
    #expect(try context.errand("i") == nil)
    let updated = try #require(try context.errand("u"))
    #expect(updated.title == "first" && updated.stars == 1 && updated.round == nil)
    let restored = try #require(try context.errand("d"))
    #expect(restored.title == "first" && restored.stars == 2)
    #expect(try context.pendingText() == "")
    #expect(try container.pushInbox().isEmpty)
    #expect(try context.core.store.read { try $0.checkInvariants().isEmpty })
  }

  @Test func discardForTheServersRow() async throws {
    let server = try SyncJSON(dictionary: ["id": "u", "title": "theirs", "stars": 9])
    #expect(try await container.discard(parked("u"), adopting: server))
    #expect(try context.errand("u")?.title == "theirs")
    #expect(try await container.discard(parked("i"), adopting: nil))
    #expect(try context.errand("i") == nil)
    #expect(try await container.discard(parked("d"), adopting: nil))
    #expect(try container.pushInbox().isEmpty)
    #expect(try context.pendingText() == "")
  }

  @Test func whatWasEditedSinceIsNotGivenUp() async throws {
    let change = try parked("u")
    try context.editErrand("u") { $0.title = "short" }
    #expect(try await !container.discard(change))
    #expect(try await !container.discard(change, adopting: nil))
    #expect(try await !container.retry(change))
    try await reject()
    // It waits again, but as another change.
    #expect(try await !container.discard(change))
    #expect(try context.errand("u")?.title == "short")
  }

  @Test func unusableServerRowChangesNothing() async throws {
    let change = try parked("u")
    let other = SyncContainer(container.modelContainer, unreadableValues: .reject)
    await #expect(throws: SyncError.self) {
      try await other.discard(change, adopting: try SyncJSON(dictionary: ["id": "u", "title": NSNull()]))
    }
    #expect(try parked("u").idempotencyKey == change.idempotencyKey)
  }

  @Test func discardAnnouncesItself() async throws {
    let publisher = SyncModelPublisher(Errand.self, id: "u", in: container)
    #expect(publisher.row?.title == "mine")
    try await container.discard(parked("u"))
    #expect(publisher.row?.title == "first")
  }
}
