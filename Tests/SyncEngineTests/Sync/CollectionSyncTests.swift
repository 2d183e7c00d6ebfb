import Records
import Testing

@testable import SyncEngine

@Suite("7.2, 7.3: Collections: what is inserted, updated, deleted, skipped and refused")
struct CollectionSyncTests {
  private func makeStore(isUnique: Bool = true) throws -> TestStore {
    try TestStore(.entity("Model", isUnique: isUnique, [.optional("name", .string)]))
  }

  @Test(
    arguments: [
      // What the payload lists is what there is afterwards.
      (#"[{"id":2,"name":"B"},{"id":3,"name":"c"},{"id":3,"name":"C"},{"name":"x"}]"#, ["2: name=B", "3: name=C"]),
      ("[]", []),
      (#"[{"id":1}]"#, ["1: name=a"]),
      (#"[{"id":2},{"id":1}]"#, ["1: name=a", "2: name=b"]),
      // The last present value of an identity that occurs more than once counts.
      (#"[{"id":1,"name":"x"},{"id":1},{"id":1,"name":"y"}]"#, ["1: name=y"]),
      (#"[{"id":1,"name":"x"},{"id":"1","name":null}]"#, ["1:"]),
      (#"[{"id":9,"name":"x"},{"id":9}]"#, ["9: name=x"]),
      // Unknown keys mean nothing.
      (#"[{"id":1,"color":"red","tags":[1,{"a":[]}]}]"#, ["1: name=a"]),
    ] as [(String, [String])])
  func replacesTheRows(_ payload: String, _ expected: [String]) throws {
    let store = try makeStore()
    try store.sync(#"[{"id":1,"name":"a"},{"id":2,"name":"b"}]"#, as: "Model")
    try store.sync(payload, as: "Model")
    #expect(try store.rows("Model") == expected)
    #expect(try store.store.read { try $0.checkInvariants().isEmpty })
  }

  @Test func countsWhatItDid() throws {
    let store = try makeStore()
    let first = try store.sync(#"[{"id":1,"name":"a"},{"id":2,"name":"b"},{"id":3,"name":"c"}]"#, as: "Model")
    #expect(first.entities == ["Model": .init(inserted: 3)])
    let second = try store.sync(#"[{"id":1,"name":"a"},{"id":2,"name":"B"},{"id":4},{"id":5}]"#, as: "Model")
    #expect(second.entities == ["Model": .init(inserted: 2, updated: 1, deleted: 1, unchanged: 1)])
  }

  @Test func theSamePayloadAgainWritesNothing() throws {
    let store = try makeStore()
    let payload = #"[{"id":1,"name":"a"},{"id":2}]"#
    try store.sync(payload, as: "Model")
    let request = SyncRequest(entity: "Model", document: try PayloadDocument(json: Array(payload.utf8)))
    let committed = try store.store.write { try request.run(in: $0) }
    #expect(committed.changes.isEmpty)
    #expect(committed.result.changedNothing)
    #expect(committed.result.entities == ["Model": .init(unchanged: 2)])
  }

  @Test func anItemLeavesOthersAlone() throws {
    let store = try makeStore()
    try store.sync(#"[{"id":1,"name":"a"},{"id":2,"name":"b"}]"#, as: "Model")
    try store.sync(#"{"id":2,"name":"B"}"#, as: "Model")
    try store.sync(#"{"id":3,"name":"c"}"#, as: "Model")
    #expect(try store.rows("Model") == ["1: name=a", "2: name=B", "3: name=c"])
  }

  @Test(arguments: [
    "{}", "null", "3", "[1]", #"[{"id":1},2]"#, #"[{"id":1},null]"#, #"[[{"id":1}]]"#, #""[]""#,
  ])
  func refusesWhatIsNoArrayOfObjects(_ payload: String) throws {
    let store = try makeStore()
    try store.sync(#"[{"id":1,"name":"a"}]"#, as: "Model")
    let document = try PayloadDocument(json: Array(payload.utf8))
    let error = #expect(throws: SyncError.self) { try store.sync(SyncRequest(entity: "Model", document: document)) }
    #expect(error == .invalidPayload(model: "Model", reason: "Expected array of dictionaries"))
    #expect(error?.errorDescription == "Invalid payload for Model: Expected array of dictionaries")
    #expect(try store.rows("Model") == ["1: name=a"])
  }

  @Test(arguments: ["[]", "null", "3"])
  func refusesAnItemThatIsNoObject(_ payload: String) throws {
    let store = try makeStore()
    let document = try PayloadDocument(json: Array(payload.utf8))
    #expect(throws: SyncError.invalidPayload(model: "Model", reason: "Expected a dictionary")) {
      try store.sync(SyncRequest(entity: "Model", document: document, form: .item))
    }
  }

  @Test func aPayloadWithoutAnyIdentityDeletesNothing() throws {
    let store = try makeStore()
    try store.sync(#"[{"id":1,"name":"a"}]"#, as: "Model")
    #expect(
      throws: SyncError.invalidPayload(
        model: "Model",
        reason: "none of the 2 rows has an identity (looked for under id, remote_id, remoteID, remoteId)")
    ) { try store.sync(#"[{"key":1,"name":"a"},{"key":2}]"#, as: "Model") }
    #expect(try store.rows("Model") == ["1: name=a"])
  }

  @Test func rowsWithoutIdentityAreSkippedAndReported() throws {
    let store = try makeStore()
    let report = try store.sync(#"[{"name":"x"},{"id":1},{"id":null},{"id":[]}]"#, as: "Model")
    #expect(report.skippedRows.map(\.row) == [0, 2, 3])
    #expect(try store.rows("Model") == ["1:"])
  }

  @Test func refusesEntitiesThatCannotBeSynced() throws {
    let store = try TestStore(EntityDescription(name: "Loose", attributes: [.required("id", .int64)]))
    #expect(throws: SyncError.invalidPayload(model: "Loose", reason: "rows without an identity can't be synced")) {
      try store.sync("[]", as: "Loose")
    }
    #expect(throws: SyncError.invalidPayload(model: "Nothing", reason: "the store has no such entity")) {
      try store.sync("[]", as: "Nothing")
    }
  }

  // MARK: Identities that are not unique in the store

  /// Rows with identities and names, in this order.
  private func insert(_ rows: [(Int64, String)], into store: TestStore) throws {
    _ = try store.store.write { transaction in
      let entity = try #require(transaction.catalog.entity(named: "Model"))
      var builder = RecordBuilder(entity.layout)
      for (id, name) in rows {
        builder.reset()
        builder.setInt64(entity.attributes[0].field, id)
        builder.setString(entity.attributes[1].field, name)
        _ = try transaction.insert(&builder, into: entity)
      }
    }
  }

  @Test func aCollectionKeepsOneOfSeveralRowsWithOneIdentity() throws {
    let store = try makeStore(isUnique: false)
    try insert([(1, "first"), (2, "b"), (1, "second"), (2, "c"), (1, "third"), (3, "gone"), (3, "gone")], into: store)
    let report = try store.sync(#"[{"id":1},{"id":2,"name":"B"}]"#, as: "Model")
    #expect(try store.rows("Model") == ["1: name=first", "2: name=B"])
    #expect(report.removedDuplicates == [.init(entity: "Model", count: 3)])
    #expect(report.entities == ["Model": .init(updated: 1, deleted: 5, unchanged: 1)])
  }

  @Test func anItemChangesTheFirstOfSeveralRowsWithOneIdentity() throws {
    let store = try makeStore(isUnique: false)
    try insert([(1, "a"), (1, "b")], into: store)
    let report = try store.sync(#"{"id":1,"name":"A"}"#, as: "Model")
    #expect(try store.rows("Model") == ["1: name=A", "1: name=b"])
    #expect(report.removedDuplicates.isEmpty)
  }

  @Test func deletionFollowsTheDeleteRules() throws {
    let store = try TestStore(
      .entity("Folder", [], [.toMany("files", "File", inverse: "folder", deleteRule: .cascade)]),
      .entity("File", [], [.toOne("folder", "Folder", inverse: "files"), .toOne("next", "File")]))
    try store.sync(#"[{"id":1},{"id":2}]"#, as: "Folder")
    try store.sync(#"[{"id":1,"folder_id":1},{"id":2,"folder_id":2,"next_id":1},{"id":3,"folder_id":1}]"#, as: "File")
    let report = try store.sync(#"[{"id":2}]"#, as: "Folder")
    #expect(try store.rows("File") == ["2: folder=2"])
    #expect(report.entities["Folder"] == .init(deleted: 1, unchanged: 1))
    #expect(try store.store.read { try $0.checkInvariants().isEmpty })
  }

  @Test func rowsThatAreMissingAreNotInEachOthersWay() throws {
    let store = try TestStore(
      .entity(
        "Node", [],
        [
          .toOne("parent", "Node", inverse: "children"),
          .toMany("children", "Node", inverse: "parent", deleteRule: .deny),
        ]))
    try store.sync(#"[{"id":1},{"id":2,"parent_id":1},{"id":3,"parent_id":2},{"id":4}]"#, as: "Node")
    #expect {
      try store.sync(#"[{"id":3},{"id":4}]"#, as: "Node")
    } throws: { error in
      guard case RecordError.deleteDenied("Node", _, "Node.children", _)? = error as? RecordError else { return false }
      return true
    }
    #expect(try store.rows("Node").count == 4)
    let report = try store.sync(#"[{"id":4}]"#, as: "Node")
    #expect(try store.rows("Node") == ["4:"])
    #expect(report.entities["Node"] == .init(deleted: 3, unchanged: 1))
  }
}
