import Records
import Testing

@testable import SyncEngine

@Suite("10.3, B-21: Links that payloads express by the linked objects themselves")
struct NestedObjectTests {
  private func makeStore() throws -> TestStore {
    let store = try TestStore(
      .entity("Tag", [.optional("name", .string)]),
      .entity("Item", [], [.toOne("tag", "Tag"), .toMany("tags", "Tag")]))
    try store.sync(#"[{"id":1,"name":"a"},{"id":2,"name":"b"}]"#, as: "Tag")
    return store
  }

  private static let everyOperation: [SyncRelationshipOperations] = (0...7).map(SyncRelationshipOperations.init)

  @Test(arguments: everyOperation)
  func toOneOfExistingRows(_ operations: SyncRelationshipOperations) throws {
    let (inserts, updates, deletes) = (
      operations.contains(.insert), operations.contains(.update), operations.contains(.delete)
    )
    let processes = updates || deletes
    let links = processes && (inserts || updates)
    for (value, link, tags) in [
      (nil, "1", ["1: name=a", "2: name=b"]),
      ("null", deletes ? nil : "1", ["1: name=a", "2: name=b"]),
      (#"{"id":2,"name":"x"}"#, links ? "2" : "1", ["1: name=a", processes && updates ? "2: name=x" : "2: name=b"]),
      (#"{"id":1,"name":"x"}"#, "1", [processes && updates ? "1: name=x" : "1: name=a", "2: name=b"]),
      (#"{"id":2}"#, links ? "2" : "1", ["1: name=a", "2: name=b"]),
      (
        #"{"id":3,"name":"c"}"#, processes && inserts ? "3" : "1",
        ["1: name=a", "2: name=b"] + (processes && inserts ? ["3: name=c"] : [])
      ),
      ("5", "1", ["1: name=a", "2: name=b"]), ("[]", "1", ["1: name=a", "2: name=b"]),
    ] as [(String?, String?, [String])] {
      let store = try makeStore()
      try store.sync(#"{"id":7,"tag_id":1}"#, as: "Item")
      let member = value.map { ",\"tag\":\($0)" } ?? ""
      try store.sync("{\"id\":7\(member)}", as: "Item", operations: operations)
      #expect(try store.rows("Item") == ["7:" + (link.map { " tag=\($0)" } ?? "")], "\(value ?? "-")")
      #expect(try store.rows("Tag") == tags, "\(value ?? "-")")
      #expect(try store.store.read { try $0.checkInvariants().isEmpty })
    }
  }

  @Test(arguments: everyOperation)
  func objectsWithoutIdentityMeanTheCurrentRow(_ operations: SyncRelationshipOperations) throws {
    let store = try makeStore()
    try store.sync(#"[{"id":7,"tag_id":1},{"id":8}]"#, as: "Item")
    let processes = operations.contains(.update) || operations.contains(.delete)
    if processes, operations.contains(.insert), !operations.contains(.update) {
      #expect(throws: SyncError.self) {
        try store.sync(#"{"id":7,"tag":{"name":"x"}}"#, as: "Item", operations: operations)
      }
    } else {
      try store.sync(#"{"id":7,"tag":{"name":"x"}}"#, as: "Item", operations: operations)
      #expect(try store.rows("Tag").first == (operations.contains(.update) ? "1: name=x" : "1: name=a"))
      #expect(try store.rows("Item").first == "7: tag=1")
    }
    // Without a current row, it would have to be a new one.
    if processes, operations.contains(.insert) {
      #expect(throws: SyncError.self) {
        try store.sync(#"{"id":8,"tag":{"name":"x"}}"#, as: "Item", operations: operations)
      }
    } else {
      try store.sync(#"{"id":8,"tag":{"name":"x"}}"#, as: "Item", operations: operations)
      #expect(try store.rows("Item").last == "8:")
    }
  }

  @Test(arguments: everyOperation)
  func toManyOfExistingRows(_ operations: SyncRelationshipOperations) throws {
    let (inserts, updates, deletes) = (
      operations.contains(.insert), operations.contains(.update), operations.contains(.delete)
    )
    let processes = updates || deletes
    let store = try makeStore()
    try store.sync(#"{"id":7,"tag_ids":[1]}"#, as: "Item")
    try store.sync(
      #"{"id":7,"tags":[{"id":2,"name":"x"},{"id":3,"name":"c"},{"id":3,"name":"C"}]}"#, as: "Item",
      operations: operations)
    var members = processes && deletes ? [] : ["1"]
    if processes, inserts || updates { members.append("2") }
    if processes, inserts { members.append("3") }
    #expect(try store.rows("Item") == ["7:" + (members.isEmpty ? "" : " tags=\(members.joined(separator: ","))")])
    var tags = ["1: name=a", processes && updates ? "2: name=x" : "2: name=b"]
    // The second mention of the new row changes an existing one.
    if processes, inserts { tags.append(updates ? "3: name=C" : "3: name=c") }
    #expect(try store.rows("Tag") == tags)
  }

  @Test("10.3: what a to-many makes of each value, by operations", arguments: everyOperation)
  func toManyValuesByOperations(_ operations: SyncRelationshipOperations) throws {
    let (inserts, updates, deletes) = (
      operations.contains(.insert), operations.contains(.update), operations.contains(.delete)
    )
    let processes = updates || deletes
    for (value, members, name) in [
      (nil, ["1"], "b"), ("null", deletes ? [] : ["1"], "b"), ("[]", deletes ? [] : ["1"], "b"), ("5", ["1"], "b"),
      (#"{"id":2,"name":"x"}"#, ["1"], "b"), (#"[{"id":2,"name":"x"},5]"#, ["1"], "b"), ("[2]", ["1"], "b"),
      // An empty object says nothing, and so the list doesn't say what is missing.
      (#"[{"id":2,"name":"x"},{}]"#, ["1"], "b"),
      (
        #"[{"id":2,"name":"x"}]"#,
        processes ? (deletes ? [] : ["1"]) + (inserts || updates ? ["2"] : []) : ["1"], updates ? "x" : "b"
      ),
      (#"[{"id":1}]"#, ["1"], "b"),
    ] as [(String?, [String], String)] {
      let store = try makeStore()
      try store.sync(#"{"id":7,"tag_ids":[1]}"#, as: "Item")
      let member = value.map { ",\"tags\":\($0)" } ?? ""
      try store.sync("{\"id\":7\(member)}", as: "Item", operations: operations)
      let shown = members.isEmpty ? "" : " tags=\(members.joined(separator: ","))"
      #expect(try store.rows("Item") == ["7:\(shown)"], "\(value ?? "-")")
      #expect(try store.rows("Tag") == ["1: name=a", "2: name=\(name)"], "\(value ?? "-")")
    }
  }

  @Test(
    "10.3: an element without identity would be a new row, which can't be made; without .insert it is left out",
    arguments: everyOperation)
  func elementsWithoutIdentity(_ operations: SyncRelationshipOperations) throws {
    let store = try makeStore()
    try store.sync(#"{"id":7,"tag_ids":[1]}"#, as: "Item")
    let payload = #"{"id":7,"tags":[{"id":2},{"name":"x"}]}"#
    let processes = operations.contains(.update) || operations.contains(.delete)
    if processes, operations.contains(.insert) {
      #expect(throws: SyncError.self) { try store.sync(payload, as: "Item", operations: operations) }
      #expect(try store.rows("Item") == ["7: tags=1"])
    } else {
      try store.sync(payload, as: "Item", operations: operations)
      let kept = operations.contains(.delete) ? [] : ["1"]
      let members = processes ? kept + (operations.contains(.update) ? ["2"] : []) : ["1"]
      #expect(try store.rows("Item") == ["7:" + (members.isEmpty ? "" : " tags=\(members.joined(separator: ","))")])
    }
    #expect(try store.rows("Tag").count == 2)
  }

  @Test("10.3: a to-one that is not optional, by value and operations", arguments: everyOperation)
  func requiredToOne(_ operations: SyncRelationshipOperations) throws {
    let (inserts, updates) = (operations.contains(.insert), operations.contains(.update))
    let processes = updates || operations.contains(.delete)
    for (value, link) in [
      ("null", "1"), (#"{"id":2}"#, processes && (inserts || updates) ? "2" : "1"), ("5", "1"), ("{}", "1"),
      (#"{"id":3,"name":"c"}"#, processes && inserts ? "3" : "1"), (#"{"id":1,"name":"x"}"#, "1"),
    ] {
      let store = try TestStore(
        .entity("Tag", [.optional("name", .string)]), .entity("Item", [], [.toOne("tag", "Tag", isOptional: false)]))
      try store.sync(#"[{"id":1},{"id":2}]"#, as: "Tag")
      try store.sync(#"{"id":7,"tag_id":1}"#, as: "Item")
      try store.sync("{\"id\":7,\"tag\":\(value)}", as: "Item", operations: operations)
      #expect(try store.rows("Item") == ["7: tag=\(link)"], "\(value)")
      #expect(try store.rows("Tag").count == (link == "3" ? 3 : 2), "\(value)")
    }
  }

  @Test(arguments: [
    ("null", ""), ("[]", ""), ("5", "1"), (#"{"id":2}"#, "1"), (#"[{"id":2},5]"#, "1"), (#"[{"id":2},null]"#, "1"),
    ("[2]", "1"),
  ])
  func toManyValues(_ value: String, _ members: String) throws {
    let store = try makeStore()
    try store.sync(#"{"id":7,"tag_ids":[1]}"#, as: "Item")
    try store.sync("{\"id\":7,\"tags\":\(value)}", as: "Item")
    #expect(try store.rows("Item") == ["7:" + (members.isEmpty ? "" : " tags=\(members)")])
    #expect(try store.rows("Tag").count == 2, "unlinked rows stay")
  }

  @Test(arguments: everyOperation)
  func newOwners(_ operations: SyncRelationshipOperations) throws {
    let store = try makeStore()
    try store.sync(
      #"{"id":7,"tag":{"id":1,"name":"x"},"tags":[{"id":2,"name":"y"},{"id":3,"name":"c"}]}"#, as: "Item",
      operations: operations)
    guard operations.contains(.insert) else {
      #expect(try store.rows("Item") == ["7:"])
      #expect(try store.rows("Tag") == ["1: name=a", "2: name=b"])
      return
    }
    #expect(try store.rows("Item") == ["7: tag=1 tags=2,3"])
    let updates = operations.contains(.update)
    #expect(
      try store.rows("Tag") == [updates ? "1: name=x" : "1: name=a", updates ? "2: name=y" : "2: name=b", "3: name=c"])
  }

  @Test func nestedRowsObeyTheRulesOfRows() throws {
    let store = try TestStore(
      .entity("Tag", [.required("name", .string)]), .entity("Item", [], [.toOne("tag", "Tag")]))
    #expect(
      throws: SyncError.invalidPayload(
        model: "Tag", reason: "row 0, nested object (id 1) is new and has no name (looked for under name)")
    ) { try store.sync(#"{"id":7,"tag":{"id":1}}"#, as: "Item") }
    #expect(
      throws: SyncError.invalidPayload(
        model: "Tag",
        reason: "row 0 (id 7): an object under tag has no identity "
          + "(looked for under id, remote_id, remoteID, remoteId)")
    ) { try store.sync(#"{"id":7,"tag":{"name":"x"}}"#, as: "Item") }
    #expect(try store.rows("Item").isEmpty)
  }

  @Test func theLastMentionInThePayloadCounts() throws {
    let store = try makeStore()
    try store.sync(
      #"[{"id":7,"tag":{"id":1,"name":"x"}},{"id":8,"tags":[{"id":1,"name":"y"},{"id":2}]},{"id":9,"tag":{"id":1}}]"#,
      as: "Item")
    #expect(try store.rows("Tag") == ["1: name=y", "2: name=b"])
    #expect(try store.rows("Item") == ["7: tag=1", "8: tags=1,2", "9: tag=1"])
  }

  @Test func membersThatNeedAnOwnerStay() throws {
    let store = try TestStore(
      .entity("List", [], [.toMany("items", "Item", inverse: "list")]),
      .entity("Item", [.optional("n", .int64)], [.toOne("list", "List", inverse: "items", isOptional: false)]))
    try store.sync(#"[{"id":1,"items":[{"id":1},{"id":2}]},{"id":2}]"#, as: "List")
    #expect(try store.rows("Item") == ["1: list=1", "2: list=1"])
    for payload in [#"{"id":1,"items":[{"id":1,"n":5}]}"#, #"{"id":1,"items":[]}"#, #"{"id":1,"items":null}"#] {
      let report = try store.sync(payload, as: "List")
      #expect(report.ignoredReferences.map(\.reason) == [.memberNeedsOwner])
      #expect(try store.rows("Item") == ["1: n=5 list=1", "2: list=1"])
    }
    // But they may move.
    let report = try store.sync(#"{"id":2,"items":[{"id":2}]}"#, as: "List")
    #expect(report.ignoredReferences.isEmpty)
    #expect(try store.rows("Item") == ["1: n=5 list=1", "2: list=2"])
  }

  // MARK: Depth

  private func makeTree() throws -> TestStore {
    try TestStore(
      .entity(
        "Node", [.optional("name", .string)],
        [
          .toOne("parent", "Node", inverse: "children"), .toMany("children", "Node", inverse: "parent"),
          .toOne("owner", "User"),
        ]),
      .entity("User", [.optional("name", .string)], [.toOne("favorite", "Node"), .toMany("friends", "User")]))
  }

  @Test func everyDepthIsProcessed() throws {
    let store = try makeTree()
    try store.sync(
      """
      {"id":1,"name":"root","children":[
        {"id":2,"children":[{"id":3,"owner":{"id":1,"name":"U","friends":[{"id":2,"name":"V"}]}},{"id":4}]},
        {"id":5,"owner_id":2}]}
      """, as: "Node")
    #expect(
      try store.rows("Node") == [
        "1: name=root children=2,5", "2: parent=1 children=3,4", "3: parent=2 owner=1", "4: parent=2",
        "5: parent=1 owner=2",
      ])
    #expect(try store.rows("User") == ["1: name=U friends=2", "2: name=V"])
    #expect(try store.store.read { try $0.checkInvariants().isEmpty })
  }

  @Test func missingKeysMeanUntouchedAtEveryDepth() throws {
    let store = try makeTree()
    try store.sync(#"{"id":1,"name":"a","owner":{"id":9,"name":"U","favorite":{"id":2,"name":"b"}}}"#, as: "Node")
    let report = try store.sync(#"{"id":1,"owner":{"id":9,"favorite":{"id":2}}}"#, as: "Node")
    #expect(report.changedNothing)
    #expect(try store.rows("Node") == ["1: name=a owner=9", "2: name=b"])
  }

  @Test func cyclesAreRowsThatPointAtEachOther() throws {
    let store = try makeTree()
    try store.sync(
      #"{"id":1,"name":"a","owner":{"id":9,"favorite":{"id":1,"name":"b","owner":{"id":9,"name":"U","favorite":{"id":1}}}}}"#,
      as: "Node")
    #expect(try store.rows("Node") == ["1: name=b owner=9"])
    #expect(try store.rows("User") == ["9: name=U favorite=1"])
  }

  @Test func deepNestingIsNoRecursion() throws {
    let store = try makeTree()
    let depth = 200
    let payload = (1...depth).map { "{\"id\":\($0),\"children\":[" }.joined() + String(repeating: "]}", count: depth)
    try store.sync(payload, as: "Node")
    #expect(try store.rows("Node").count == depth)
    #expect(try store.rows("Node").contains("\(depth): parent=\(depth - 1)"))
  }

  @Test func aNestedRowOfTheSyncedEntityIsNotMissing() throws {
    let store = try makeTree()
    let payload = #"[{"id":1,"parent":{"id":2,"name":"p"}}]"#
    try store.sync(#"[{"id":2},{"id":3}]"#, as: "Node")
    try store.sync(payload, as: "Node")
    #expect(try store.rows("Node") == ["1: parent=2", "2: name=p children=1"])
    let again = try store.sync(payload, as: "Node")
    #expect(again.changedNothing)
  }

  @Test func membershipBeatsTheMembersOwnForeignKey() throws {
    let store = try makeTree()
    try store.sync(#"[{"id":1,"children":[{"id":3,"parent_id":2}]},{"id":2}]"#, as: "Node")
    #expect(try store.rows("Node") == ["1: children=3", "2:", "3: parent=1"])
  }
}
