import Foundation
import SyncEngine
import Testing

@testable import SwiftSync

/// Pulls that would delete a row together with others, by a cascade, of which some were changed here and not pushed yet.
@MainActor
@Suite("B-19: Rows that were changed here do not go with a row that the server does not list")
struct DirtyCascadeTests {
  /// A store with the rounds 1 and 2, the errands a and b in 1 and c in 2, of which a was changed here.
  private func container(_ conflicts: SyncConflictPolicy = .localWins) async throws -> SyncContainer {
    let container = try SyncContainer(
      for: Errand.self, ErrandRound.self, Helper.self, conflicts: conflicts,
      configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    try await container.sync(payload: [["id": 1, "name": "1"], ["id": 2, "name": "2"]], as: ErrandRound.self)
    try await container.sync(
      payload: [("a", 1), ("b", 1), ("c", 2)].map { ["id": $0, "title": "first", "stars": 0, "round_id": $1] },
      as: Errand.self)
    try container.mainContext.editErrand("a") { $0.title = "mine" }
    return container
  }

  private func addErrand(_ id: String, inRound number: Int, _ container: SyncContainer) throws {
    let context = container.mainContext
    let round = try context.fetch(FetchDescriptor<ErrandRound>(predicate: #Predicate { $0.id == number })).first
    context.insert(Errand(id: id, title: "mine", round: round))
    try context.save()
  }

  /// The errands as `id round`.
  private func errands(_ container: SyncContainer) throws -> [String] {
    try ModelContext(container.modelContainer).fetch(FetchDescriptor<Errand>(sortBy: [SortDescriptor(\.id)]))
      .map { "\($0.id) \($0.round.map { "\($0.id)" } ?? "-")" }
  }

  private func text(_ report: SyncReport) -> [String] {
    report.conflicts.map { "\($0.entity) \($0.identity) \($0.kind) \($0.resolution)" }.sorted()
  }

  @Test("The row stays as long as what would go with it was not pushed, and goes then")
  func localWins() async throws {
    let container = try await container()
    try addErrand("n", inRound: 1, container)
    let report = try await container.sync(payload: [], as: ErrandRound.self)
    #expect(
      text(report) == ["Errand a ownerMissingOnServer local", "Errand n ownerMissingOnServer local"])
    #expect(report.entities["ErrandRound"]?.deleted == 1 && report.entities["Errand"]?.deleted == 1)
    #expect(try errands(container) == ["a 1", "b 1", "n 1"])
    #expect(try container.mainContext.pendingText() == "+n ~a")
    try await container.push(Errand.self) { _ in ["a": .applied, "n": .rejected(reason: "no such round")] }
    // What waits in the inbox is safe, too.
    #expect(text(try await container.sync(payload: [], as: ErrandRound.self)).count == 1)
    for change in try container.pushInbox() { #expect(try await container.discard(change, adopting: nil)) }
    #expect(try await container.sync(payload: [], as: ErrandRound.self).conflicts.isEmpty)
    #expect(try errands(container) == [])
  }

  @Test("Where the server wins, what was changed here goes; what was made here stays")
  func serverWins() async throws {
    let container = try await container(.serverWins)
    let report = try await container.sync(payload: [["id": 2, "name": "2"]], as: ErrandRound.self)
    #expect(text(report) == ["Errand a ownerMissingOnServer server"])
    #expect(try errands(container) == ["c 2"] && container.mainContext.pendingText() == "")
    try addErrand("n", inRound: 2, container)
    let second = try await container.sync(payload: [], as: ErrandRound.self)
    #expect(text(second) == ["Errand n ownerMissingOnServer local"])
    #expect(try errands(container) == ["c 2", "n 2"] && container.mainContext.pendingText() == "+n")
  }

  @Test("A closure decides: the row goes only if it is for the server in every case", arguments: [true, false])
  func custom(_ isForAll: Bool) async throws {
    let container = try await container(.custom { $0.identity == "n" && !isForAll ? .local : .server })
    try addErrand("n", inRound: 1, container)
    let report = try await container.sync(payload: [], as: ErrandRound.self)
    let resolution = isForAll ? "server" : "local"
    #expect(text(report) == ["a", "n"].map { "Errand \($0) ownerMissingOnServer \(resolution)" })
    #expect(try errands(container) == (isForAll ? [] : ["a 1", "b 1", "n 1"]))
  }

  @Test("A dry run tells the same and changes nothing")
  func dryRun() async throws {
    let container = try await container(.serverWins)
    let report = try await container.sync(payload: [], as: ErrandRound.self, dryRun: true)
    #expect(text(report) == ["Errand a ownerMissingOnServer server"])
    #expect(try errands(container).count == 3 && container.mainContext.pendingText() == "~a")
  }

  @Test("The same by way of objects")
  func objects() async throws {
    let container = try await container()
    let core = container.modelContainer.core
    let request = SyncRequest(
      entity: "ErrandRound", document: try PayloadDocument(json: Data("[]".utf8)), form: .collection)
    let report = try await core.syncObjects(request, as: ErrandRound.self, author: SyncContainer.inboundAuthor)
    #expect(report.entities["ErrandRound"]?.deleted == 1)
    #expect(try errands(container) == ["a 1", "b 1"] && container.mainContext.pendingText() == "~a")
  }
}
