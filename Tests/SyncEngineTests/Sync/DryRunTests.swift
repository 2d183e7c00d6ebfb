import Records
import Testing

@testable import SyncEngine

/// A dry run says what a sync would do, and the store doesn't notice.
@Suite struct DryRunTests {
  private func makeStore() throws -> TestStore {
    let store = try TestStore(
      EntityDescription(
        name: "Item", attributes: [.required("id", .int64), .optional("code", .string)],
        relationships: [.toOne("next", "Item"), .toMany("tags", "Tag")], identity: "id",
        uniquenessConstraints: [["id"], ["code"]]),
      .entity("Tag", [.optional("name", .string)]),
      .entity("Box", [], [.toMany("lids", "Lid", inverse: "box", deleteRule: .deny)]),
      .entity("Lid", [], [.toOne("box", "Box", inverse: "lids")]))
    try store.sync(#"[{"id":1,"code":"a"},{"id":2,"next_id":1,"tags":[{"id":1}]}]"#, as: "Item")
    try store.sync(#"[{"id":1,"box":{"id":1}}]"#, as: "Lid")
    return store
  }

  private func run(_ payload: String, as entity: String, isDryRun: Bool, in store: TestStore) async throws -> SyncReport
  {
    let request = SyncRequest(
      entity: entity, document: try PayloadDocument(json: Array(payload.utf8)), form: .collectionOrItem,
      isDryRun: isDryRun)
    return try await request.run(in: store.store, author: nil, plans: store.plans)
  }

  /// The rows, and what the next write would get: the history token, and the number of the next row.
  private func state(of store: TestStore) throws -> [String] {
    let token = try store.store.read { try $0.lastHistoryToken() }
    return try ["\(token)"] + ["Item", "Tag", "Box", "Lid"].flatMap { try store.rows($0) }
  }

  @Test(
    "The report is that of the real sync, and rows, links, history and row numbers are as they were",
    arguments: [
      #"[{"id":1,"code":"b","tags":[{"id":1,"name":"x"},{"id":2}]},{"id":3,"next_id":1},{"code":"x"}]"#,
      "[]", #"{"id":2,"next_id":null,"tags":[]}"#, #"[{"id":1},{"id":2}]"#,
    ])
  func reports(_ payload: String) async throws {
    let store = try makeStore()
    let before = try state(of: store)
    var rehearsed = try await run(payload, as: "Item", isDryRun: true, in: store)
    #expect(rehearsed.isDryRun && rehearsed.description.hasPrefix("dry run: "))
    #expect(try state(of: store) == before)
    #expect(try store.store.read { try $0.checkInvariants().isEmpty })
    let report = try await run(payload, as: "Item", isDryRun: false, in: store)
    #expect(!report.isDryRun)
    rehearsed.isDryRun = false
    #expect(rehearsed == report)
  }

  @Test("What a commit would be refused for is found too")
  func refusals() async throws {
    let store = try makeStore()
    let before = try state(of: store)
    for (payload, entity) in [(#"{"id":2,"code":"a"}"#, "Item"), ("[]", "Box"), (#"[{"key":1}]"#, "Item")] {
      for isDryRun in [true, false] {
        await #expect(throws: (any Error).self, "\(payload)") {
          try await run(payload, as: entity, isDryRun: isDryRun, in: store)
        }
      }
    }
    #expect(try state(of: store) == before)
  }
}
