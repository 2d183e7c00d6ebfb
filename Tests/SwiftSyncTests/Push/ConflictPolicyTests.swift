import Foundation
import SyncEngine
import Testing

@testable import SwiftSync

@Suite("What becomes of rows that were changed on both sides, by policy")
struct ConflictPolicyTests {
  private static let pulled = #"""
    [{"id":"a","title":"A2","text":"2","updated_at":200,"rack_id":"y","stamp_ids":["s"]},
    {"id":"b","title":"B","text":"1","updated_at":100,"rack_id":"x","stamp_ids":[]}]
    """#

  @Test("The server wins: rows become what it has, those deleted here come back, those that it lacks go; new ones stay")
  func serverWins() async throws {
    let store = try await LeafletStore(.serverWins)
    try store.edit("a") { $0.title = "mine" }
    try store.edit("b") { $0.title = "mine" }
    try store.edit("c") { $0.title = "mine" }
    try store.insert("n")
    let report = try await store.pull(Self.pulled)
    // Of b the server has nothing new, so there is nothing that could win.
    #expect(try store.leaflets == ["a A2/2/200 y s", "b mine/1/100 x ", "n new/-/- - "])
    #expect(try store.dirty == ["+n", "b title"])
    #expect(
      report.conflicts.map { "\($0.identity) \($0.kind) \($0.resolution)" }
        == ["a changedOnBoth server", "c missingOnServer server"])
    #expect(report.conflicts.first?.values.allSatisfy(\.isServerTaken) == true)
    try store.delete("a")
    let third = Self.pulled.replacingOccurrences(of: "A2", with: "A3")
    #expect(try await store.pull(third).conflicts.map { "\($0.kind) \($0.resolution)" } == ["deletedHere server"])
    #expect(try store.leaflets.first == "a A3/2/200 y s" && store.dirty == ["+n", "b title"])
  }

  @Test(
    "The newest by attribute: one side's changes are taken, of both sides' the newer",
    arguments: [
      (150, "a A2/mine/200 y ", ["a text"]),
      (200, "a mine/mine/200 y ", ["a title,text"]),
      (250, "a mine/mine/250 y ", ["a title,text,updatedAt"]),
    ])
  func newestByAttribute(_ seconds: Int, _ leaflet: String, _ dirty: [String]) async throws {
    let store = try await LeafletStore(.newestByAttribute())
    try store.edit("a") {
      $0.title = "mine"
      $0.text = "mine"
      $0.updatedAt = Date(timeIntervalSince1970: Double(seconds))
    }
    let pulled = #"[{"id":"a","title":"A2","text":"1","updated_at":200,"rack_id":"y"}]"#
    try await store.pull(pulled)
    #expect(try store.leaflets.first == leaflet && store.dirty == dirty)
    #expect(try await store.pull(pulled).conflicts.isEmpty)
    #expect(try store.leaflets.first == leaflet)
  }

  @Test("The newest by attribute: what was sent without an answer and undone counts as changed here")
  func newestAfterUndoing() async throws {
    let store = try await LeafletStore(.newestByAttribute())
    func edit(_ title: String, at seconds: Double) throws {
      try store.edit("a") {
        $0.title = title
        $0.updatedAt = Date(timeIntervalSince1970: seconds)
      }
    }
    try edit("mine", at: 150)
    // It arrives, and the answer is lost.
    try await store.container.push(Leaflet.self) { _ in [:] }
    try edit("A", at: 250)
    try await store.pull(#"[{"id":"a","title":"mine","text":"2","updated_at":150,"rack_id":"x"}]"#)
    #expect(try store.leaflets.first == "a A/2/250 x " && store.dirty == ["a title,updatedAt"])
  }

  @Test("Without the timestamp in the payload, and for a deletion, nothing is taken")
  func newestWithoutTimestamp() async throws {
    let store = try await LeafletStore(.newestByAttribute())
    try store.edit("a") { $0.title = "mine" }
    try store.delete("b")
    let report = try await store.pull(
      #"[{"id":"a","title":"A2","text":"2"},{"id":"b","title":"B2"},{"id":"c","title":"C"}]"#)
    #expect(report.conflicts.allSatisfy { $0.resolution == .local })
    #expect(try store.leaflets == ["a mine/1/100 x ", "c C/1/100 x "] && store.dirty == ["-b", "a title"])
  }

  @Test("A timestamp that no model has is an error, when the container is opened and at each sync")
  func misspelledTimestamp() async throws {
    let misspelled = SyncConflictPolicy.newestByAttribute(timestamp: "updated_at")
    let error = SyncError.schemaValidation(
      reason: "The conflict policy compares the timestamp updated_at, which none of these models has: Leaflet.")
    await #expect(throws: error) { _ = try await LeafletStore(misspelled) }
    let model = try await LeafletStore().container.modelContainer
    let container = SyncContainer(model, conflicts: misspelled)
    await #expect(throws: error) { try await container.sync(payload: [], as: Leaflet.self) }
    await #expect(throws: error) { try await container.sync(json: Data("[]".utf8), as: Rack.self) }
    #expect(try LeafletStore(container: container).leaflets.count == 3)
    // Where nothing is changed offline there is nothing to decide.
    _ = try SyncContainer(
      for: Helper.self, conflicts: misspelled, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
  }

  @Test("A closure that names what no model has ends the sync, and nothing has changed")
  func misspelledProperty() async throws {
    let store = try await LeafletStore(.custom { _ in .merge(server: ["text", "titel", "stamps", "id"]) })
    try store.edit("a") { $0.title = "mine" }
    let error = SyncError.schemaValidation(
      reason: "The conflict policy merges titel from the server, which neither Leaflet has nor another model whose "
        + "changes are pushed.")
    await #expect(throws: error) { try await store.pull(Self.pulled) }
    #expect(try store.leaflets == ["a mine/1/100 x ", "b B/1/100 x ", "c C/1/100 x "] && store.dirty == ["a title"])
  }

  @Test("A closure decides row by row, and property by property")
  func custom() async throws {
    let store = try await LeafletStore(
      .custom { conflict in
        switch conflict.identity {
        case "a": .merge(server: ["text", "rack"])
        case "b": .server
        default: .local
        }
      })
    for id in ["a", "b", "c"] {
      try store.edit(id) {
        $0.title = "mine"
        $0.text = "mine"
      }
    }
    let rows = ["a", "b", "c"].map {
      #"{"id":"\#($0)","title":"T","text":"server","rack_id":"y","stamp_ids":["s"]}"#
    }
    let report = try await store.pull("[\(rows.joined(separator: ","))]")
    #expect(
      try store.leaflets == ["a mine/server/100 y ", "b T/server/100 y s", "c mine/mine/100 x "])
    #expect(try store.dirty == ["a title", "c title,text"])
    #expect(
      report.conflicts.map { $0.values.filter(\.isServerTaken).map(\.property) }
        == [["text", "rack"], ["title", "text", "rack"], []])
    #expect("\(report)".hasSuffix("3 conflicts"))
  }
}
