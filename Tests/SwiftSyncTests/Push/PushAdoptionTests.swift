import Foundation
import Testing

@testable import SwiftSync

/// A model that is pushed, and leads to one with code of its own, so that its rows are synced by way of objects.
@Syncable @Model final class Shipment {
  @Attribute(.unique, .preserveValueOnDeletion) var id: String
  var title: String
  var probe: Probe?

  init(id: String, title: String) {
    self.id = id
    self.title = title
  }
}

/// Taking over what the server has in place of a local change, and when that must not be.
@MainActor
@Suite struct PushAdoptionTests {
  private let container: SyncContainer
  private var context: ModelContext { container.mainContext }

  init() throws {
    container = try errandContainer()
  }

  private func pull(_ ids: String..., round: Int? = nil) async throws {
    for id in ids {
      try await container.sync(
        item: ["id": id, "title": "first", "stars": 0, "round_id": round as Any? ?? NSNull()], as: Errand.self)
    }
  }

  private static func server(_ id: String) throws -> SyncJSON {
    try SyncJSON(dictionary: ["id": id, "title": "theirs", "stars": 4])
  }

  @Test("An answer is adopted also when the task was cancelled while it came")
  func cancelled() async throws {
    try await pull("a", "b", "c")
    for id in ["a", "b", "c"] { try context.editErrand(id) { $0.title = "mine" } }
    let container = container
    let push = Task {
      try await container.push(Errand.self) { _ in
        withUnsafeCurrentTask { $0?.cancel() }
        return ["a": .stale(try Self.server("a")), "b": .stale(nil), "c": .applied]
      }
    }
    let report = try await push.value
    #expect(report.stale == ["a", "b"] && report.applied == ["c"] && report.rejected.isEmpty)
    #expect(try container.pushInbox().isEmpty && context.pendingText() == "")
    #expect(try context.errand("a")?.title == "theirs" && context.errand("b") == nil)
  }

  /// What a server may answer instead of its row, and what is said against it.
  nonisolated static let unusableRows: [(server: SyncJSON, words: String)] = [
    (.object(["id": .string("another"), "title": .string("theirs")]), "has the identity another"),
    (.object(["title": .string("theirs")]), "has no identity"),
    (.object(["id": .null, "title": .string("theirs")]), "has no identity"),
    (.object(["data": .object(["id": .string("a"), "title": .string("theirs")])]), "has no identity"),
    (.object([:]), "has no identity"),
    (.array([.object(["id": .string("a"), "title": .string("theirs")])]), "is no object"),
    (.array([]), "is no object"),
    (.int(409), "is no object"),
    (.string("a"), "is no object"),
    (.bool(false), "is no object"),
    (.null, "is no object"),
    (.object(["id": .string("a"), "data": .object(["title": .string("theirs")])]), "has nothing but its identity"),
  ]

  @Test("What is not the row that was sent is not taken for it", arguments: unusableRows)
  func unusableRow(_ server: SyncJSON, _ words: String) async throws {
    try await pull("a")
    try context.editErrand("a") { $0.title = "mine" }
    let report = try await container.push(Errand.self) { _ in ["a": .stale(server)] }
    #expect(report.rejected == ["a"] && report.stale.isEmpty)
    let parked = try #require(try container.pushInbox().first)
    #expect(parked.code == PushAdoption.refusalCode && parked.changedProperties == ["title"])
    #expect(parked.reason == "Invalid payload for Errand: the server's row for a \(words)")
    #expect(try context.errand("a")?.title == "mine" && context.fetchCount(FetchDescriptor<Errand>()) == 1)
    let error = SyncError.invalidPayload(model: "Errand", reason: "the server's row for a \(words)")
    await #expect(throws: error) { try await container.discard(parked, adopting: server) }
    #expect(try container.pushInbox().count == 1 && context.errand("a")?.title == "mine")
  }

  @Test(
    "A row that does not mention what was changed is not adopted by itself; whoever gives the change up gets the rest back"
  )
  func incompleteRow() async throws {
    try await pull("a")
    try context.editErrand("a") { errand in
      errand.title = "mine"
      errand.note = "mine"
    }
    let server = try SyncJSON(dictionary: ["id": "a", "title": "theirs", "stars": 4])
    #expect(try await container.push(Errand.self) { _ in ["a": .stale(server)] }.rejected == ["a"])
    let parked = try #require(try container.pushInbox().first)
    #expect(parked.reason.hasSuffix("the server's row for a says nothing of what was changed here: note"))
    #expect(try context.errand("a")?.title == "mine" && context.errand("a")?.stars == 0)
    #expect(try await container.discard(parked, adopting: server))
    let errand = try #require(try context.errand("a"))
    #expect(errand.title == "theirs" && errand.stars == 4 && errand.note == nil)
    #expect(try context.pendingText() == "" && container.pushInbox().isEmpty)
  }

  @Test("A row of which only the identity can be read takes nothing's place", arguments: ["insert", "delete"])
  func emptyRow(_ kind: String) async throws {
    if kind == "insert" {
      try context.addErrand("a", title: "mine")
    } else {
      try await pull("a")
      try context.deleteErrand("a")
    }
    let envelope = SyncJSON.object(["id": .string("a"), "data": .object(["title": .string("theirs")])])
    let report = try await container.push(Errand.self) { _ in ["a": .stale(envelope)] }
    #expect(report.rejected == ["a"])
    #expect(try container.pushInbox().first?.reason.contains("a has nothing but its identity") == true)
    #expect(try context.errand("a")?.title == (kind == "insert" ? "mine" : nil))
    #expect(try await container.retry(try #require(container.pushInbox().first)))
    try await container.push(Errand.self) { _ in ["a": .stale(try Self.server("a"))] }
    #expect(try context.errand("a")?.title == "theirs" && context.pendingText() == "")
  }

  @Test("Of a row it counts what it mentions, also null, and a link to a row that isn't here")
  func mentionedProperties() async throws {
    try await pull("a")
    try context.editErrand("a") { errand in
      errand.note = "mine"
      errand.stars = 7
      errand.round = ErrandRound(id: 1)
      errand.helpers = [Helper(id: "h")]
    }
    let server = try SyncJSON(
      dictionary: ["id": "a", "note": NSNull(), "stars": NSNull(), "round_id": 99, "helper_ids": [String]()])
    let report = try await container.push(Errand.self) { _ in ["a": .stale(server)] }
    #expect(report.stale == ["a"])
    #expect(try container.pushInbox().map(\.reason) == [])
    let errand = try #require(try context.errand("a"))
    #expect(errand.note == nil && errand.stars == 0 && errand.helpers.isEmpty)
    #expect(try context.pendingText() == "")
  }

  @Test("What the server has deleted goes with what would go with it, if that has no changes of its own by then")
  func deletedOwner() async throws {
    try await container.sync(item: ["id": 1, "name": "r"], as: ErrandRound.self)
    try await pull("a", "b", round: 1)
    try context.editErrand("a") { $0.title = "mine" }
    try context.fetch(FetchDescriptor<ErrandRound>()).first?.name = "mine"
    try context.save()
    let models: [any SyncUpdatableModel.Type] = [ErrandRound.self, Errand.self]
    let first = try await container.push(models) { changes in
      Dictionary(
        uniqueKeysWithValues: changes.changes.map {
          ($0.id, $0.id.model == "Errand" ? .rejected(reason: "no") : .stale(nil))
        })
    }
    #expect(first.rejected.map(\.model) == ["Errand", "ErrandRound"])
    let round = try #require(try container.pushInbox(for: ErrandRound.self).first)
    #expect(round.reason == "ErrandRound 1 can't be deleted: rows would go with it that have local changes: Errand a.")
    #expect(try context.fetchCount(FetchDescriptor<Errand>()) == 2)
    await #expect(throws: SyncPushError.dirtyRowsBelow(model: "ErrandRound", identity: "1", ["Errand a"])) {
      try await container.discard(round, adopting: nil)
    }
    for change in try container.pushInbox() { try await container.retry(change) }
    let second = try await container.push(models) { changes in
      Dictionary(uniqueKeysWithValues: changes.changes.map { ($0.id, .stale(nil)) })
    }
    #expect(second.stale.count == 2 && second.rejected.isEmpty)
    #expect(try context.fetchCount(FetchDescriptor<Errand>()) == 0 && container.pushInbox().isEmpty)
  }

  @Test("Giving up what was made here does not take along others that wait to be sent")
  func discardedOwner() async throws {
    let round = ErrandRound(id: 1)
    context.insert(round)
    context.insert(Errand(id: "a", round: round))
    try context.save()
    try await container.push(ErrandRound.self) { _ in [1: .rejected(reason: "no")] }
    let parked = try #require(try container.pushInbox().first)
    await #expect(throws: SyncPushError.dirtyRowsBelow(model: "ErrandRound", identity: "1", ["Errand a"])) {
      try await container.discard(parked)
    }
    #expect(try context.pendingText() == "+a" && container.pushInbox().count == 1)
    try context.deleteErrand("a")
    #expect(try await container.discard(parked))
    #expect(try context.fetchCount(FetchDescriptor<ErrandRound>()) == 0)
  }

  // MARK: By way of objects

  private func shipments() async throws -> SyncContainer {
    let container = try SyncContainer(
      for: Shipment.self, Probe.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    try await container.sync(
      payload: [["id": "a", "title": "first"], ["id": "b", "title": "first"]], as: Shipment.self)
    for shipment in try container.mainContext.fetch(FetchDescriptor<Shipment>()) { shipment.title = "mine" }
    try container.mainContext.save()
    return container
  }

  /// The shipments as `id title`, and which of them are pending.
  private func state(_ container: SyncContainer) throws -> [String] {
    let pending = try SwiftSync.pendingChanges(for: Shipment.self, in: container.mainContext).updates
    return try ModelContext(container.modelContainer).fetch(FetchDescriptor<Shipment>(sortBy: [SortDescriptor(\.id)]))
      .map { "\($0.id) \($0.title)" + (pending.contains($0.id) ? " pending" : "") }
  }

  private static func shipment(_ id: String) throws -> SyncJSON {
    try SyncJSON(dictionary: ["id": id, "title": "theirs", "probe": ["id": 1, "value": 1]])
  }

  @Test("An edit that comes while code of the application adopts the server's row is not lost")
  func editWhileObjectsAreRead() async throws {
    let container = try await shipments()
    let model = container.modelContainer
    let edit: @Sendable (Int) async throws -> Void = { _ in
      let context = ModelContext(model)
      try context.fetch(FetchDescriptor<Shipment>(predicate: #Predicate { $0.id == "a" })).first?.title = "mine again"
      try context.save()
    }
    let report = try await Probe.$action.withValue(edit) {
      try await container.push(Shipment.self) { _ in ["a": .stale(try Self.shipment("a")), "b": .applied] }
    }
    #expect(report.stale == ["a"] && report.editedMeanwhile == ["a"])
    #expect(try state(container) == ["a mine again pending", "b mine"])
    #expect(try ModelContext(model).fetchCount(FetchDescriptor<Probe>()) == 0)
    _ = try await container.push(Shipment.self) { _ in ["a": .stale(try Self.shipment("a"))] }
    #expect(try state(container) == ["a theirs", "b mine"])
    #expect(try ModelContext(model).fetchCount(FetchDescriptor<Probe>()) == 1)
  }

  @Test("What code of the application throws stands in no other row's way")
  func errorOfModel() async throws {
    let container = try await shipments()
    let fail: @Sendable (Int) async throws -> Void = { _ in throw ServerRefusal(text: "not here") }
    let report = try await Probe.$action.withValue(fail) {
      try await container.push(Shipment.self) { _ in
        ["a": .stale(try Self.shipment("a")), "b": .stale(try SyncJSON(dictionary: ["id": "b", "title": "theirs"]))]
      }
    }
    #expect(report.rejected == ["a"] && report.stale == ["b"])
    #expect(try state(container) == ["a mine", "b theirs"])
    #expect(try container.pushInbox().map(\.code) == [PushAdoption.refusalCode])
  }
}
