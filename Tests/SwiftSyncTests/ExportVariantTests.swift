import Foundation
import SwiftSync
import TestSupport
import Testing

@Suite("Export: relationships as objects, as identities or not at all; whole queries as text")
struct ExportVariantTests {
  private let container: SyncContainer

  init() async throws {
    container = try SyncContainer(for: Ticket.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    try await container.sync(
      payload: [
        [
          "id": 1, "title": "One", "description": "first \"one\"\n", "state": ["id": "open"], "estimate": 0.5,
          "due_at": "2024-02-29T12:00:00.250Z", "project": ["id": 7, "name": "P"],
          "assignee": ["id": "ann", "name": "Ann"],
          "labels": [["id": "6F9619FF-8B86-D011-B42D-00C04FC964FF", "text": "é"]],
        ],
        ["id": 2, "title": "Two", "state": ["id": "closed"], "project_id": 7],
      ], as: Ticket.self)
  }

  private func parsed(_ text: Data) throws -> [NSDictionary] {
    try #require(try JSONSerialization.jsonObject(with: text) as? [NSDictionary])
  }

  private func byIdentity(_ options: ExportOptions = ExportOptions()) throws -> [[String: Any]] {
    let context = ModelContext(container.modelContainer)
    let tickets = try context.fetch(FetchDescriptor<Ticket>(sortBy: [SortDescriptor(\.id)]))
    return tickets.map { container.export($0, using: options) }
  }

  static let options: [ExportOptions] = [
    ExportOptions(), .excludedRelationships, ExportOptions(relationships: .identities),
  ]

  @Test("Relationships can be identities, under the keys that a sync reads them from")
  func identities() throws {
    let tickets = try byIdentity(ExportOptions(relationships: .identities))
    #expect(tickets[0]["project_id"] as? Int == 7)
    #expect(tickets[0]["assignee_id"] as? String == "ann")
    #expect(tickets[0]["label_ids"] as? [String] == ["6F9619FF-8B86-D011-B42D-00C04FC964FF"])
    #expect(tickets[1]["assignee_id"] is NSNull)
    #expect((tickets[1]["label_ids"] as? [Any])?.isEmpty == true)
    #expect(tickets[0]["project"] == nil && tickets[0]["watcher_ids"] == nil)
  }

  @Test("Relationships can be left out")
  func excluded() throws {
    let keys = try byIdentity(.excludedRelationships)[0].keys.sorted()
    #expect(keys == ["description", "due_at", "estimate", "id", "state", "title"])
  }

  @Test("Every variant can be synced back, and changes nothing", arguments: options)
  func roundTrip(_ options: ExportOptions) async throws {
    let report = try await container.sync(payload: try byIdentity(options), as: Ticket.self)
    #expect(report.changedNothing && report.ignoredReferences.isEmpty && report.replacedValues.isEmpty)
  }

  @Test("One container writes every variant as often as it is asked, whatever it has written before")
  func variantsBesideEachOther() throws {
    func texts() throws -> [Data] {
      try Self.options.map {
        try container.exportJSON(FetchDescriptor<Ticket>(sortBy: [SortDescriptor(\.id)]), using: $0)
      }
    }
    let first = try texts()
    #expect(Set(first).count == Self.options.count)
    #expect(try texts() == first)
  }

  @Test("The text of a query says what the exports of its objects say", arguments: options)
  func textAgrees(_ options: ExportOptions) throws {
    let text = try container.exportJSON(FetchDescriptor<Ticket>(sortBy: [SortDescriptor(\.id)]), using: options)
    let objects = try byIdentity(options)
    let expected = try JSONSerialization.data(withJSONObject: objects)
    #expect(try parsed(text) == parsed(expected))
  }

  @Test("A query is restricted, ordered and limited as in a fetch")
  func descriptors() throws {
    var descriptor = FetchDescriptor<Ticket>(sortBy: [SortDescriptor(\.id, order: .reverse)])
    descriptor.fetchLimit = 1
    #expect(try parsed(container.exportJSON(descriptor)).map { $0["id"] as? Int } == [2])
    let none = try container.exportJSON(FetchDescriptor<Ticket>(predicate: #Predicate { $0.id > 5 }))
    #expect(none == Data("[]".utf8))
  }

  @Test("An object that is reached again is empty in the text too")
  func cycles() throws {
    let text = try container.exportJSON(FetchDescriptor<Project>())
    let tickets = try #require(try parsed(text)[0]["tickets"] as? [NSDictionary])
    #expect(tickets.count == 2 && tickets.allSatisfy { $0["project"] as? NSDictionary == [:] })
  }

  @Test("A hand-written model is exported by its own code in the text too")
  func handWrittenModels() async throws {
    let shop = try SyncContainer(for: Playlist.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    try await shop.sync(
      payload: [["id": 1, "name": "Mix", "tracks": [["id": "a", "title": "A", "length": 3]]]], as: Playlist.self)
    let playlists = try ModelContext(shop.modelContainer).fetch(FetchDescriptor<Playlist>())
    let expected = try JSONSerialization.data(withJSONObject: playlists.map { shop.export($0) })
    let text = try shop.exportJSON(FetchDescriptor<Playlist>())
    #expect(try parsed(text) == parsed(expected))
    #expect(String(decoding: text, as: UTF8.self).contains("\"facts\":{\"length\":3}"))
  }

  @Test("A file is an array or has a line for each object, and appears when it is complete")
  func files() async throws {
    let folder = try TemporaryFolder()
    let url = URL(fileURLWithPath: folder["tickets.json"])
    try Data("old".utf8).write(to: url)
    let order = FetchDescriptor<Ticket>(sortBy: [SortDescriptor(\.id)])
    #expect(try await container.exportJSON(order, to: url) == 2)
    #expect(try Data(contentsOf: url) == container.exportJSON(order))

    #expect(try await container.exportJSON(order, to: url, as: .lines, using: .excludedRelationships) == 2)
    let lines = String(decoding: try Data(contentsOf: url), as: UTF8.self).split(separator: "\n")
    #expect(try lines.map { try JSONSerialization.jsonObject(with: Data($0.utf8)) as? NSDictionary }.count == 2)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["tickets.json"])
  }

  @Test("A file that cannot be written is named, and nothing is left of it")
  func unwritable() async throws {
    let url = URL(fileURLWithPath: "/nowhere/tickets.json")
    await #expect {
      try await container.exportJSON(FetchDescriptor<Ticket>(), to: url)
    } throws: { error in
      "\(error)".contains("/nowhere/tickets.json")
    }
  }

  @Test("A cancelled export leaves no file")
  func cancelled() async throws {
    let folder = try TemporaryFolder()
    let url = URL(fileURLWithPath: folder["tickets.json"])
    let container = container
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await container.exportJSON(FetchDescriptor<Ticket>(), to: url)
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
  }
}
