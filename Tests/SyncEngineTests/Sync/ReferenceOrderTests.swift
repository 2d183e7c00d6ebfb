import Records
import TestSupport
import Testing

@testable import SyncEngine

@Suite("10.6, B-22: References to rows that come later in the payload, to oneself and in circles")
struct ReferenceOrderTests {
  private func makeStore() throws -> TestStore {
    try TestStore(
      .entity(
        "Node", [.optional("n", .int64)],
        [
          .toOne("parent", "Node", inverse: "children"), .toMany("children", "Node", inverse: "parent"),
          .toMany("friends", "Node"), .toOne("twin", "Node", inverse: "twinOf"),
          .toOne("twinOf", "Node", inverse: "twin"),
        ]))
  }

  @Test(
    arguments: [
      (#"[{"id":1,"parent_id":2},{"id":2}]"#, ["1: parent=2", "2: children=1"]),
      (#"[{"id":1,"parent_id":1}]"#, ["1: parent=1 children=1"]),
      (#"[{"id":1,"parent_id":2},{"id":2,"parent_id":1}]"#, ["1: parent=2 children=2", "2: parent=1 children=1"]),
      (#"[{"id":1,"friend_ids":[3,2,1]},{"id":2},{"id":3}]"#, ["1: friends=1,2,3", "2:", "3:"]),
      (#"[{"id":1,"children_ids":[2,3]},{"id":2},{"id":3}]"#, ["1: children=2,3", "2: parent=1", "3: parent=1"]),
      // The last word of a row counts, also when an earlier one had to wait for its target.
      (#"[{"id":1,"parent_id":2},{"id":1,"parent_id":null},{"id":2}]"#, ["1:", "2:"]),
      (#"[{"id":1,"parent_id":2},{"id":1,"parent_id":3},{"id":2},{"id":3}]"#, ["1: parent=3", "2:", "3: children=1"]),
      (#"[{"id":1,"parent_id":9}]"#, ["1:"]),
      // One-to-one: the other end follows, and nobody has two partners.
      (#"[{"id":1,"twin_id":2},{"id":2}]"#, ["1: twin=2", "2: twinOf=1"]),
      (#"[{"id":1,"twin_id":3},{"id":2,"twin_id":3},{"id":3}]"#, ["1:", "2: twin=3", "3: twinOf=2"]),
      (#"[{"id":1,"twin_id":2},{"id":2,"twin_id":1}]"#, ["1: twin=2 twinOf=2", "2: twin=1 twinOf=1"]),
      (#"[{"id":1,"twin_id":1}]"#, ["1: twin=1 twinOf=1"]),
    ] as [(String, [String])])
  func newRows(_ payload: String, _ expected: [String]) throws {
    let store = try makeStore()
    try store.sync(payload, as: "Node")
    #expect(try store.rows("Node") == expected)
    #expect(try store.store.read { try $0.checkInvariants().map { "\($0)" } } == [])
    #expect(try store.sync(payload, as: "Node").changedNothing || payload.contains("\"twin_id\":3},{\"id\":2"))
    #expect(try store.rows("Node") == expected)
  }

  @Test func existingRowsReferToNewOnes() throws {
    let store = try makeStore()
    try store.sync(#"[{"id":1},{"id":2}]"#, as: "Node")
    let report = try store.sync(#"[{"id":1,"parent_id":3,"friend_ids":[3]},{"id":2},{"id":3,"n":5}]"#, as: "Node")
    #expect(try store.rows("Node") == ["1: parent=3 friends=3", "2:", "3: n=5 children=1"])
    #expect(report.entities["Node"] == .init(inserted: 1, updated: 1, unchanged: 1, linked: 2))
  }

  @Test func aReferenceToARowThatIsDeletedEndsUnlinked() throws {
    let store = try makeStore()
    try store.sync(#"[{"id":1},{"id":2}]"#, as: "Node")
    let payload = #"[{"id":1,"parent_id":2,"friend_ids":[2]}]"#
    try store.sync(payload, as: "Node")
    #expect(try store.rows("Node") == ["1:"])
    #expect(try store.sync(payload, as: "Node").changedNothing)
  }

  @Test func theOrderOfRowsDoesNotMatter() throws {
    var random = SplitMix64(seed: 8)
    for _ in 0..<50 {
      let rows = (1...8).map { id in
        let parent = Int.random(in: 1...10, using: &random)
        let friends = (0..<3).map { _ in "\(Int.random(in: 1...10, using: &random))" }.joined(separator: ",")
        return "{\"id\":\(id),\"parent_id\":\(parent),\"friend_ids\":[\(friends)]}"
      }
      let (inOrder, shuffled) = (try makeStore(), try makeStore())
      try inOrder.sync("[" + rows.joined(separator: ",") + "]", as: "Node")
      try shuffled.sync("[" + rows.shuffled(using: &random).joined(separator: ",") + "]", as: "Node")
      #expect(try inOrder.rows("Node") == shuffled.rows("Node"))
      #expect(try shuffled.store.read { try $0.checkInvariants().isEmpty })
    }
  }
}
