import Foundation
import SwiftSync
import Testing

/// Payloads that are wrong somewhere, too deep or too long: an error that says where, the store as it was, and the next sync
/// works.
@MainActor
@Suite("7.4, JSON: Payloads that cannot be synced") struct BadPayloadTests {
  let container: SyncContainer

  init() throws {
    container = try SyncContainer.archive()
  }

  /// Expects a sync to throw an error whose text has a part, to leave no trace, and another sync to work.
  private func expectRefusal(
    _ part: String, _ comment: Comment, sourceLocation: SourceLocation = #_sourceLocation,
    _ sync: (SyncContainer) async throws -> SyncReport
  ) async throws {
    let before = try container.dossiers()
    let error = await #expect(throws: SyncError.self, comment, sourceLocation: sourceLocation) {
      try await sync(container)
    }
    let text = error.map { "\($0)" } ?? ""
    #expect(text.contains(part), "\(comment): \(text)", sourceLocation: sourceLocation)
    #expect(try container.dossiers() == before, comment, sourceLocation: sourceLocation)
    #expect(!container.mainContext.hasChanges)
    let pages = Int.random(in: 1000...9999)
    try await container.sync(item: ["id": 1, "pages": pages], as: Dossier.self)
    #expect(try container.dossiers().first?.contains(" \(pages) ") == true, comment, sourceLocation: sourceLocation)
  }

  // MARK: One bad row among many

  nonisolated static let badRows: [(row: String, part: String)] = [
    (#"{"id":50000,"pages":{"a":1}}"#, "row 2000 (id 50000) has the unreadable value"),
    (#"{"id":50000}"#, "row 2000 (id 50000) is new and has no pages"),
    (#"{"id":50000,"pages":1,"clerks":[{"name":"x"}]}"#, "row 2000 (id 50000): an object under clerks has no identity"),
    (#"{"id":50000,"pages":01}"#, "at byte"), (#"{"id":50000,"pages":1,"title":"\ud800"}"#, "at byte"),
    ("7", "Expected array of dictionaries"), ("null", "Expected array of dictionaries"),
    (#"{"id":50000,"pages":1"#, "at byte"),
  ]

  @Test("A row that is bad in the middle of many is named, and none of the others is written", arguments: badRows)
  func badRowInTheMiddle(row: String, part: String) async throws {
    func good(_ ids: Range<Int>) -> String {
      ids.map { #"{"id":\#($0),"pages":\#($0),"title":"x"}"# }.joined(separator: ",")
    }
    let json = Data("[\(good(0..<2000)),\(row),\(good(2001..<4000))]".utf8)
    let lines = Data("\(good(0..<2000)),\(row),\(good(2001..<4000))".replacing("},{", with: "}\n{").utf8)
    try await expectRefusal(part, "json") { try await $0.sync(json: json, as: Dossier.self) }
    try await expectRefusal(part, "chunks") { container in
      let chunks = AsyncStream<Data> { stream in
        for start in stride(from: 0, to: json.count, by: 10_000) {
          stream.yield(json[start..<min(start + 10_000, json.count)])
        }
        stream.finish()
      }
      return try await container.sync(chunks: chunks, as: Dossier.self)
    }
    try await expectRefusal(part, "an envelope, for a parent") { container in
      try await container.sync(
        json: Data(#"{"a":{"b":"#.utf8) + json + Data("}}".utf8), as: Dossier.self, parent: container.cabinet(1),
        relationship: \.cabinet, at: "a.b")
    }
    if row.hasPrefix("{"), row.hasSuffix("}") {
      try await expectRefusal(part, "lines") { try await $0.sync(ndjson: lines, as: Dossier.self) }
    }
    if let rows = try? JSONSerialization.jsonObject(with: json) as? [Any] {
      try await expectRefusal(part, "values") { try await $0.sync(payload: rows, as: Dossier.self) }
      try await expectRefusal(part, "a context") { container in
        try await container.mainContext.sync(payload: rows, as: Dossier.self)
      }
    }
  }

  // MARK: Depth

  @Test(
    "A value that is nested 10,000 deep is refused, wherever it stands and whether the model reads it",
    arguments: ["title", "clerks", "unknown", "cabinet"])
  func deepNesting(_ key: String) async throws {
    let depth = 10_000
    let objects = String(repeating: #"{"id":1,"a":"#, count: depth) + "1" + String(repeating: "}", count: depth)
    let arrays = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    for value in [objects, arrays] {
      let row = #"{"id":1,"pages":1,"\#(key)":\#(value)}"#
      let part = "nested deeper than 512 levels"
      try await expectRefusal(part, "json") { try await $0.sync(json: Data("[\(row)]".utf8), as: Dossier.self) }
      try await expectRefusal(part, "an item") { try await $0.sync(json: Data(row.utf8), as: Dossier.self) }
      try await expectRefusal(part, "lines") {
        try await $0.sync(ndjson: Data("{\"id\":2}\n\(row)".utf8), as: Dossier.self)
      }
    }
    var native: Any = 1
    var boxed = SyncJSON.int(1)
    for level in 0..<depth {
      native = level.isMultiple(of: 2) ? ["id": 1, "a": native] as [String: Any] : [native]
      boxed = level.isMultiple(of: 2) ? .object(["a": boxed]) : .array([boxed])
    }
    try await expectRefusal("nested deeper than 512 levels", "values") {
      try await $0.sync(item: ["id": 1, key: native], as: Dossier.self)
    }
    #expect(throws: SyncError.self) { try SyncJSON(native) }
    try await expectRefusal("nested deeper than 512 levels", "boxes") {
      try await $0.sync(item: SyncJSON.object(["id": .int(1), key: boxed]), as: Dossier.self)
    }
  }

  @Test("As deep as is allowed, what the model reads of it is read")
  func allowedNesting() async throws {
    // The document, the row and 510 lists of clerks' friends that no model has.
    let value = String(repeating: "[", count: 510) + String(repeating: "]", count: 510)
    try await container.sync(json: Data(#"[{"id":1,"pages":5,"unknown":\#(value)}]"#.utf8), as: Dossier.self)
    #expect(try container.dossiers() == ["1 t1 5 1"])
  }

  // MARK: Length

  @Test("Long texts are stored whole, as values and as identities, and found again", arguments: [1000, 2 << 20])
  func longTexts(_ byteCount: Int) async throws {
    let text = String(repeating: "é", count: byteCount / 2)
    for _ in 1...2 {
      let payload = try JSONEncoder().encode([["id": text + "a", "name": text], ["id": text + "b", "name": text]])
      try await container.sync(json: payload, as: Clerk.self)
      let clerks = try container.mainContext.fetch(FetchDescriptor<Clerk>(sortBy: [SortDescriptor(\.id)]))
      #expect(clerks.map(\.id) == [text + "a", text + "b"] && clerks.allSatisfy { $0.name == text })
    }
    try await container.sync(item: ["id": 1, "clerk_ids": [text + "b"]], as: Dossier.self)
    #expect(try container.dossiers().first?.hasSuffix("b\"]") == true)
  }

  @Test("A string of 200 MB is refused, as text and as a value")
  func tooLongText() async throws {
    let text = String(repeating: "a", count: 200_000_000)
    let json = Data(#"[{"id":5,"title":""#.utf8) + Data(text.utf8) + Data(#"","pages":1}]"#.utf8)
    try await expectRefusal("128 MiB in one string", "as text") { try await $0.sync(json: json, as: Dossier.self) }
    try await expectRefusal("128 MiB in one string", "as a value") {
      try await $0.sync(payload: [["id": 5, "title": text, "pages": 1] as [String: Any]], as: Dossier.self)
    }
  }
}
