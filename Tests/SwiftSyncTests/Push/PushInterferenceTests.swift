import Foundation
import TestSupport
import Testing

@testable import SwiftSync

/// What goes on in the store while a closure sends changes, which may take minutes.
@MainActor
@Suite struct PushInterferenceTests {
  @Test("Hundreds of edits and pulls, and the history gone: what was edited is pending, and what was not is settled")
  func longSending() async throws {
    let container = try errandContainer()
    let context = container.mainContext
    for id in ["a", "b", "c", "d"] { try context.addErrand(id, title: "new") }
    let report = try await container.push(Errand.self) { changes in
      for number in 1...300 {
        try context.editErrand(["a", "b"][number % 2]) { $0.stars = number }
        if number % 50 == 0 {
          // It lists none of them.
          try await container.sync(payload: [["id": "s", "title": "\(number)", "stars": 0]], as: Errand.self)
        }
      }
      try context.deleteErrand("c")
      try context.deleteHistory()
      return Dictionary(uniqueKeysWithValues: changes.inserts.map { ($0, .applied) })
    }
    #expect(report.applied == ["a", "b", "c", "d"] && report.editedMeanwhile == ["a", "b", "c"])
    let pending = try SwiftSync.pendingChangeSet(for: Errand.self, in: context)
    #expect(Set(pending.updates) == ["a", "b"] && pending.deletes == ["c"] && pending.inserts.isEmpty)
    #expect(pending["a"]?.changedProperties == ["stars"] && pending["b"]?.changedProperties == ["stars"])
    #expect(try context.core.store.read { try $0.checkInvariants().isEmpty })
    try await container.push(Errand.self) { changes in
      Dictionary(uniqueKeysWithValues: changes.changes.map { ($0.id, .applied) })
    }
    #expect(try context.pendingText() == "")
  }

  @Test("A store that is closed meanwhile is an error, and nothing is lost")
  func closed() async throws {
    let folder = try TemporaryFolder()
    let url = URL(filePath: folder["store"])
    let container = try errandContainer(at: url)
    try container.mainContext.addErrand("a")
    try container.mainContext.addErrand("b")
    await #expect(throws: StoreError.self) {
      try await container.push(Errand.self) { _ in
        container.modelContainer.close()
        return ["a": .applied, "b": .stale(nil)]
      }
    }
    let again = try errandContainer(at: url)
    #expect(try again.mainContext.pendingText() == "+a,b")
    // It is known that a server may have them.
    try again.mainContext.deleteErrand("a")
    #expect(try again.mainContext.pendingText() == "+b -a")
  }

  @Test("After a backup was put back, what was pending has the key that it had, and what is edited then has a new one")
  func restoredBackup() async throws {
    let folder = try TemporaryFolder()
    let container = try errandContainer(at: URL(filePath: folder["store"]))
    func key(_ container: SyncContainer) throws -> String {
      try #require(SwiftSync.pendingChangeSet(for: Errand.self, in: container.mainContext)["a"]?.idempotencyKey)
    }
    try container.mainContext.addErrand("a")
    let first = try key(container)
    try container.modelContainer.core.store.environment.backup(to: folder["backup"])
    try container.mainContext.editErrand("a") { $0.title = "lost" }
    let second = try key(container)
    let restored = try errandContainer(at: URL(filePath: folder["backup"]))
    #expect(try key(restored) == first)
    // In the same transaction of the same row, by number.
    try restored.mainContext.editErrand("a") { $0.title = "after" }
    #expect(try restored.modelContainer.lastHistoryToken() == container.modelContainer.lastHistoryToken())
    #expect(try key(restored) != second && key(restored) != first)
  }

  @Test("A container that only reads shows the inbox, and decides nothing")
  func readOnlyInbox() async throws {
    let folder = try TemporaryFolder()
    let url = URL(filePath: folder["store"])
    let writer = try errandContainer(at: url)
    try writer.mainContext.addErrand("a")
    try await writer.push(Errand.self) { _ in ["a": .rejected(reason: "no")] }
    let reader = try SyncContainer(
      for: Errand.self, ErrandRound.self, Spot.self, Helper.self,
      configurations: ModelConfiguration(url: url, allowsSave: false))
    let change = try #require(try reader.pushInbox().first)
    let refusal = StoreError.readOnly(path: url.path)
    await #expect(throws: refusal) { try await reader.retry(change) }
    await #expect(throws: refusal) { try await reader.discard(change) }
    await #expect(throws: refusal) { try await reader.discard(change, adopting: nil) }
    #expect(try writer.pushInbox().count == 1)
  }

  @Test(
    "What the server takes away while its rows are sent stays away, whatever it answers then",
    arguments: ["applied", "rejected", "stale", "gone"])
  func rowsThatAPullDeletes(_ answer: String) async throws {
    let folder = try TemporaryFolder()
    let container = try SyncContainer(
      for: Errand.self, ErrandRound.self, Helper.self, conflicts: .serverWins,
      configurations: ModelConfiguration(url: URL(filePath: folder["store"])))
    let context = container.mainContext
    try await container.sync(payload: ["a", "b"].map { ["id": $0, "title": "t", "stars": 0] }, as: Errand.self)
    try context.editErrand("a") { $0.title = "mine" }
    let outcome: SyncPushOutcome =
      switch answer {
      case "applied": .applied
      case "rejected": .rejected(reason: "no")
      case "stale": .stale(["id": "a", "title": "theirs", "stars": 1] as SyncJSON)
      default: .stale(nil)
      }
    _ = try await container.push(Errand.self) { _ in
      try await container.sync(payload: [["id": "b", "title": "t", "stars": 0]], as: Errand.self)
      return ["a": outcome]
    }
    // A row that the server shows is there again; it has shown it last.
    #expect(try context.errand("a")?.title == (answer == "stale" ? "theirs" : nil))
    #expect(try context.pendingText() == "" && container.pushInbox().isEmpty)
    #expect(try context.core.store.read { try $0.checkInvariants().isEmpty })
  }

  @Test("A drain that fails in its second pass has settled the first one, and keeps the rest")
  func failureInALaterPass() async throws {
    let container = try errandContainer()
    let context = container.mainContext
    try context.addErrand("a")
    var passes = 0
    await #expect(throws: ServerRefusal.self) {
      try await container.drain([Errand.self, ErrandRound.self]) { changes in
        passes += 1
        if passes == 2 {
          try context.addErrand("c")
          throw ServerRefusal()
        }
        try context.addErrand("b")
        return Dictionary(uniqueKeysWithValues: changes.changes.map { ($0.id, .applied) })
      }
    }
    #expect(passes == 2)
    #expect(try context.pendingText() == "+b,c")
  }

  @Test("Two pushes at once: each report says what its own closure has answered, and what is settled first counts")
  func twoAtOnce() async throws {
    let container = try errandContainer()
    for id in ["a", "b"] { try container.mainContext.addErrand(id) }
    var second: SyncPushReport<String>?
    let first = try await container.push(Errand.self) { changes in
      // While it sends.
      second = try await container.push(Errand.self) { again in
        #expect(again.changes.map(\.idempotencyKey) == changes.changes.map(\.idempotencyKey))
        return ["a": .applied, "b": .rejected(reason: "no")]
      }
      return ["a": .rejected(reason: "there already"), "b": .applied]
    }
    #expect(second?.applied == ["a"] && second?.rejected == ["b"])
    #expect(first.applied == ["b"] && first.rejected == ["a"])
    #expect(try container.mainContext.pendingText() == "" && container.pushInbox().isEmpty)
  }

  @Test("An identity that was changed is sent as a change of the row that now has it, and giving it up undoes it")
  func changedIdentity() async throws {
    let container = try errandContainer()
    let context = container.mainContext
    try await container.sync(item: ["id": "a", "title": "t", "stars": 0], as: Errand.self)
    try context.editErrand("a") { $0.id = "b" }
    let change = try #require(try SwiftSync.pendingChangeSet(for: Errand.self, in: context).changes.first)
    #expect(change.id == "b" && change.kind == .update && change.changedProperties == ["id"])
    #expect(change.previousID == "a")
    try await container.push(Errand.self) { _ in ["b": .rejected(reason: "there is none")] }
    #expect(try await container.discard(try #require(try container.pushInbox().first)))
    #expect(try context.errand("a")?.title == "t" && context.errand("b") == nil)
    #expect(try context.pendingText() == "")
  }

  @Test("A row with another identity here does not come back under the one that the server knows, until it is settled")
  func pullOfChangedIdentity() async throws {
    let container = try errandContainer()
    let context = container.mainContext
    let rows = ["a", "c"].map { ["id": $0, "title": "t", "stars": 0] as [String: Any] }
    func errands() throws -> [String] {
      try ModelContext(container.modelContainer).fetch(FetchDescriptor<Errand>(sortBy: [SortDescriptor(\.id)])).map(
        \.id)
    }
    try await container.sync(payload: rows, as: Errand.self)
    try context.editErrand("a") { $0.id = "b" }
    try await container.sync(payload: rows, as: Errand.self)
    #expect(try errands() == ["b", "c"] && context.pendingText() == "~b")
    try await container.push(Errand.self) { _ in [:] }
    let change = try #require(try SwiftSync.pendingChangeSet(for: Errand.self, in: context)["b"])
    #expect(change.previousID == "a" && change.changedProperties == ["id"])
    try await container.push([Errand.self]) { changes in
      #expect(changes.changes.first?.previousID == SyncRowIdentity(Errand.self, "a"))
      return Dictionary(uniqueKeysWithValues: changes.changes.map { ($0.id, .applied) })
    }
    // The server has not done it.
    try await container.sync(payload: rows, as: Errand.self)
    #expect(try errands() == ["a", "c"] && context.pendingText() == "")
  }

  @Test("The server's row under the identity that it knows takes the place of the row, by a push and out of the inbox")
  func staleUnderFormerIdentity() async throws {
    for isParked in [false, true] {
      let container = try errandContainer()
      let context = container.mainContext
      try await container.sync(item: ["id": "a", "title": "t", "stars": 0], as: Errand.self)
      try context.editErrand("a") { errand in
        errand.id = "b"
        errand.title = "mine"
      }
      let server = try SyncJSON(dictionary: ["id": "a", "title": "theirs", "stars": 1])
      if isParked {
        try await container.push(Errand.self) { _ in ["b": .rejected(reason: "no")] }
        #expect(try await container.discard(try #require(container.pushInbox().first), adopting: server))
      } else {
        #expect(try await container.push(Errand.self) { _ in ["b": .stale(server)] }.stale == ["b"])
      }
      #expect(try context.errand("a")?.title == "theirs" && context.fetchCount(FetchDescriptor<Errand>()) == 1)
      #expect(try context.pendingText() == "" && container.pushInbox().isEmpty)
    }
  }
}
