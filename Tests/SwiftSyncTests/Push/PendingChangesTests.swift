import Foundation
import KeyValueStore
import TestSupport
import Testing

@testable import SwiftSync

@MainActor
@Suite("13.3 What is pending")
struct PendingChangesTests {
  private let container: SyncContainer
  private var context: ModelContext { container.mainContext }

  init() throws {
    container = try errandContainer()
  }

  /// Has a server take everything.
  private func push() async throws {
    try await SwiftSync.withPendingChanges(for: Errand.self, in: context) { _ in [] }
  }

  @Test("13.3 After a push: an insertion, an update, a deletion, and a row that came and went")
  func reduction() async throws {
    for id in ["a", "b", "d"] { try context.addErrand(id) }
    try await push()
    #expect(try context.pendingText() == "")
    try context.editErrand("b") { $0.title = "x" }
    try context.deleteErrand("d")
    try context.addErrand("c")
    try context.addErrand("e")
    try context.deleteErrand("e")
    #expect(try context.pendingText() == "+c ~b -d")
  }

  enum Step: Sendable { case insert, update, delete, pull }

  @Test(
    "13.3 The reduction by what was done",
    arguments: [
      ([.insert], "+a"), ([.insert, .update], "+a"), ([.insert, .delete], ""), ([.insert, .update, .delete], ""),
      ([.insert, .delete, .insert], "+a"), ([.pull], ""), ([.pull, .update], "~a"), ([.pull, .update, .update], "~a"),
      ([.pull, .delete], "-a"), ([.pull, .update, .delete], "-a"), ([.pull, .delete, .insert], "~a"),
      ([.pull, .delete, .insert, .update], "~a"), ([.pull, .delete, .insert, .delete], "-a"),
    ] as [([Step], String)])
  func reductionByStep(steps: [Step], expected: String) async throws {
    for step in steps {
      switch step {
      case .insert: try context.addErrand("a")
      case .update: try context.editErrand("a") { $0.stars += 1 }
      case .delete: try context.deleteErrand("a")
      case .pull: try await container.sync(item: ["id": "a", "title": "t", "stars": 0], as: Errand.self)
      }
    }
    #expect(try context.pendingText() == expected)
  }

  @Test("B-27 A row that is deleted and made again is one that has changed")
  func madeAgain() async throws {
    try await container.sync(item: ["id": "a", "title": "t", "note": "n", "stars": 1], as: Errand.self)
    try context.deleteErrand("a")
    try context.addErrand("b")
    try context.addErrand("a", title: "t", stars: 2)
    let changes = try SwiftSync.pendingChangeSet(for: Errand.self, in: context)
    #expect(changes.changes.map(\.id) == ["a", "b"])
    #expect(changes["a"]?.kind == .update)
    #expect(changes["a"]?.changedProperties == ["note", "stars", "helpers"])
    try await push()
    #expect(try context.pendingText() == "")
    #expect(try context.core.store.read { try !$0.hasPushEntries() })
  }

  @Test("13.3 Identities come in the order in which their rows were first changed")
  func order() async throws {
    for id in ["c", "a", "b"] { try context.addErrand(id) }
    try context.editErrand("a") { $0.stars = 1 }
    #expect(try context.pendingText() == "+c,a,b")
  }

  @Test("13.2 What any author but a sync has saved is pending, of the model that is asked for")
  func authors() async throws {
    try await container.sync(payload: [["id": "a", "title": "t", "stars": 0]], as: Errand.self)
    let widget = ModelContext(container.modelContainer)
    widget.author = "widget"
    try widget.editErrand("a") { $0.title = "w" }
    context.insert(ErrandRound(id: 1))
    context.insert(Helper(id: "h"))
    try context.save()
    #expect(try context.pendingText() == "~a")
    #expect(try SwiftSync.pendingChangeSet(for: ErrandRound.self, in: context).inserts == [1])
    try await container.sync(item: ["id": "b", "title": "t", "stars": 0], as: Errand.self)
    #expect(try context.pendingText() == "~a")
  }

  @Test("B-18 What is unsaved is not pending, and neither saved nor lost by a push")
  func unsaved() async throws {
    try context.addErrand("a")
    context.insert(Errand(id: "unsaved"))
    let errand = try #require(try context.errand("a"))
    errand.title = "edited"
    #expect(try context.pendingText() == "+a")
    try await push()
    #expect(context.hasChanges && errand.title == "edited")
    #expect(try ModelContext(container.modelContainer).errand("a")?.title == "")
    #expect(try ModelContext(container.modelContainer).errand("unsaved") == nil)
    try context.save()
    #expect(try context.pendingText() == "+unsaved ~a")
  }

  @Test("13.1 A model that is not enabled is a schema error that says what is missing, before anything else")
  func notEnabled() async throws {
    var isCalled = false
    func check(_ body: () async throws -> Void) async {
      do {
        try await body()
        Issue.record("It was not refused.")
      } catch SyncError.schemaValidation(let reason) {
        #expect(reason.contains("Helper") && reason.contains("id") && reason.contains("preserveValueOnDeletion"))
      } catch {
        Issue.record(error)
      }
    }
    await check { _ = try SwiftSync.pendingChanges(for: Helper.self, in: context) }
    await check { _ = try SwiftSync.pendingChangeSet(for: Helper.self, in: context) }
    await check {
      try await SwiftSync.withPendingChanges(for: Helper.self, in: context) { _ in
        isCalled = true
        return []
      }
    }
    await check {
      try await container.push([Errand.self, Helper.self]) { _ in
        isCalled = true
        return [:]
      }
    }
    await check { _ = try container.pushInbox(for: Helper.self) }
    #expect(!isCalled)
  }

  @Test("A store that keeps no history says so")
  func historyNotKept() async throws {
    let container = try errandContainer(history: .off)
    try container.mainContext.addErrand("a")
    #expect(throws: HistoryError.notKept) { try container.mainContext.pendingText() }
    await #expect(throws: HistoryError.notKept) {
      try await SwiftSync.withPendingChanges(for: Errand.self, in: container.mainContext) { _ in [] }
    }
  }

  @Test("A store with unsent changes is not opened without a history, nor taken for a damaged one")
  func historyThatIsNeeded() async throws {
    let folder = try TemporaryFolder()
    let url = URL(filePath: folder["store"])
    func open(_ history: HistoryPolicy) throws -> SyncContainer {
      try SyncContainer(
        for: Errand.self, Spot.self, recoverOnFailure: true,
        configurations: ModelConfiguration(url: url, history: history))
    }
    var container = try open(.standard)
    try container.mainContext.addErrand("a")
    container.modelContainer.close()
    #expect(throws: RecordError.unsentChanges(entities: ["Errand"])) { try open(.off) }
    container = try open(.standard)
    #expect(try container.recovery == nil && container.mainContext.pendingText() == "+a")
    try await container.push(Errand.self) { _ in ["a": .applied] }
    container.modelContainer.close()
    container = try open(.off)
    #expect(try container.mainContext.errand("a") != nil)
    #expect(throws: HistoryError.notKept) { try container.mainContext.pendingText() }
  }

  @Test("A store that is open for reading only tells what is pending, and refuses to push it before it is sent")
  func readOnly() async throws {
    let folder = try TemporaryFolder()
    let url = URL(filePath: folder["store"])
    let writer = try errandContainer(at: url)
    try writer.mainContext.addErrand("a")
    let reader = try SyncContainer(
      for: Errand.self, ErrandRound.self, Spot.self, Helper.self,
      configurations: ModelConfiguration(url: url, allowsSave: false))
    #expect(try reader.mainContext.pendingText() == "+a")
    var isCalled = false
    await #expect(throws: StoreError.readOnly(path: url.path)) {
      try await SwiftSync.withPendingChanges(for: Errand.self, in: reader.mainContext) { _ in
        isCalled = true
        return []
      }
    }
    await #expect(throws: StoreError.readOnly(path: url.path)) {
      try await reader.push(Errand.self) { _ in
        isCalled = true
        return [:]
      }
    }
    #expect(!isCalled)
  }

  @Test("Identities of every type, and rows of several models in one store")
  func identityTypes() async throws {
    let home = Spot(name: "home")
    context.insert(home)
    context.insert(ErrandRound(id: -7))
    try context.save()
    #expect(try SwiftSync.pendingChangeSet(for: Spot.self, in: context).inserts == [home.id])
    #expect(try SwiftSync.pendingChangeSet(for: ErrandRound.self, in: context).inserts == [-7])
    let identity = try #require(SyncRowIdentity(Spot.self, home.id))
    #expect(identity.model == "Spot" && identity.description == home.id.uuidString)
    #expect(identity.id(of: Spot.self) == home.id && identity.id(of: Errand.self) == nil)
  }

  @Test("What differs is told by value where that is known, and by what was touched elsewhere")
  func changedProperties() async throws {
    try await container.sync(
      payload: [["id": "a", "title": "t", "note": NSNull(), "stars": 0]], as: Errand.self)
    func changed() throws -> [String]? {
      try SwiftSync.pendingChangeSet(for: Errand.self, in: context)["a"]?.changedProperties
    }
    try context.editErrand("a") { $0.title = "x" }
    try context.editErrand("a") { $0.stars = 5 }
    #expect(try changed() == ["title", "stars"])
    try context.editErrand("a") { $0.title = "t" }
    #expect(try changed() == ["stars"])
    try context.editErrand("a") { $0.helpers = [Helper(id: "h")] }
    try context.editErrand("a") { $0.round = ErrandRound(id: 1) }
    #expect(try changed() == ["stars", "round", "helpers"])
    try context.editErrand("a") { errand in
      errand.stars = 0
      errand.round = nil
      errand.helpers = []
    }
    #expect(try changed() == ["helpers"])
    try context.addErrand("b")
    let inserted = try SwiftSync.pendingChangeSet(for: Errand.self, in: context)["b"]
    #expect(inserted?.changedProperties == ["id", "title", "note", "stars", "round", "helpers"])
    try context.deleteErrand("a")
    #expect(try changed() == [])
  }

  @Test("A row that was changed and changed back is pending, with nothing that differs")
  func changedBack() async throws {
    try await container.sync(payload: [["id": "a", "title": "t", "stars": 0]], as: Errand.self)
    try context.editErrand("a") { $0.title = "x" }
    try context.editErrand("a") { $0.title = "t" }
    #expect(try context.pendingText() == "~a")
    #expect(try SwiftSync.pendingChangeSet(for: Errand.self, in: context)["a"]?.changedProperties == [])
  }

  @Test(
    "What was sent without an answer differs from what the server may have, also when it was changed back",
    arguments: ["no outcome", "error", "failure"])
  func changedBackAfterSending(_ answer: String) async throws {
    try await container.sync(payload: [["id": "a", "title": "t", "note": "n", "stars": 0]], as: Errand.self)
    func change() throws -> SyncPendingChange<String>? {
      try SwiftSync.pendingChangeSet(for: Errand.self, in: context)["a"]
    }
    try context.editErrand("a") { errand in
      errand.title = "x"
      errand.note = "other"
    }
    try context.editErrand("a") { $0.note = "n" }
    // The server has the title from now on, and its answer is lost.
    switch answer {
    case "no outcome": try await container.push(Errand.self) { _ in [:] }
    case "error": _ = try? await container.push(Errand.self) { _ in throw ServerRefusal() }
    default:
      try await SwiftSync.withPendingChanges(for: Errand.self, in: context) { _ in
        [SyncPendingChangesFailure(id: "a", error: ServerRefusal())]
      }
    }
    #expect(try change()?.changedProperties == ["title"])
    try context.editErrand("a") { errand in
      errand.title = "t"
      errand.stars = 1
    }
    #expect(try change()?.changedProperties == ["title", "stars"])
    try await container.push(Errand.self) { _ in ["a": .applied] }
    try context.editErrand("a") { $0.stars = 2 }
    try context.editErrand("a") { $0.title = "t" }
    #expect(try change()?.changedProperties == ["stars"])
  }

  @Test("A token of another store, or one that is too old or new, is an error")
  func tokens() async throws {
    try context.addErrand("a")
    let token = try container.modelContainer.lastHistoryToken()
    try context.addErrand("b")
    func pending(since token: DefaultHistoryToken?) throws -> String {
      try SwiftSync.pendingChanges(for: Errand.self, in: context, since: token).text
    }
    #expect(try pending(since: nil) == "+a,b" && pending(since: token) == "+b")
    let other = try errandContainer()
    try other.mainContext.addErrand("x")
    let foreign = try other.modelContainer.lastHistoryToken()
    #expect(throws: HistoryError.foreignToken(foreign)) { try pending(since: foreign) }
    try context.deleteHistory()
    #expect(throws: HistoryError.self) { try pending(since: token) }
    #expect(try context.pendingText() == "+a,b")
  }

  @Test("What is not exported can't be sent, so its changes are not pending")
  func notExported() async throws {
    try await container.sync(item: ["id": "a", "title": "t", "stars": 0], as: Errand.self)
    try context.editErrand("a") { $0.failure = "no" }
    #expect(try context.pendingText() == "")
    try context.editErrand("a") { errand in
      errand.failure = nil
      errand.stars = 1
    }
    #expect(try SwiftSync.pendingChangeSet(for: Errand.self, in: context)["a"]?.changedProperties == ["stars"])
  }

  @Test("Nothing pending is told without reading rows, however many there are")
  func nothingPending() async throws {
    let rows = (0..<2000).map { ["id": "\($0)", "title": "t", "stars": 0] as [String: Any] }
    try await container.sync(payload: rows, as: Errand.self)
    let pages = try context.core.store.read { try $0.hasPushEntries() }
    #expect(!pages)
    #expect(try context.pendingText() == "")
  }

  @Test("A change can be sent as a whole row and as a patch")
  func wholeRowAndPatch() async throws {
    try await container.sync(
      item: ["id": "a", "title": "t", "stars": 0, "round": ["id": 1, "name": "r"]], as: Errand.self)
    try context.editErrand("a") { errand in
      errand.stars = 3
      errand.helpers = [Helper(id: "h")]
    }
    let change = try #require(try SwiftSync.pendingChangeSet(for: Errand.self, in: context)["a"])
    let whole = try #require(try container.payload(of: change, as: Errand.self))
    #expect(Set(whole.keys) == ["id", "title", "note", "stars", "round_id", "helper_ids"])
    #expect(whole["stars"] as? Int == 3 && whole["round_id"] as? Int == 1)
    let patch = try #require(try container.payload(of: change, as: Errand.self, onlyChanged: true))
    #expect(Set(patch.keys) == ["id", "stars", "helper_ids"])
    #expect(patch["helper_ids"] as? [String] == ["h"])
    let nested = try container.payload(of: change, as: Errand.self, onlyChanged: true, using: ExportOptions())
    #expect(nested.map { Set($0.keys) } == ["id", "stars", "helpers"])
  }

  @Test("What is sent is what is stored by then")
  func payloadOfWhatIsStored() async throws {
    try context.addErrand("a", title: "t")
    try await container.push([Errand.self, ErrandRound.self]) { changes in
      let change = try #require(changes.changes.first)
      #expect(try container.payload(of: change)?["title"] as? String == "t")
      try context.editErrand("a") { $0.title = "later" }
      #expect(try container.payload(of: change)?["title"] as? String == "later")
      try context.deleteErrand("a")
      #expect(try container.payload(of: change) == nil)
      return [:]
    }
    let deletion = try #require(try SwiftSync.pendingChangeSet(for: Errand.self, in: context)["a"])
    #expect(deletion.kind == .delete)
    #expect(try container.payload(of: deletion, as: Errand.self) == nil)
  }
}
