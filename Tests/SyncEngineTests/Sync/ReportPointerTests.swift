import Testing

@testable import SyncEngine

/// Where the entries of a report stand in the payload: JSON pointers, RFC 6901.
@Suite struct ReportPointerTests {
  private func makeStore() throws -> TestStore {
    try TestStore(
      .entity(
        "Item",
        [.optional("n", .int64), .optional("deep", .int64, key: "a.b"), .optional("odd", .int64, key: "x/y~z")],
        [.toOne("owner", "Person"), .toMany("tags", "Tag")]),
      .entity("Person", [.optional("age", .int64)], [.toMany("pets", "Pet"), .toOne("boss", "Person")]),
      .entity("Pet", [.optional("legs", .int64)]), .entity("Tag"))
  }

  private func pointers(_ report: SyncReport) -> [String] {
    report.skippedRows.map(\.pointer) + report.replacedValues.map(\.pointer) + report.ignoredReferences.map(\.pointer)
  }

  @Test(
    arguments: [
      ("", #"[{"n":1},{"id":1},{"id":null}]"#, ["/0", "/2"]),
      ("", #"[{"id":1},{"id":2,"n":"x"}]"#, ["/1/n"]),
      ("", #"[{"id":1,"a":{"b":"x"}},{"id":2,"a.b":"x"},{"id":3,"x/y~z":"x"}]"#, ["/0/a/b", "/1/a.b", "/2/x~1y~0z"]),
      (
        "", #"[{"id":1,"owner":{"id":1,"age":"x","pets":[{"id":1},{"id":2,"legs":[]}]}}]"#,
        ["/0/owner/pets/1/legs", "/0/owner/age"]
      ),
      (
        "", #"[{"id":1,"owner":{"id":1,"boss_id":9}},{"id":2,"tag_ids":[7,8]}]"#,
        ["/0/owner/boss_id", "/1/tag_ids/0", "/1/tag_ids/1"]
      ),
      ("", #"[{"id":1,"owner":7,"tags":"x"}]"#, ["/0/owner", "/0/tags"]),
      ("", #"{"id":1,"n":"x","owner_id":9}"#, ["/n", "/owner_id"]),
      ("data.items", #"{"data":{"items":[{"id":1,"n":"x"},{}]}}"#, ["/data/items/1", "/data/items/0/n"]),
      ("pages.1", #"{"pages":[[],[{"id":1,"owner_id":"x"}]]}"#, ["/pages/1/0/owner_id"]),
      ("a/b~c", #"{"a/b~c":{"id":1,"n":"x"}}"#, ["/a~1b~0c/n"]),
    ] as [(String, String, [String])])
  func pointsAtTheValue(_ path: String, _ payload: String, _ expected: [String]) throws {
    let store = try makeStore()
    let report = try store.sync(payload, as: "Item") {
      $0.form = .collectionOrItem
      $0.path = PayloadPath(path)
    }
    #expect(pointers(report) == expected)
  }

  @Test func nativeValuesHaveThemToo() throws {
    let store = try makeStore()
    let document = try PayloadDocument([["id": 1], ["id": 2, "owner": ["id": 3, "age": "x"]]] as [Any])
    #expect(pointers(try store.sync(SyncRequest(entity: "Item", document: document))) == ["/1/owner/age"])
  }
}
