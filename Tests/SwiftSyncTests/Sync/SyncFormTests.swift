import Foundation
import SwiftSync
import Synchronization
import Testing

/// Every form of `sync` ends in the same rows for the same payload.
@MainActor
@Suite("7, 8, 9: Every form of sync") struct SyncFormTests {
  struct Row: SyncPayloadConvertible {
    let json: SyncJSON
    func toSyncPayloadDictionary() -> [String: Any] { json.toSyncPayloadDictionary() }
  }

  /// Syncs rows by one of the forms, of a parent or of all.
  struct Form: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let sync: @MainActor (SyncContainer, String, Cabinet?, SyncRelationshipOperations) async throws -> SyncReport

    init(
      _ name: String,
      _ sync:
        @escaping @MainActor (SyncContainer, String, Cabinet?, SyncRelationshipOperations) async throws -> SyncReport
    ) {
      testDescription = name
      self.sync = sync
    }
  }

  nonisolated private static func objects(_ json: String) throws -> [[String: Any]] {
    try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [[String: Any]])
  }

  nonisolated private static func lines(_ json: String) throws -> Data {
    try objects(json).reduce(into: Data()) { data, row in
      data += try JSONSerialization.data(withJSONObject: row) + Data("\r\n\n".utf8)
    }
  }

  nonisolated private static func file(_ data: Data) throws -> URL {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("form-\(UUID()).json")
    try data.write(to: url)
    return url
  }

  nonisolated private static func chunks(_ data: Data, _ byteCount: Int) -> AsyncStream<Data> {
    AsyncStream { continuation in
      var rest = data
      while !rest.isEmpty {
        continuation.yield(rest.prefix(byteCount))
        rest = rest.dropFirst(byteCount)
      }
      continuation.finish()
    }
  }

  nonisolated static let collections: [Form] = [
    Form("[Any]") { container, json, parent, operations in
      let rows: [Any] = try objects(json)
      guard let parent else {
        return try await container.sync(payload: rows, as: Dossier.self, relationshipOperations: operations)
      }
      return try await container.sync(
        payload: rows, as: Dossier.self, parent: parent, relationship: \.cabinet, relationshipOperations: operations)
    },
    Form("SyncJSON") { container, json, parent, operations in
      let rows = try objects(json).map { try SyncJSON(dictionary: $0) }
      guard let parent else {
        return try await container.sync(payload: rows, as: Dossier.self, relationshipOperations: operations)
      }
      return try await container.sync(
        payload: rows, as: Dossier.self, parent: parent, relationship: \.cabinet, relationshipOperations: operations)
    },
    Form("SyncPayloadConvertible") { container, json, parent, operations in
      let rows = try objects(json).map { Row(json: try SyncJSON(dictionary: $0)) }
      guard let parent else {
        return try await container.sync(payload: rows, as: Dossier.self, relationshipOperations: operations)
      }
      return try await container.sync(
        payload: rows, as: Dossier.self, parent: parent, relationship: \.cabinet, relationshipOperations: operations)
    },
    Form("json") { container, json, parent, operations in
      let text = Data(json.utf8)
      guard let parent else {
        return try await container.sync(json: text, as: Dossier.self, relationshipOperations: operations)
      }
      return try await container.sync(
        json: text, as: Dossier.self, parent: parent, relationship: \.cabinet, relationshipOperations: operations)
    },
    Form("json at a path") { container, json, parent, operations in
      let text = Data(#"{"data":{"pages":[0,\#(json)]}}"#.utf8)
      guard let parent else {
        return try await container.sync(
          json: text, as: Dossier.self, at: "data.pages.1", relationshipOperations: operations)
      }
      return try await container.sync(
        json: text, as: Dossier.self, parent: parent, relationship: \.cabinet, at: "data.pages.1",
        relationshipOperations: operations)
    },
    Form("ndjson") { container, json, parent, operations in
      let text = try lines(json)
      guard let parent else {
        return try await container.sync(ndjson: text, as: Dossier.self, relationshipOperations: operations)
      }
      return try await container.sync(
        ndjson: text, as: Dossier.self, parent: parent, relationship: \.cabinet, relationshipOperations: operations)
    },
    Form("a file") { container, json, parent, operations in
      let url = try file(Data(#"{"items":\#(json)}"#.utf8))
      defer { try? FileManager.default.removeItem(at: url) }
      guard let parent else {
        return try await container.sync(
          contentsOf: url, as: Dossier.self, at: "items", relationshipOperations: operations)
      }
      return try await container.sync(
        contentsOf: url, as: Dossier.self, parent: parent, relationship: \.cabinet, at: "items",
        relationshipOperations: operations)
    },
    Form("a file of lines") { container, json, parent, operations in
      let url = try file(try lines(json))
      defer { try? FileManager.default.removeItem(at: url) }
      guard let parent else {
        return try await container.sync(
          contentsOf: url, as: Dossier.self, format: .ndjson, relationshipOperations: operations)
      }
      return try await container.sync(
        contentsOf: url, as: Dossier.self, parent: parent, relationship: \.cabinet, format: .ndjson,
        relationshipOperations: operations)
    },
    Form("chunks") { container, json, parent, operations in
      let chunks = chunks(Data(json.utf8), 7)
      guard let parent else {
        return try await container.sync(chunks: chunks, as: Dossier.self, relationshipOperations: operations)
      }
      return try await container.sync(
        chunks: chunks, as: Dossier.self, parent: parent, relationship: \.cabinet, relationshipOperations: operations)
    },
    Form("chunks of lines") { container, json, parent, operations in
      let chunks = chunks(try lines(json), 1)
      guard let parent else {
        return try await container.sync(
          chunks: chunks, as: Dossier.self, format: .ndjson, relationshipOperations: operations)
      }
      return try await container.sync(
        chunks: chunks, as: Dossier.self, parent: parent, relationship: \.cabinet, format: .ndjson,
        relationshipOperations: operations)
    },
  ]

  @Test("7: all rows of a model, by every form", arguments: collections)
  func collection(_ form: Form) async throws {
    let container = try SyncContainer.archive()
    let report = try await form.sync(
      container,
      #"[{"id":1,"pages":7,"clerks":[{"id":"x","name":"X"}]},{"id":9,"pages":"x"},{"pages":1},{"id":3,"cabinet_id":9}]"#
        .replacingOccurrences(of: #""pages":"x""#, with: #""pages":9,"title":["x"]"#), nil, .all)
    #expect(try container.dossiers() == [#"1 t1 7 1 ["x"]"#, "3 t3 300 2", "9 - 9 -"])
    #expect(
      report.entities["Dossier"]?.description == "1 inserted, 1 updated, 1 deleted, 1 unchanged, 1 linked")
    #expect(report.skippedRows.map(\.row) == [2] && report.ignoredReferences.map(\.row) == [3])
    #expect(report.replacedValues.map(\.key) == ["title"])
    // The main context's objects show it.
    #expect(try container.cabinet(1).dossiers.map(\.id) == [1])
  }

  @Test("8: the rows of a parent, by every form; a row of another parent is moved", arguments: collections)
  func collectionOfAParent(_ form: Form) async throws {
    let container = try SyncContainer.archive()
    let cabinet = try container.cabinet(1)
    _ = try await form.sync(container, #"[{"id":3,"cabinet_id":2},{"id":2,"pages":1}]"#, cabinet, .all)
    #expect(try container.dossiers() == ["2 t2 1 1", "3 t3 300 1"])
    _ = try await form.sync(container, "[]", try container.cabinet(2), .all)
    #expect(try container.dossiers().count == 2)
  }

  @Test("10.1: relationshipOperations, by every form", arguments: collections)
  func operations(_ form: Form) async throws {
    for isOfParent in [false, true] {
      let container = try SyncContainer.archive()
      let cabinet = isOfParent ? try container.cabinet(1) : nil
      let json = #"[{"id":1,"clerks":[{"id":"x"}]},{"id":7,"pages":1,"clerks":[{"id":"y"}]}]"#
      _ = try await form.sync(container, json, cabinet, [])
      #expect(try container.dossiers().allSatisfy { !$0.contains("[") })
      _ = try await form.sync(container, json, cabinet, [.insert])
      #expect(try container.dossiers().allSatisfy { !$0.contains("[") }, "both are known by now")
      _ = try await form.sync(container, json, cabinet, [.insert, .update])
      #expect(try container.dossiers().filter { $0.contains("[") }.count == 2)
    }
  }

  @Test("B-13: a payload that fails changes nothing, by every form", arguments: collections)
  func failures(_ form: Form) async throws {
    let container = try SyncContainer.archive()
    let before = try container.dossiers()
    for json in [#"[{"id":1,"pages":5},{"id":8}]"#, #"[{"key":1}]"#, #"[{"id":1,"pages":{}}]"#] {
      await #expect(throws: SyncError.self) { try await form.sync(container, json, nil, .all) }
      await #expect(throws: SyncError.self) { try await form.sync(container, json, try container.cabinet(1), .all) }
    }
    #expect(try container.dossiers() == before)
  }

  @Test("9: an item, alone and of a parent, as dictionary, as value of one's own and as text")
  func items() async throws {
    let container = try SyncContainer.archive()
    let cabinet = try container.cabinet(1)
    try await container.sync(item: ["id": 1, "pages": 11], as: Dossier.self)
    try await container.sync(item: try SyncJSON(["id": 2, "pages": 22]), as: Dossier.self)
    try await container.sync(
      item: ["id": 3, "pages": 33, "cabinet_id": 2], as: Dossier.self, parent: cabinet, relationship: \.cabinet)
    try await container.sync(
      item: try SyncJSON(["id": 4, "pages": 44]), as: Dossier.self, parent: cabinet, relationship: \.cabinet)
    try await container.sync(
      json: Data(#"{"d":{"id":5,"pages":55}}"#.utf8), as: Dossier.self, parent: cabinet, relationship: \.cabinet,
      at: "d")
    #expect(
      try container.dossiers() == ["1 t1 11 1", "2 t2 22 1", "3 t3 33 1", "4 - 44 1", "5 - 55 1"])
    let report = try await container.sync(
      item: ["pages": 1], as: Dossier.self, parent: cabinet, relationship: \.cabinet)
    #expect(report.skippedRows.count == 1)
  }

  @Test("8.1: without a unique identity each parent has rows of its own")
  func scopedIdentities() async throws {
    let container = try SyncContainer.archive()
    for id in [1, 2, 1] {
      try await container.sync(
        payload: [["id": 7, "text": "s\(id)"]], as: Slip.self, parent: container.cabinet(id), relationship: \.cabinet)
    }
    let slips = try container.mainContext.fetch(FetchDescriptor<Slip>(sortBy: [SortDescriptor(\.text)]))
    #expect(slips.map(\.text) == ["s1", "s2"] && slips.map { $0.cabinet?.id } == [1, 2])
  }

  @Test("8: a relationship that is not optional is met by the given parent")
  func requiredParents() async throws {
    let container = try SyncContainer.archive()
    let cabinets = (try container.cabinet(1), try container.cabinet(2))
    await #expect(throws: SyncError.self) { try await container.sync(payload: [["id": 1]], as: Drawer.self) }
    try await container.sync(
      payload: [["id": 1], ["id": 2, "cabinet_id": 2]], as: Drawer.self, parent: cabinets.0, relationship: \.cabinet)
    try await container.sync(item: ["id": 3], as: Drawer.self, parent: cabinets.1, relationship: \.cabinet)
    try await container.sync(
      json: Data(#"[{"id":2},{"id":3,"label":"x"}]"#.utf8), as: Drawer.self, parent: cabinets.1,
      relationship: \.cabinet)
    let drawers = try container.mainContext.fetch(FetchDescriptor<Drawer>(sortBy: [SortDescriptor(\.id)]))
    #expect(drawers.map(\.cabinet.id) == [1, 2, 2] && drawers.last?.label == "x")
  }

  /// Syncs two drawers of a cabinet by each form that takes a relationship which is not optional.
  nonisolated static let requiredParentForms: [Form] = [
    Form("[Any]") { container, json, parent, _ in
      try await container.sync(
        payload: objects(json), as: Drawer.self, parent: #require(parent), relationship: \.cabinet)
    },
    Form("SyncPayloadConvertible") { container, json, parent, _ in
      try await container.sync(
        payload: objects(json).map { Row(json: try SyncJSON(dictionary: $0)) }, as: Drawer.self,
        parent: #require(parent), relationship: \.cabinet)
    },
    Form("items") { container, json, parent, _ in
      let rows = try objects(json)
      let parent = try #require(parent)
      try await container.sync(
        item: Row(json: SyncJSON(dictionary: rows[0])), as: Drawer.self, parent: parent, relationship: \.cabinet)
      return try await container.sync(item: rows[1], as: Drawer.self, parent: parent, relationship: \.cabinet)
    },
    Form("ndjson") { container, json, parent, _ in
      try await container.sync(
        ndjson: lines(json), as: Drawer.self, parent: #require(parent), relationship: \.cabinet)
    },
    Form("a file") { container, json, parent, _ in
      let url = try file(Data(json.utf8))
      defer { try? FileManager.default.removeItem(at: url) }
      return try await container.sync(
        contentsOf: url, as: Drawer.self, parent: #require(parent), relationship: \.cabinet)
    },
    Form("chunks") { container, json, parent, _ in
      try await container.sync(
        chunks: chunks(Data(json.utf8), 5), as: Drawer.self, parent: #require(parent), relationship: \.cabinet)
    },
    Form("a context") { container, json, parent, _ in
      try await container.mainContext.sync(
        payload: objects(json), as: Drawer.self, parent: #require(parent), relationship: \.cabinet)
    },
    Form("a context, items") { container, json, parent, _ in
      let rows = try objects(json)
      let parent = try #require(parent)
      try await container.mainContext.sync(item: rows[0], as: Drawer.self, parent: parent, relationship: \.cabinet)
      return try await container.mainContext.sync(
        item: rows[1], as: Drawer.self, parent: parent, relationship: \.cabinet)
    },
  ]

  @Test("8: every form takes a relationship that is not optional", arguments: requiredParentForms)
  func requiredParents(_ form: Form) async throws {
    let container = try SyncContainer.archive()
    _ = try await form.sync(
      container, #"[{"id":1,"label":"x"},{"id":2,"cabinet_id":1}]"#, try container.cabinet(2), .all)
    let drawers = try container.mainContext.fetch(FetchDescriptor<Drawer>(sortBy: [SortDescriptor(\.id)]))
    #expect(drawers.map { "\($0.id) \($0.label ?? "-") \($0.cabinet.id)" } == ["1 x 2", "2 - 2"])
  }

  @Test("JSON: a byte-order mark in front of a text, a file, lines or chunks says nothing")
  func byteOrderMarks() async throws {
    let container = try SyncContainer.archive()
    for (pages, form) in ["json", "ndjson", "file", "chunks"].enumerated() {
      let text = Data("\u{FEFF}{\"id\":1,\"pages\":\(pages)}".utf8)
      switch form {
      case "json": try await container.sync(json: text, as: Dossier.self)
      case "ndjson": try await container.sync(ndjson: text, as: Dossier.self, missing: .keep)
      case "file":
        let url = try Self.file(text)
        defer { try? FileManager.default.removeItem(at: url) }
        try await container.sync(contentsOf: url, as: Dossier.self)
      default: try await container.sync(chunks: Self.chunks(text, 2), as: Dossier.self)
      }
      #expect(try container.dossiers().first == "1 t1 \(pages) 1")
    }
  }

  @Test("8.2-2: a parent that is unsaved, deleted or of another store is refused, and nothing is written")
  func parents() async throws {
    let container = try SyncContainer.archive()
    let unsaved = Cabinet(id: 8, name: "new")
    let foreign = try SyncContainer.archive().cabinet(1)
    let deleted = try container.cabinet(2)
    try await container.sync(payload: [["id": 1]], as: Cabinet.self)
    let before = try container.dossiers()
    for parent in [unsaved, foreign, deleted] {
      let error = await #expect(throws: SyncError.self) {
        try await container.sync(payload: [["id": 1]], as: Dossier.self, parent: parent, relationship: \.cabinet)
      }
      #expect(error?.description.contains("the parent must be resolved in the context") == true)
    }
    container.mainContext.insert(unsaved)
    await #expect(throws: SyncError.self) {
      try await container.sync(item: ["id": 1], as: Dossier.self, parent: unsaved, relationship: \.cabinet)
    }
    #expect(try container.dossiers() == before)
  }

  @Test("`where:`, `missing:` and `dryRun:` limit what a collection does")
  func limits() async throws {
    let container = try SyncContainer.archive()
    let rehearsed = try await container.sync(
      payload: [], as: Dossier.self, where: #Predicate { $0.pages > 150 }, dryRun: true)
    #expect(rehearsed.isDryRun && rehearsed.identities["Dossier"]?.deleted == ["2", "3"])
    #expect(try container.dossiers().count == 3)
    try await container.sync(payload: [["id": 3]], as: Dossier.self, where: #Predicate { $0.pages > 150 })
    #expect(try container.dossiers() == ["1 t1 100 1", "3 t3 300 2"])
    try await container.sync(payload: [["id": 5, "pages": 5]], as: Dossier.self, missing: .keep)
    try await container.sync(
      payload: [], as: Dossier.self, parent: container.cabinet(1), relationship: \.cabinet,
      where: #Predicate { $0.pages > 150 })
    #expect(try container.dossiers() == ["1 t1 100 1", "3 t3 300 2", "5 - 5 -"])
    try await container.sync(payload: [], as: Dossier.self, where: #Predicate { $0.cabinet?.name == "b" })
    #expect(try container.dossiers() == ["1 t1 100 1", "5 - 5 -"])
  }

  @Test("A predicate that the store can't look for is refused by name")
  func predicates() async throws {
    let container = try SyncContainer.archive()
    let error = await #expect(throws: SyncError.self) {
      try await container.sync(
        payload: [], as: Dossier.self, where: #Predicate { $0.pages > 0 && ($0.title ?? "").localizedLowercase == "t1" }
      )
    }
    guard case .unsupportedPredicate("Dossier", let parts)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(parts.count == 1 && parts[0].contains("title") && !parts[0].contains("pages"))
    #expect(try container.dossiers().count == 3)
  }

  @Test("Malformed text: what and where")
  func malformedText() async throws {
    let container = try SyncContainer.archive()
    let lines = await #expect(throws: SyncError.self) {
      try await container.sync(ndjson: Data("{\"id\":1}\n{\"id\":}\n".utf8), as: Dossier.self)
    }
    #expect(lines?.description == "Invalid payload for Dossier: malformed JSON in line 2, at byte 15: expected a value")
    let missing = await #expect(throws: SyncError.self) {
      try await container.sync(json: Data("{}".utf8), as: Dossier.self, at: "data.items")
    }
    #expect(missing?.description.contains("there is nothing at data.items") == true)
    await #expect(throws: (any Error).self) {
      try await container.sync(contentsOf: URL(fileURLWithPath: "/nowhere/at/all.json"), as: Dossier.self)
    }
    #expect(try container.dossiers().count == 3)
  }

  @Test("Phases and progress")
  func hooks() async throws {
    let phases = Mutex<[SyncPhase]>([])
    let progress = Mutex<[SyncProgress]>([])
    let container = try SyncContainer.archive { phase, _ in phases.withLock { $0.append(phase) } }
    try await container.sync(json: Data("[]".utf8), as: Dossier.self) { step in progress.withLock { $0.append(step) } }
    #expect(phases.withLock { $0 } == [.parse, .wait, .resolve, .map, .link, .delete, .commit])
    #expect(progress.withLock { $0 }.map(\.totalRows) == [0])
  }
}
