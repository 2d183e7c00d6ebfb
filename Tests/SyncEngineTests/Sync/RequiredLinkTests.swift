import Records
import Testing

@testable import SyncEngine

@Suite("10.2: What a sync makes of rows that can't be without a row which they lead to")
struct RequiredLinkTests {
  /// Lists 1 and 2, with item 1 in list 1. Users 1 and 2 with badges 1 and 2, user 3 without.
  private func makeStore(deleteRule: DeleteRule = .nullify) throws -> TestStore {
    let store = try TestStore(
      .entity("List", [], [.toMany("items", "Item", inverse: "list", deleteRule: deleteRule)]),
      .entity("Item", [], [.toOne("list", "List", inverse: "items", isOptional: false)]),
      .entity("User", [.optional("n", .int64)], [.toOne("badge", "Badge", inverse: "holder")]),
      .entity("Badge", [], [.toOne("holder", "User", inverse: "badge", isOptional: false)]),
      .entity("Node", [], [.toOne("root", "Node", isOptional: false)]))
    try store.sync(#"[{"id":1},{"id":2}]"#, as: "List")
    try store.sync(#"[{"id":1,"list_id":1}]"#, as: "Item")
    try store.sync(#"[{"id":1},{"id":2},{"id":3}]"#, as: "User")
    try store.sync(#"[{"id":1,"holder_id":1},{"id":2,"holder_id":2}]"#, as: "Badge")
    try store.sync(#"[{"id":1,"root_id":1},{"id":2,"root_id":1},{"id":3,"root_id":3}]"#, as: "Node")
    return store
  }

  private func rows(_ store: TestStore) throws -> [String] {
    #expect(try store.store.read { try $0.checkInvariants().isEmpty })
    return try ["List", "Item", "User", "Badge", "Node"].flatMap { name in
      try store.rows(name).map { "\(name) \($0)" }
    }
  }

  private static func denied(_ entity: String, by relationship: String) -> RecordError {
    .deleteDenied(
      entity: entity, row: RowNumber(rawValue: 1), relationship: relationship,
      blockers: [RowNumber(rawValue: relationship == "Node.root" ? 2 : 1)])
  }

  static let refused: [(entity: String, payload: String, error: RecordError)] = [
    ("List", #"[{"id":2}]"#, denied("List", by: "Item.list")),
    ("List", "[]", denied("List", by: "Item.list")),
    ("User", #"[{"id":2}]"#, denied("User", by: "Badge.holder")),
    ("Node", #"[{"id":2},{"id":3}]"#, denied("Node", by: "Node.root")),
    (
      "User", #"{"id":1,"badge_id":2}"#,
      .missingDestination(entity: "Badge", row: RowNumber(rawValue: 1), relationship: "Badge.holder")
    ),
    (
      "Badge", #"{"id":3,"holder_id":1}"#,
      .missingDestination(entity: "Badge", row: RowNumber(rawValue: 1), relationship: "Badge.holder")
    ),
  ]

  @Test(arguments: refused)
  func aPayloadThatLeavesARowWithoutItsDestinationThrows(entity: String, payload: String, error: RecordError) throws {
    let store = try makeStore()
    let before = try rows(store)
    #expect(throws: error) { try store.sync(payload, as: entity) }
    #expect(try rows(store) == before)
  }

  @Test func rowsThatAreMissingTogetherAreDeletedInAnyOrder() throws {
    let store = try makeStore()
    try store.sync(#"[{"id":3}]"#, as: "Node")
    #expect(try store.rows("Node") == ["3: root=3"])
    try store.sync(#"[{"id":5,"root_id":4},{"id":4,"root_id":5}]"#, as: "Node")
    try store.sync("[]", as: "Node")
    #expect(try store.rows("Node").isEmpty)
  }

  @Test func rowsThatMoveToAnotherOwnerLetTheFirstOneGo() throws {
    let store = try makeStore()
    try store.sync(#"[{"id":2,"items":[{"id":1}]}]"#, as: "List")
    #expect(try store.rows("List") == ["2: items=1"])
    try store.sync(#"[{"id":3,"item_ids":[1]}]"#, as: "List")
    #expect(try store.rows("Item") == ["1: list=3"])
    // A badge that takes the place of one that the payload doesn't list.
    try store.sync(#"[{"id":2},{"id":3,"holder_id":1}]"#, as: "Badge")
    #expect(try store.rows("Badge") == ["2: holder=2", "3: holder=1"])
  }

  @Test func cascadesTakeDependantsAlong() throws {
    let store = try makeStore(deleteRule: .cascade)
    let report = try store.sync(#"[{"id":2}]"#, as: "List")
    #expect(try store.rows("Item").isEmpty)
    #expect(report.entities["List"] == .init(deleted: 1, unchanged: 1))
  }

  @Test func partnersCanBeSwappedButNotDropped() throws {
    let store = try makeStore()
    let report = try store.sync(#"{"id":1,"n":5,"badge_id":null}"#, as: "User")
    #expect(report.ignoredReferences.map(\.reason) == [.memberNeedsOwner])
    #expect(try store.rows("User") == ["1: n=5 badge=1", "2: badge=2", "3:"])
    // Without a partner there is nothing to drop.
    #expect(try store.sync(#"{"id":3,"badge_id":null}"#, as: "User").ignoredReferences.isEmpty)
    for payload in [
      #"[{"id":1,"badge_id":2},{"id":2,"badge_id":1},{"id":3}]"#,
      #"[{"id":1,"badge_id":null},{"id":2,"badge_id":null},{"id":3,"badge_id":1}]"#,
    ] { try store.sync(payload, as: "User") }
    #expect(try store.rows("User") == ["1: n=5 badge=2", "2:", "3: badge=1"])
    #expect(try store.rows("Badge") == ["1: holder=3", "2: holder=1"])
  }
}
