import Foundation
import Testing

@testable import SwiftSync

/// Several models in one pass.
@MainActor
@Suite struct PushOrderTests {
  private let container: SyncContainer
  private var context: ModelContext { container.mainContext }

  init() throws {
    container = try errandContainer()
  }

  /// What was sent, as texts such as `insert Errand a`.
  private func sent(
    _ models: [any SyncUpdatableModel.Type],
    _ outcome: @escaping (SyncPendingChange<SyncRowIdentity>) -> SyncPushOutcome? = {
      _ in .applied
    }
  ) async throws -> [String] {
    var sent: [String] = []
    try await container.push(models) { changes in
      sent = changes.changes.map { "\($0.kind) \($0.id.model) \($0.id)" }
      return Dictionary(
        uniqueKeysWithValues: changes.changes.compactMap { change in outcome(change).map { (change.id, $0) } })
    }
    return sent
  }

  @Test func parentsComeBeforeChildrenAndDeletionsTheOtherWayRound() async throws {
    let round = ErrandRound(id: 1)
    context.insert(Errand(id: "a", round: round))
    try context.save()
    try context.addErrand("b")
    #expect(
      try await sent([Errand.self, ErrandRound.self]) == ["insert ErrandRound 1", "insert Errand a", "insert Errand b"])
    #expect(try await sent([Errand.self, ErrandRound.self]).isEmpty)
    context.delete(round)
    try context.save()
    try context.editErrand("b") { $0.title = "x" }
    context.insert(ErrandRound(id: 2))
    try context.save()
    #expect(
      try await sent([ErrandRound.self, Errand.self]) == [
        "insert ErrandRound 2", "update Errand b", "delete Errand a", "delete ErrandRound 1",
      ])
  }

  @Test("A list whose members are sent with where they belong doesn't make its owner pending")
  func ownersOfMembers() async throws {
    let round = ErrandRound(id: 1)
    context.insert(round)
    try context.save()
    _ = try await sent([ErrandRound.self])
    context.insert(Errand(id: "a", round: round))
    try context.save()
    #expect(try SwiftSync.pendingChangeSet(for: ErrandRound.self, in: context).isEmpty)
    round.name = "x"
    round.errands = []
    try context.save()
    let changes = try SwiftSync.pendingChangeSet(for: ErrandRound.self, in: context).changes
    #expect(changes.map(\.changedProperties) == [["name"]])
  }

  @Test func rowsOfOneModelThatLeadToOneAnother() async throws {
    let ids = (0..<4).map { _ in UUID() }
    let places = ids.map { Spot(id: $0, name: "p") }
    for (inner, outer) in zip(places, places.dropFirst()) { inner.within = outer }
    context.insert(places[0])
    try context.save()
    #expect(try await sent([Spot.self]) == ids.reversed().map { "insert Spot \($0.uuidString)" })
    places[3].within = places[0]
    try context.save()
    #expect(try await sent([Spot.self]) == ["update Spot \(ids[3].uuidString)"])
  }

  @Test func ringOfNewRowsIsSentInAnyOrder() async throws {
    let (first, second) = (Spot(name: "1"), Spot(name: "2"))
    context.insert(first)
    context.insert(second)
    first.within = second
    second.within = first
    try context.save()
    #expect(try await sent([Spot.self]).count == 2)
  }

  @Test func outcomesAreByRow() async throws {
    let round = ErrandRound(id: 1)
    context.insert(Errand(id: "1", round: round))
    try context.save()
    _ = try await sent([ErrandRound.self, Errand.self]) { $0.id.model == "Errand" ? nil : .applied }
    #expect(try context.pendingText() == "+1")
    #expect(try SwiftSync.pendingChangeSet(for: ErrandRound.self, in: context).isEmpty)
    let report = try await container.drain([ErrandRound.self, Errand.self]) { changes in
      Dictionary(uniqueKeysWithValues: changes.changes.map { ($0.id, .rejected(reason: "no")) })
    }
    #expect(report.rejected == [SyncRowIdentity(Errand.self, "1")])
    #expect(try container.pushInbox().map(\.id.model) == ["Errand"])
  }

  @Test func badListsAndAnswersAreErrors() async throws {
    try context.addErrand("a")
    await #expect(throws: SyncPushError.repeatedModel("Errand")) {
      try await container.push([Errand.self, ErrandRound.self, Errand.self]) { _ in [:] }
    }
    let foreign = try #require(SyncRowIdentity(ErrandRound.self, 1))
    await #expect(throws: SyncPushError.unknownIdentities(model: "ErrandRound, Errand", ["1"])) {
      try await container.push([ErrandRound.self, Errand.self]) { _ in [foreign: .applied] }
    }
    #expect(try await container.push([]) { _ in [:] }.isEmpty)
    #expect(try context.pendingText() == "+a")
  }
}
