import Testing

@testable import SyncEngine

/// Links that a sync makes and removes are counted, and the rows named.
@Suite struct LinkCountTests {
  private func makeStore() throws -> TestStore {
    let store = try TestStore(
      .entity("Tag"), .entity("Person"),
      .entity(
        "Item", [.optional("n", .int64)], [.toOne("owner", "Person"), .toOne("next", "Item"), .toMany("tags", "Tag")]))
    try store.sync(#"[{"id":1},{"id":2},{"id":3}]"#, as: "Tag")
    try store.sync(#"[{"id":1},{"id":2}]"#, as: "Person")
    try store.sync(#"[{"id":1,"owner_id":1,"tag_ids":[1,2]},{"id":2}]"#, as: "Item")
    return store
  }

  @Test(
    arguments: [
      (#"[{"id":1,"owner_id":1,"tag_ids":[2,1]},{"id":2}]"#, 0, 0, [], []),
      (#"[{"id":1,"owner_id":2},{"id":2,"owner_id":1}]"#, 2, 1, ["1", "2"], ["1"]),
      (#"[{"id":1,"owner_id":null,"tag_ids":[3]},{"id":2,"tag_ids":[1,2,3]}]"#, 4, 3, ["1", "2"], ["1"]),
      (#"[{"id":1,"tags":[]},{"id":2}]"#, 0, 2, [], ["1"]),
      // Forward references, from stored and from new rows.
      (
        #"[{"id":1},{"id":2,"next_id":9},{"id":8,"next_id":9,"owner_id":2},{"id":9,"next_id":1}]"#, 4, 0,
        ["2", "8", "9"], []
      ),
      (#"[{"id":1},{"id":2},{"id":7,"tag_ids":[1,1,2,99]}]"#, 2, 0, ["7"], []),
    ] as [(String, Int, Int, [String], [String])])
  func counts(_ payload: String, _ linked: Int, _ unlinked: Int, _ linkedRows: [String], _ unlinkedRows: [String])
    throws
  {
    let report = try makeStore().sync(payload, as: "Item")
    let counts = try #require(report.entities["Item"])
    #expect(counts.linked == linked && counts.unlinked == unlinked, "\(report)")
    #expect(report.identities["Item"]?.linked == linkedRows)
    #expect(report.identities["Item"]?.unlinked == unlinkedRows)
  }

  @Test func identitiesAreListedByWhatHappened() throws {
    let store = try makeStore()
    let report = try store.sync(#"[{"id":2,"n":1},{"id":5},{"id":4},{"id":5,"n":2}]"#, as: "Item")
    #expect(
      report.identities == ["Item": .init(inserted: ["5", "4"], updated: ["2"], deleted: ["1"])])
    let again = try store.sync(#"[{"id":2,"n":1},{"id":5},{"id":4}]"#, as: "Item")
    #expect(again.identities == ["Item": .init(unchanged: ["2", "5", "4"])])
    #expect(again.description == "Item: 3 unchanged")
  }

  @Test func theListsAreBounded() throws {
    let store = try makeStore()
    let count = SyncReport.detailsMax + 10
    let rows = (1...count).map { #"{"id":\#($0),"owner_id":1}"# }.joined(separator: ",")
    let report = try store.sync("[\(rows)]", as: "Item")
    #expect(report.identities["Item"]?.inserted.count == SyncReport.detailsMax)
    #expect(report.identities["Item"]?.linked.count == SyncReport.detailsMax)
    #expect(report.entities["Item"]?.linked == count - 1)
    #expect(try store.sync("[]", as: "Item").identities["Item"]?.deleted.count == SyncReport.detailsMax)
  }
}
