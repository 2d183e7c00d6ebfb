import Foundation
import SyncEngine
import Testing

@testable import SwiftSync

@Suite("Pulls while rows are dirty: what was changed here stays until it is pushed")
struct DirtyRowPullTests {
  /// The payloads of the server, in every form that a collection has.
  enum Form: CaseIterable, Sendable {
    case text, lines, values, chunks
  }

  private func pull(_ json: String, _ form: Form, into store: LeafletStore) async throws -> SyncReport {
    let rows = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [[String: Any]])
    let lines = try rows.map { String(decoding: try JSONSerialization.data(withJSONObject: $0), as: UTF8.self) }
      .joined(separator: "\n")
    switch form {
    case .text: return try await store.pull(json)
    case .lines: return try await store.container.sync(ndjson: Data(lines.utf8), as: Leaflet.self)
    case .values: return try await store.container.sync(payload: rows, as: Leaflet.self)
    case .chunks:
      let chunks = AsyncStream<Data> { stream in
        for byte in Data(json.utf8) { stream.yield(Data([byte])) }
        stream.finish()
      }
      return try await store.container.sync(chunks: chunks, as: Leaflet.self)
    }
  }

  static let changed = #"""
    [{"id":"a","title":"A2","text":"2","updated_at":200,"rack_id":"y","stamp_ids":["s"]},
    {"id":"b","title":"B2","text":"1","updated_at":100,"rack_id":"x","stamp_ids":[]}]
    """#

  @Test("13.6, B-19: a dirty row is kept whole, in every form; clean ones follow the server", arguments: Form.allCases)
  func keptWhole(_ form: Form) async throws {
    let store = try await LeafletStore()
    try store.edit("a") { $0.title = "mine" }
    let report = try await pull(Self.changed, form, into: store)
    #expect(try store.leaflets == ["a mine/1/100 x ", "b B2/1/100 x "])
    #expect(report.entities["Leaflet"]?.description == "1 updated, 1 deleted, 1 unchanged")
    #expect(try store.dirty == ["a title"])
    let conflict = try #require(report.conflicts.first)
    #expect(report.conflicts.count == 1 && conflict.kind == .changedOnBoth && conflict.identity == "a")
    #expect(
      conflict.entity == "Leaflet" && conflict.row == 0 && conflict.pointer == "/0" && conflict.resolution == .local)
    #expect(
      conflict.values.map {
        "\($0.property) \($0.base?.description ?? "?") \($0.local?.description ?? "?") \($0.server)"
      }
        == [
          "title A mine A2", "text 1 1 2",
          "updatedAt 1970-01-01T00:01:40.000Z 1970-01-01T00:01:40.000Z 1970-01-01T00:03:20.000Z", "rack x x y",
        ])
  }

  @Test("A conflict names the lists that differ, whoever has changed them, and leaves them alone")
  func lists() async throws {
    let store = try await LeafletStore()
    func lists(_ members: String, title: String) async throws -> [[String]] {
      let json = #"[{"id":"a","title":"\#(title)"\#(members)}]"#
      return try await store.pull(json).conflicts.filter { $0.kind == .changedOnBoth }.map(\.lists)
    }
    try store.edit("a") { $0.title = "mine" }
    #expect(try await lists(#","stamp_ids":[]"#, title: "1") == [[]])
    #expect(try await lists(#","stamp_ids":["s"]"#, title: "2") == [["stamps"]])
    #expect(try await lists("", title: "3") == [[]])
    try store.edit("a") { leaflet in
      leaflet.stamps = try leaflet.modelContext?.fetch(FetchDescriptor<Stamp>()) ?? []
    }
    #expect(try await lists(#","stamp_ids":["s"]"#, title: "4") == [[]])
    #expect(try await lists(#","stamp_ids":["s","unknown"]"#, title: "5") == [["stamps"]])
    #expect(try await lists(#","stamps":[{"id":"s"}]"#, title: "6") == [[]])
    #expect(try await lists(#","stamp_ids":null"#, title: "7") == [["stamps"]])
    #expect(try store.leaflets == ["a mine/1/100 x s"])
  }

  @Test("A conflict is told once: then the server's version is what the next one is compared with")
  func toldOnce() async throws {
    let store = try await LeafletStore()
    try store.edit("a") { $0.title = "mine" }
    #expect(try await store.pull(Self.changed).conflicts.count == 1)
    #expect(try await store.pull(Self.changed).conflicts.isEmpty)
    let third = Self.changed.replacingOccurrences(of: "A2", with: "A3")
    let values = try await store.pull(third).conflicts.flatMap(\.values)
    #expect(values.map { "\($0.property) \($0.base?.description ?? "?") \($0.server)" } == ["title A2 A3"])
    #expect(try store.leaflets.first == "a mine/1/100 x ")
  }

  @Test("The same text again and again: a dirty row is never taken for one that says nothing new")
  func digests() async throws {
    let store = try await LeafletStore()
    #expect(try await store.pull(LeafletStore.payload).recognizedRows == 3)
    try store.edit("a") { $0.title = "mine" }
    for _ in 1...2 {
      let report = try await store.pull(LeafletStore.payload)
      #expect(report.recognizedRows == 2 && report.conflicts.isEmpty)
      #expect(try store.leaflets.first == "a mine/1/100 x " && store.dirty == ["a title"])
    }
    // Settled without having become what the payload says.
    _ = try await store.container.modelContainer.core.store.write { transaction in
      let entity = try #require(transaction.catalog.entity(named: "Leaflet"))
      for entry in try transaction.pushEntries(of: entity) { try transaction.forgetPush(of: entry.row, entity) }
    }
    try await store.pull(LeafletStore.payload)
    #expect(try store.leaflets.first == "a A/1/100 x ")
  }

  @Test("What both sides have changed alike need not be pushed")
  func sameChange() async throws {
    let store = try await LeafletStore()
    try store.edit("a") {
      $0.title = "A2"
      $0.text = "mine"
    }
    try store.edit("b") { $0.title = "B2" }
    let report = try await store.pull(Self.changed)
    #expect(try store.dirty == ["a text"])
    #expect(
      report.conflicts.map(\.identity) == ["a"] && !report.conflicts[0].values.contains { $0.property == "title" })
  }

  @Test("Rows that the server does not list: one made here stays without a word, one changed here with a conflict")
  func missing() async throws {
    let store = try await LeafletStore()
    try store.edit("b") { $0.title = "mine" }
    try store.insert("n", in: "x")
    let report = try await store.pull("[]")
    #expect(try store.leaflets == ["b mine/1/100 x ", "n new/-/- x "])
    #expect(report.conflicts.map { "\($0.identity) \($0.kind)" } == ["b missingOnServer"])
    #expect(report.conflicts.first?.row == nil && report.conflicts.first?.pointer == "")
    #expect(report.entities["Leaflet"]?.deleted == 2)
    // Of one parent.
    let context = ModelContext(store.container.modelContainer)
    let rack = try #require(try context.fetch(FetchDescriptor<Rack>()).first { $0.id == "x" })
    try await store.container.sync(payload: [], as: Leaflet.self, parent: rack, relationship: \.rack)
    #expect(try store.leaflets == ["b mine/1/100 x ", "n new/-/- x "])
  }

  @Test("B-28: a row that was deleted here does not come back; the report says when the server's has changed")
  func deleted() async throws {
    let store = try await LeafletStore()
    try store.delete("a")
    #expect(try await store.pull(LeafletStore.payload).conflicts.isEmpty)
    #expect(try store.leaflets.map { $0.first } == ["b", "c"] && store.dirty == ["-a"])
    let report = try await store.pull(Self.changed)
    #expect(report.conflicts.map { "\($0.identity) \($0.kind)" } == ["a deletedHere"])
    #expect(report.conflicts.first?.values.first?.local == nil)
    #expect(try await store.pull(Self.changed).conflicts.isEmpty)
    #expect(try store.leaflets.map { $0.first } == ["b"] && store.dirty == ["-a"])
  }

  @Test("Deleted and made again here: one dirty row, which is kept")
  func madeAgain() async throws {
    let store = try await LeafletStore()
    try store.delete("a")
    try store.insert("a", title: "again")
    try await store.pull(Self.changed)
    #expect(try store.leaflets.first == "a again/-/- - ")
    // And adopted as a whole.
    try await store.container.sync(item: ["id": "a", "title": "server"], as: Leaflet.self)
    #expect(try store.leaflets.first == "a server/-/- - " && store.dirty.isEmpty)
  }

  @Test("A single item is adopted: what it speaks of is clean, the rest stays to be pushed")
  func item() async throws {
    let store = try await LeafletStore()
    try store.edit("a") {
      $0.title = "mine"
      $0.text = "mine"
    }
    try store.delete("b")
    try store.insert("n")
    let report = try await store.container.sync(item: ["id": "a", "title": "server"], as: Leaflet.self)
    #expect(report.conflicts.isEmpty && report.entities["Leaflet"]?.updated == 1)
    #expect(try store.leaflets.first == "a server/mine/100 x " && store.dirty == ["+n", "-b", "a text"])
    try await store.container.sync(item: ["id": "a", "text": "server"], as: Leaflet.self)
    try await store.container.sync(item: ["id": "b", "title": "back"], as: Leaflet.self)
    try await store.container.sync(item: ["id": "n", "title": "known"], as: Leaflet.self)
    #expect(try store.leaflets.contains("b back/-/- - ") && store.leaflets.contains("n known/-/- - "))
    #expect(try store.dirty.isEmpty)
  }

  @Test("B-19: a dirty row's links stay, whichever end the server tells them from")
  func links() async throws {
    let store = try await LeafletStore()
    try store.edit("a") { $0.title = "mine" }
    let moved = try await store.container.sync(
      payload: [["id": "x", "leaflet_ids": ["c"]], ["id": "y", "leaflet_ids": ["a", "b"]]], as: Rack.self)
    #expect(try store.leaflets == ["a mine/1/100 x ", "b B/1/100 y ", "c C/1/100 x "])
    #expect(moved.ignoredReferences.map(\.reason) == [.memberHasLocalChanges, .memberHasLocalChanges])
    try await store.container.sync(payload: [["id": "s", "leaflet_ids": ["a", "b"]]], as: Stamp.self)
    #expect(try store.leaflets == ["a mine/1/100 x ", "b B/1/100 y s", "c C/1/100 x "])
    // Inside of another row, too.
    try await store.container.sync(
      payload: [["id": "y", "leaflets": [["id": "a", "title": "nested"], ["id": "c", "title": "nested"]]]],
      as: Rack.self
    )
    #expect(try store.leaflets.filter { $0.first != "b" } == ["a mine/1/100 - ", "c nested/1/100 y "])
  }

  @Test(
    "A link that was set here to a row that the server does not list is lost with a conflict; others go without a word")
  func lostLinks() async throws {
    let store = try await LeafletStore()
    func lose(_ racks: [[String: String]], dryRun: Bool = false) async throws -> [String] {
      let report = try await store.container.sync(payload: racks, as: Rack.self, dryRun: dryRun)
      return report.conflicts.map { conflict in
        let values = conflict.values.map {
          "\($0.property) \($0.base?.description ?? "?") \($0.local?.description ?? "?") \($0.server)"
        }
        return "\(conflict.entity) \(conflict.identity) \(conflict.kind) \(conflict.resolution) \(values)"
      }
    }
    let context = ModelContext(store.container.modelContainer)
    let racks = try context.fetch(FetchDescriptor<Rack>(sortBy: [SortDescriptor(\.id)]))
    try store.edit("a") { leaflet in
      leaflet.rack = try leaflet.modelContext?.fetch(FetchDescriptor<Rack>()).first { $0.id == "y" }
    }
    try store.edit("b") { $0.title = "mine" }
    try store.insert("n", in: "y")
    #expect(racks.map(\.id) == ["x", "y"])
    let lost = [
      #"Leaflet a linkLost server ["rack x y null"]"#, #"Leaflet n linkLost server ["rack ? y null"]"#,
    ]
    #expect(try await lose([["id": "x"]], dryRun: true) == lost)
    #expect(try await lose([["id": "x"]]) == lost)
    #expect(try await lose([["id": "x"]]) == [])
    #expect(try await lose([]) == [])
    #expect(try store.leaflets == ["a A/1/100 - ", "b mine/1/100 - ", "c C/1/100 - ", "n new/-/- - "])
    #expect(try store.dirty == ["+n", "a rack", "b title"])
  }

  @Test("13.6: in a graph with hand-written models, dirty objects are kept too, and deleted ones do not come back")
  func objects() async throws {
    let store = try await LeafletStore()
    try store.edit("a") { $0.title = "mine" }
    try store.delete("b")
    try store.insert("n", in: "x")
    let core = store.container.modelContainer.core
    func pull<Model: SyncUpdatableModel>(_ json: String, as model: Model.Type) async throws -> SyncReport {
      let request = SyncRequest(
        entity: model.modelTable.name, document: try PayloadDocument(json: Data(json.utf8)), form: .collection)
      return try await core.syncObjects(request, as: model, author: SyncContainer.inboundAuthor)
    }
    let report = try await pull(Self.changed, as: Leaflet.self)
    #expect(try store.leaflets == ["a mine/1/100 x ", "n new/-/- x "] && store.dirty == ["+n", "-b", "a title"])
    #expect(report.entities["Leaflet"]?.description == "1 deleted, 1 unchanged")
    _ = try await pull(
      #"[{"id":"x","leaflets":[{"id":"a","title":"T"},{"id":"b","title":"T"},{"id":"d","title":"T"}]}]"#, as: Rack.self)
    #expect(try store.leaflets.map { String($0.prefix(6)) } == ["a mine", "d T/-/", "n new/"])
  }

  @Test("A dry run tells the conflicts and changes nothing")
  func dryRun() async throws {
    let store = try await LeafletStore(.serverWins)
    try store.edit("a") { $0.title = "mine" }
    let report = try await store.pull(Self.changed, dryRun: true)
    #expect(report.conflicts.count == 1 && report.isDryRun)
    #expect(try store.leaflets.count == 3 && store.leaflets.first == "a mine/1/100 x " && store.dirty == ["a title"])
  }
}
