import FoundationEssentials
import Records
import Testing

@testable import SyncEngine

@Suite("10.1, 10.2: Links that payloads express by identities")
struct ForeignKeyTests {
  private func makeStore() throws -> TestStore {
    let store = try TestStore(
      .entity("Tag"), .entity("Item", [], [.toOne("tag", "Tag"), .toMany("tags", "Tag")]))
    try store.sync(#"[{"id":1},{"id":2},{"id":3}]"#, as: "Tag")
    return store
  }

  private static let everyOperation: [SyncRelationshipOperations] = (0...7).map(SyncRelationshipOperations.init)

  @Test(arguments: everyOperation)
  func toOneOfExistingRows(_ operations: SyncRelationshipOperations) throws {
    let processes = operations.contains(.update) || operations.contains(.delete)
    let links = operations.contains(.insert) || operations.contains(.update)
    let clears = operations.contains(.delete)
    for (start, value, after) in [
      ("1", nil, "1"), ("1", "2", processes && links ? "2" : "1"), ("1", "1", "1"),
      ("null", "1", processes && links ? "1" : ""),
      ("1", "null", clears ? "" : "1"), ("null", "null", ""), ("1", "99", "1"), ("1", #""2""#, "1"), ("1", "{}", "1"),
      ("1", "[2]", "1"), ("1", "2.5", "1"), ("1", "true", "1"), ("1", "2.0", processes && links ? "2" : "1"),
    ] as [(String, String?, String)] {
      let store = try makeStore()
      try store.sync("{\"id\":7,\"tag_id\":\(start)}", as: "Item")
      let member = value.map { ",\"tag_id\":\($0)" } ?? ""
      let report = try store.sync("{\"id\":7\(member)}", as: "Item", operations: operations)
      #expect(
        try store.rows("Item") == ["7:" + (after.isEmpty ? "" : " tag=\(after)")], "\(start) then \(value ?? "-")")
      let isSame = after == start || (after.isEmpty && start == "null")
      #expect(report.changedNothing == isSame)
    }
  }

  @Test(arguments: everyOperation)
  func toOneOfNewRows(_ operations: SyncRelationshipOperations) throws {
    let store = try makeStore()
    try store.sync(#"{"id":7,"tag_id":2}"#, as: "Item", operations: operations)
    #expect(try store.rows("Item") == [operations.contains(.insert) ? "7: tag=2" : "7:"])
  }

  @Test(arguments: everyOperation)
  func toManyOfExistingRows(_ operations: SyncRelationshipOperations) throws {
    let processes = operations.contains(.update) || operations.contains(.delete)
    let links = operations.contains(.insert) || operations.contains(.update)
    let clears = operations.contains(.delete)
    let merged =
      !processes ? "1,2" : clears ? (links ? "2,3" : "2") : "1,2,3"
    for (value, after) in [
      (nil, "1,2"), ("null", clears ? "" : "1,2"), ("[]", clears ? "" : "1,2"), ("[2,3]", merged),
      ("[3,2,2,3,99]", merged),
      ("[1,2]", "1,2"), ("[2,1]", "1,2"), (#"[2,"3"]"#, "1,2"), ("[2,null]", "1,2"), ("2", "1,2"), ("{}", "1,2"),
      ("[99]", clears ? "" : "1,2"), ("[2.0,3]", merged), ("[true]", "1,2"),
    ] as [(String?, String)] {
      let store = try makeStore()
      try store.sync(#"{"id":7,"tag_ids":[1,2]}"#, as: "Item")
      let member = value.map { ",\"tag_ids\":\($0)" } ?? ""
      let report = try store.sync("{\"id\":7\(member)}", as: "Item", operations: operations)
      #expect(try store.rows("Item") == ["7:" + (after.isEmpty ? "" : " tags=\(after)")], "\(value ?? "-")")
      #expect(report.changedNothing == (after == "1,2"), "\(value ?? "-")")
      #expect(try store.store.read { try $0.checkInvariants().isEmpty })
    }
  }

  @Test(arguments: everyOperation)
  func toManyOfNewRows(_ operations: SyncRelationshipOperations) throws {
    let store = try makeStore()
    try store.sync(#"{"id":7,"tag_ids":[3,1,3,99]}"#, as: "Item", operations: operations)
    #expect(try store.rows("Item") == [operations.contains(.insert) ? "7: tags=1,3" : "7:"])
  }

  @Test func membersKeepTheOrderOfThePayload() throws {
    let store = try makeStore()
    try store.sync(#"{"id":7,"tag_ids":[3,1]}"#, as: "Item")
    try store.sync(#"{"id":7,"tag_ids":[2,1,3]}"#, as: "Item")
    let names = try store.store.read { snapshot in
      let item = try #require(snapshot.catalog.entity(named: "Item"))
      let tag = try #require(snapshot.catalog.entity(named: "Tag"))
      let index = try #require(item.identityIndex)
      let row = try #require(try snapshot.firstRow(where: index, equals: [.int(7)]))
      return try snapshot.members(of: item.relationships[1], owner: row).compactMap { member in
        try snapshot.withRecord(member, of: tag) { $0.int64(tag.attributes[0].field) }
      }
    }
    #expect(names == [3, 1, 2], "members that stay keep their places")
  }

  @Test func theListUnderTheAlphabeticallyFirstKeyCounts() throws {
    let store = try makeStore()
    try store.sync(#"{"id":7,"tags_ids":[1],"tag_ids":[2],"tags":[{"id":3}]}"#, as: "Item")
    #expect(try store.rows("Item") == ["7: tags=2"])
    try store.sync(#"{"id":7,"tags_ids":[1],"tag_ids":null}"#, as: "Item")
    #expect(try store.rows("Item") == ["7:"], "null is present")
  }

  @Test(arguments: [
    // identity type, identity as payload, references that link, references that don't
    (AttributeType.int64, "10", ["10", "10.0", "1e1"], [#""10""#, "10.5", "true", "[10]"]),
    (.int16, "10", ["10", "10.0"], [#""10""#, "70000"]),
    (.uint64, "18446744073709551615", ["18446744073709551615"], ["-1"]),
    (.string, #""10""#, [#""10""#], ["10", "10.0", "true"]),
    (
      .uuid, #""6f1c2b3a-0d4e-4f5a-8b6c-7d8e9f0a1b2c""#, [#""6F1C2B3A-0D4E-4F5A-8B6C-7D8E9F0A1B2C""#],
      [#""6f1c2b3a0d4e4f5a8b6c7d8e9f0a1b2c""#, "1"]
    ),
    (.double, "1.5", ["1.5"], [#""1.5""#]), (.decimal, "1.5", ["1.50"], [#""1.5""#]), (.bool, "true", ["true"], ["1"]),
  ])
  func referencesAreOfTheKindOfTheIdentity(
    _ type: AttributeType, _ identity: String, _ linking: [String], _ others: [String]
  ) throws {
    for (references, isLinked) in [(linking, true), (others, false)] {
      for reference in references {
        let store = try TestStore(
          .entity("Tag", id: type), .entity("Item", [], [.toOne("tag", "Tag"), .toMany("tags", "Tag")]))
        try store.sync("[{\"id\":\(identity)}]", as: "Tag")
        let report = try store.sync("{\"id\":7,\"tag_id\":\(reference),\"tag_ids\":[\(reference)]}", as: "Item")
        let row = try #require(try store.rows("Item").first)
        #expect(row.contains("tag=") == isLinked, "\(reference) to \(type)")
        #expect(row.contains("tags=") == isLinked, "[\(reference)] to \(type)")
        #expect(report.ignoredReferences.isEmpty == isLinked)
      }
    }
  }

  @Test func nativeIdentitiesLink() throws {
    let id = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))
    let store = try TestStore(.entity("Tag", id: .uuid), .entity("Item", id: .int32, [], [.toOne("tag", "Tag")]))
    try store.sync(SyncRequest(entity: "Tag", document: PayloadDocument([["id": id]])))
    try store.sync(SyncRequest(entity: "Item", document: PayloadDocument([["id": 1, "tag_id": id] as [String: Any]])))
    #expect(try store.rows("Item") == ["1: tag=\(id.uuidString)"])
  }

  @Test("B-8: whole numbers link whatever native type has them")
  func nativeNumbers() throws {
    let big = UInt64.max
    let store = try TestStore(.entity("Tag", id: .uint64), .entity("Item", [], [.toOne("tag", "Tag")]))
    try store.sync(SyncRequest(entity: "Tag", document: PayloadDocument([["id": 10], ["id": big]] as [Any])))
    for (value, tag) in [
      (Int16(10), "10"), (UInt8(10), "10"), (big, "\(big)"), (Decimal(10), "10"), (Decimal(big), "\(big)"),
      (Decimal(10.5), nil), ("10", nil), (true, nil),
    ] as [(any Sendable, String?)] {
      try store.sync(#"{"id":7,"tag_id":null}"#, as: "Item")
      let document = try PayloadDocument(["id": 7, "tag_id": value] as [String: Any])
      try store.sync(SyncRequest(entity: "Item", document: document, form: .item))
      #expect(try store.rows("Item") == ["7:" + (tag.map { " tag=\($0)" } ?? "")], "\(value)")
    }
  }

  @Test func requiredLinksCannotBeClearedOrLeftOut() throws {
    let store = try TestStore(
      .entity("Tag"), .entity("Item", [.optional("n", .int64)], [.toOne("tag", "Tag", isOptional: false)]))
    try store.sync(#"[{"id":1},{"id":2}]"#, as: "Tag")
    for payload in [#"{"id":7}"#, #"{"id":7,"tag_id":null}"#, #"{"id":7,"tag_id":99}"#] {
      #expect(throws: SyncError.invalidPayload(model: "Item", reason: "row 0 (id 7) is new and leads nowhere as tag")) {
        try store.sync(payload, as: "Item")
      }
    }
    try store.sync(#"{"id":7,"tag_id":1}"#, as: "Item")
    try store.sync(#"{"id":7,"tag_id":null,"n":5}"#, as: "Item")
    #expect(try store.rows("Item") == ["7: n=5 tag=1"])
  }

  @Test("10.2: a to-one that is not optional, by value and operations", arguments: everyOperation)
  func requiredToOne(_ operations: SyncRelationshipOperations) throws {
    let processes = operations.contains(.update) || operations.contains(.delete)
    let links = processes && (operations.contains(.insert) || operations.contains(.update))
    for (value, after) in [
      (nil, "1"), ("null", "1"), ("2", links ? "2" : "1"), ("1", "1"), ("99", "1"), (#""2""#, "1"), ("{}", "1"),
      ("[2]", "1"), ("true", "1"),
    ] as [(String?, String)] {
      let store = try TestStore(.entity("Tag"), .entity("Item", [], [.toOne("tag", "Tag", isOptional: false)]))
      try store.sync(#"[{"id":1},{"id":2}]"#, as: "Tag")
      try store.sync(#"{"id":7,"tag_id":1}"#, as: "Item")
      let member = value.map { ",\"tag_id\":\($0)" } ?? ""
      let report = try store.sync("{\"id\":7\(member)}", as: "Item", operations: operations)
      #expect(try store.rows("Item") == ["7: tag=\(after)"], "\(value ?? "-")")
      #expect(report.changedNothing == (after == "1"))
    }
  }

  @Test("B-23: of several rows with one identity in a related table the oldest is linked, and none is lost")
  func duplicatesInARelatedTable() throws {
    let store = try TestStore(
      .entity("Tag", isUnique: false, [.optional("n", .int64)]),
      .entity("Item", [], [.toOne("tag", "Tag"), .toMany("tags", "Tag")]))
    _ = try store.store.write { transaction in
      let tag = try #require(transaction.catalog.entity(named: "Tag"))
      var builder = RecordBuilder(tag.layout)
      for (id, n) in [(1, 10), (1, 11), (2, 20), (1, 12)] as [(Int64, Int64)] {
        builder.reset()
        builder.setInt64(tag.attributes[0].field, id)
        builder.setInt64(tag.attributes[1].field, n)
        _ = try transaction.insert(&builder, into: tag)
      }
    }
    try store.sync(#"[{"id":7,"tag_id":1,"tag_ids":[1,2,1]},{"id":8,"tags":[{"id":1,"n":99}]}]"#, as: "Item")
    #expect(try store.rows("Item") == ["7: tag=1 tags=1,2", "8: tags=1"])
    #expect(try store.rows("Tag") == ["1: n=11", "1: n=12", "1: n=99", "2: n=20"])
  }

  @Test("10.7: many-to-many by ids and by objects comes to the same graph, from either side")
  func manyToMany() throws {
    var graphs: [[String]] = []
    for (payload, entity) in [
      (#"[{"id":1,"tag_ids":[1,2]},{"id":2,"tag_ids":[2]}]"#, "Item"),
      (#"[{"id":1,"tags":[{"id":1},{"id":2}]},{"id":2,"tags":[{"id":2}]}]"#, "Item"),
      (#"[{"id":1,"item_ids":[1]},{"id":2,"item_ids":[1,2]}]"#, "Tag"),
      (#"[{"id":1,"items":[{"id":1}]},{"id":2,"items":[{"id":2},{"id":1}]}]"#, "Tag"),
    ] {
      let store = try TestStore(
        .entity("Tag", [], [.toMany("items", "Item", inverse: "tags")]),
        .entity("Item", [], [.toMany("tags", "Tag", inverse: "items")]))
      try store.sync(#"[{"id":1},{"id":2}]"#, as: "Tag")
      try store.sync(#"[{"id":1},{"id":2}]"#, as: "Item")
      try store.sync(payload, as: entity)
      #expect(try store.sync(payload, as: entity).changedNothing)
      graphs.append(try store.rows("Item") + store.rows("Tag"))
    }
    #expect(Set(graphs) == [["1: tags=1,2", "2: tags=2", "1: items=1", "2: items=1,2"]])
  }

  @Test func relationsToEntitiesWithoutIdentityCanOnlyBeCleared() throws {
    let store = try TestStore(
      EntityDescription(name: "Plain", attributes: [.required("n", .int64)]),
      .entity("Item", [], [.toOne("one", "Plain"), .toMany("many", "Plain")]))
    try store.sync(#"{"id":1}"#, as: "Item")
    _ = try store.store.write { transaction in
      let plain = try #require(transaction.catalog.entity(named: "Plain"))
      let item = try #require(transaction.catalog.entity(named: "Item"))
      var builder = RecordBuilder(plain.layout)
      builder.setInt64(plain.attributes[0].field, 5)
      let row = try transaction.insert(&builder, into: plain)
      let index = try #require(item.identityIndex)
      let owner = try #require(try transaction.firstRow(where: index, equals: [.int(1)]))
      _ = try transaction.setMembers(of: item.relationships[1], owner: owner, to: [row])
      var itemBuilder = RecordBuilder(item.layout)
      _ = try transaction.withRecord(owner, of: item) { itemBuilder.load($0) }
      let field = try #require(item.relationships[0].field)
      itemBuilder.setRow(field, row)
      _ = try transaction.update(owner, of: item, with: &itemBuilder)
    }
    try store.sync(#"{"id":1,"one_id":5,"many_ids":[5],"one":{"n":1},"many":[{"n":1}]}"#, as: "Item")
    #expect(try store.rows("Item") == ["1: one=? many=?"])
    try store.sync(#"{"id":1,"one_id":null,"many_ids":[]}"#, as: "Item")
    #expect(try store.rows("Item") == ["1:"])
  }

  @Test func ignoredReferencesAreReported() throws {
    let store = try makeStore()
    let report = try store.sync(
      #"[{"id":7,"tag_id":"2","tag_ids":[1,98,99]},{"id":8,"tag_id":97,"tag_ids":5}]"#, as: "Item")
    #expect(
      Set(report.ignoredReferences.map { "\($0.row) \($0.identity) \($0.relationship) \($0.value) \($0.reason)" }) == [
        "0 7 tag 2 mismatchedValue", "0 7 tags 98 unknownIdentity", "0 7 tags 99 unknownIdentity",
        "1 8 tag 97 unknownIdentity", "1 8 tags 5 mismatchedValue",
      ])
  }
}
