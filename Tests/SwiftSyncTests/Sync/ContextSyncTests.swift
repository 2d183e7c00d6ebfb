import Foundation
import SwiftSync
import Testing

/// `ModelContext.sync`: a sync as part of a unit of work (contract, 1.8).
@MainActor
@Suite("1.8: Syncs in a context, with its edits") struct ContextSyncTests {
  let container: SyncContainer
  var context: ModelContext { container.mainContext }

  init() throws {
    container = try SyncContainer.archive()
  }

  /// The authors of all transactions so far.
  private func history() throws -> [String?] {
    try context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>()).map(\.author)
  }

  @Test("The context's edits and the sync are one transaction, and one save to observers")
  func oneTransaction() async throws {
    context.author = "me"
    let before = try history().count
    let dossier = try #require(try context.fetch(FetchDescriptor<Dossier>(predicate: #Predicate { $0.id == 2 })).first)
    dossier.title = "edited"
    dossier.pages = 5
    let new = Dossier(id: 9, title: "new", pages: 9)
    context.insert(new)
    let report = try await context.sync(
      payload: [["id": 2, "pages": 6], ["id": 9, "title": "synced"], ["id": 4, "pages": 4]], as: Dossier.self)
    #expect(try container.dossiers() == ["2 edited 6 1", "4 - 4 -", "9 synced 9 -"])
    #expect(report.entities["Dossier"]?.description == "1 inserted, 2 updated, 2 deleted")
    #expect(try history().count == before + 1 && history().last == "me")
    // The objects that the context has show it.
    #expect(dossier.title == "edited" && dossier.pages == 6 && new.title == "synced" && !context.hasChanges)
  }

  @Test("The four forms and text")
  func forms() async throws {
    let cabinet = try container.cabinet(1)
    try await context.sync(item: ["id": 1, "pages": 11], as: Dossier.self)
    try await context.sync(item: ["id": 3], as: Dossier.self, parent: cabinet, relationship: \.cabinet)
    #expect(try container.dossiers() == ["1 t1 11 1", "2 t2 200 1", "3 t3 300 1"])
    try await context.sync(payload: [["id": 3]], as: Dossier.self, parent: cabinet, relationship: \.cabinet)
    #expect(try container.dossiers() == ["3 t3 300 1"])
    try await context.sync(
      json: Data(#"{"items":[{"id":6,"pages":6,"clerkIds":["nobody"]}]}"#.utf8), as: Dossier.self, at: "items",
      keyStyle: .camelCase)
    try await context.sync(
      payload: [["id": 6, "clerks": [["id": "x"]]]], as: Dossier.self, relationshipOperations: [.insert])
    #expect(try container.dossiers() == ["6 - 6 -"])
  }

  @Test("A parent may be new in the context: it is saved with the sync")
  func newParent() async throws {
    let cabinet = Cabinet(id: 5, name: "new")
    context.insert(cabinet)
    try await context.sync(
      payload: [["id": 1], ["id": 7, "pages": 7]], as: Dossier.self, parent: cabinet, relationship: \.cabinet)
    #expect(try container.dossiers() == ["1 t1 100 5", "2 t2 200 1", "3 t3 300 2", "7 - 7 5"])
    #expect(cabinet.dossiers.map(\.id).sorted() == [1, 7])
    // New in another context, it is nothing that the store could know.
    let foreign = Cabinet(id: 6, name: "foreign")
    ModelContext(container.modelContainer).insert(foreign)
    await #expect(throws: SyncError.self) {
      try await context.sync(item: ["id": 2], as: Dossier.self, parent: foreign, relationship: \.cabinet)
    }
  }

  @Test(
    "B-13: a failure commits nothing, and the context keeps its edits",
    arguments: [
      #"[{"id":1,"pages":{}}]"#, "[1]", #"[{"key":1}]"#,
    ])
  func failures(_ json: String) async throws {
    let before = try container.dossiers()
    let dossier = try #require(try context.fetch(FetchDescriptor<Dossier>(predicate: #Predicate { $0.id == 2 })).first)
    dossier.title = "edited"
    context.insert(Dossier(id: 8))
    let payload = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [Any])
    await #expect(throws: SyncError.self) { try await context.sync(payload: payload, as: Dossier.self) }
    #expect(try container.dossiers() == before)
    #expect(dossier.title == "edited" && context.hasChanges && context.insertedModelsArray.count == 1)
    try context.save()
    #expect(try container.dossiers().map { $0.split(separator: " ")[1] } == ["t1", "edited", "t3", "-"])
  }

  @Test("A sync that changes nothing in a context without edits writes nothing and posts nothing")
  func nothingToDo() async throws {
    let before = try history()
    let token = NotificationCenter.default.addObserver(forName: ModelContext.didSave, object: context, queue: nil) {
      _ in
      Issue.record("nothing was saved")
    }
    defer { NotificationCenter.default.removeObserver(token) }
    let report = try await context.sync(item: ["id": 1, "pages": 100], as: Dossier.self)
    #expect(try report.changedNothing && history() == before)
  }

  @Test("A background context's sync is there for the main context when it returns")
  func backgroundContext() async throws {
    let dossier = try #require(try context.fetch(FetchDescriptor<Dossier>(predicate: #Predicate { $0.id == 2 })).first)
    let container = container
    try await _Concurrency.Task.detached {
      let background = ModelContext(container.modelContainer)
      try await background.sync(item: ["id": 2, "title": "behind"], as: Dossier.self)
    }.value
    #expect(dossier.title == "behind")
  }
}
