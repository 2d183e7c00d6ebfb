import Foundation
import Synchronization
import TestSupport
import Testing

@testable import SwiftSync

@MainActor
@Suite("docs/offline.md: its examples are the code that is compiled here, and do what they say")
struct OfflineTourTests {
  private let container: SyncContainer
  private var context: ModelContext { container.mainContext }

  init() throws {
    container = try SyncContainer(
      for: Chore.self, ChorePlace.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
  }

  @Test("Every Swift block of offline.md stands in OfflineTour.swift")
  func sameCode() throws {
    let code = try DocumentedCode(document: "docs/offline.md", file: #filePath, named: "OfflineTour.swift")
    #expect(code.blocks.count >= 7)
    for block in code.blocks { #expect(code.source.contains(block)) }
  }

  @Test("What is sent by POST, PATCH and DELETE is settled by the status of the answer")
  func requests() async throws {
    let rows = ["u", "d", "g", "s", "x"].map { ["id": $0, "title": "first", "is_done": false] as [String: Any] }
    try await container.sync(payload: rows, as: Chore.self)
    let chores = Dictionary(uniqueKeysWithValues: try context.fetch(FetchDescriptor<Chore>()).map { ($0.id, $0) })
    context.insert(Chore(id: "i", title: "new"))
    for id in ["u", "g", "s", "x"] { chores[id]?.isDone = true }
    if let chore = chores["d"] { context.delete(chore) }
    try context.save()
    let sent = Mutex<[String]>([])
    let report = try await pushChores(of: container) { request in
      let body = request.body.isEmpty ? "" : " " + String(decoding: request.body, as: UTF8.self)
      sent.withLock { $0.append("\(request.method) \(request.path)") }
      #expect(!request.key.isEmpty && (request.method != "PATCH" || body.contains(#""is_done":true"#)))
      #expect(request.method == "POST" ? body.contains("new") : !body.contains("title"))
      switch request.path {
      case "/chores/g": return ChoreResponse(status: 410, body: Data())
      case "/chores/s":
        return ChoreResponse(
          status: 409, body: Data(#"{"id":"s","title":"theirs","is_done":false,"place_id":null}"#.utf8))
      case "/chores/x": return ChoreResponse(status: 404, body: Data("no".utf8))
      case "/chores/d": return ChoreResponse(status: 404, body: Data())
      default: return ChoreResponse(status: 200, body: Data())
      }
    }
    #expect(
      sent.withLock { $0 }.sorted()
        == [
          "DELETE /chores/d", "PATCH /chores/g", "PATCH /chores/s", "PATCH /chores/u", "PATCH /chores/x",
          "POST /chores",
        ])
    #expect(Set(report.applied) == ["i", "u", "d"] && Set(report.stale) == ["g", "s"] && report.rejected == ["x"])
    #expect(
      try Set(context.fetch(FetchDescriptor<Chore>()).map { "\($0.id) \($0.title)" }) == [
        "i new", "u first", "s theirs", "x first",
      ])
    #expect(try unsentChores(in: container) == "0 to send, 1 to look at")
    for _ in 1...2 {
      try await lookThroughInbox(of: container, serverHas: [:])
      #expect(try unsentChores(in: container) == "1 to send, 0 to look at")
      _ = try await pushChores(of: container) { _ in ChoreResponse(status: 422, body: Data("no".utf8)) }
    }
    try await lookThroughInbox(of: container, serverHas: [:])
    #expect(try unsentChores(in: container) == "0 to send, 0 to look at")
  }

  @Test("Without an answer, and with one of a server in trouble, it stays pending")
  func noAnswer() async throws {
    context.insert(Chore(id: "a", title: "new"))
    try context.save()
    let failed = try await pushChores(of: container) { _ in throw ServerRefusal() }
    let troubled = try await pushChores(of: container) { _ in ChoreResponse(status: 503, body: Data()) }
    #expect(failed.unanswered == ["a"] && troubled.unanswered == ["a"])
    #expect(try unsentChores(in: container) == "1 to send, 0 to look at")
  }

  @Test("A conflict without a row that can be read waits in the inbox, and costs no other row its answer")
  func unreadableConflict() async throws {
    for id in ["a", "b", "c"] { context.insert(Chore(id: id, title: id)) }
    try context.save()
    let report = try await pushChores(of: container) { request in
      if request.body.count > 0, String(decoding: request.body, as: UTF8.self).contains(#""id":"b""#) {
        return ChoreResponse(status: 409, body: Data("<html>".utf8))
      }
      return ChoreResponse(status: 201, body: Data())
    }
    #expect(report.applied == ["a", "c"] && report.rejected == ["b"])
    #expect(try container.pushInbox().map(\.reason) == ["<html>"])
  }

  @Test("Several models are sent parents first")
  func severalModels() async throws {
    let place = ChorePlace(id: 1, name: "kitchen")
    context.insert(Chore(id: "a", title: "t", place: place))
    try context.save()
    let sent = Mutex<[String]>([])
    let report = try await pushPlacesAndChores(of: container) { request in
      sent.withLock { $0.append("\(request.method) \(request.path)") }
      #expect(request.body.isEmpty == false)
      return ChoreResponse(status: 201, body: Data())
    }
    #expect(sent.withLock { $0 } == ["PUT /ChorePlace/1", "PUT /Chore/a"] && report.applied.count == 2)
  }

  @Test("All or nothing")
  func allOrNothing() async throws {
    for id in ["a", "b"] { context.insert(Chore(id: id, title: "new")) }
    try context.save()
    #expect(try await !uploadAll(of: container) { _, _, _ in ["b": ServerRefusal()] })
    #expect(try unsentChores(in: container) == "2 to send, 0 to look at")
    #expect(try await uploadAll(of: container) { _, _, _ in [:] })
    #expect(try unsentChores(in: container) == "0 to send, 0 to look at")
  }

  @Test("That the server does not list a row is new once, and again after it was there meanwhile")
  func lastingConflicts() async throws {
    let rows = ["a", "b"].map { ["id": $0, "title": "first", "is_done": false] as [String: Any] }
    try await container.sync(payload: rows, as: Chore.self)
    for chore in try context.fetch(FetchDescriptor<Chore>()) { chore.title = "mine" }
    try context.save()
    var known: Set<String> = []
    var told: [[String]] = []
    for listed in [["a"], ["a"], [], ["a", "b"], ["a"]] {
      let report = try await container.sync(
        payload: rows.filter { listed.contains($0["id"] as? String ?? "") }, as: Chore.self)
      told.append(newConflicts(in: report, known: &known).map(\.identity))
    }
    #expect(told == [["b"], [], ["a"], [], ["b"]])
  }

  // MARK: Enabling later

  @Test("Rows that the history does not know are pending once they are touched, and have nothing that differs")
  func touchedRows() async throws {
    try await container.sync(
      payload: [["id": "a", "title": "t", "is_done": false]], as: Chore.self)
    #expect(try SwiftSync.pendingChanges(for: Chore.self, in: context).isEmpty)
    try touchChores(in: context)
    let change = try #require(try SwiftSync.pendingChangeSet(for: Chore.self, in: context)["a"])
    #expect(change.kind == .update && change.changedProperties == [])
    #expect(try container.payload(of: change, as: Chore.self)?["title"] as? String == "t")
  }
}
