import Records
import Testing

@testable import SyncEngine

/// Syncs of which the payload is not all that there is: `missing: .keep`, and a condition that limits the deletion.
@Suite struct DeletionLimitTests {
  private func makeStore(isUnique: Bool = true) throws -> TestStore {
    let store = try TestStore(
      .entity("Project"),
      .entity("Task", isUnique: isUnique, [.optional("n", .int64)], [.toOne("project", "Project")]))
    try store.sync(#"[{"id":1},{"id":2}]"#, as: "Project")
    try store.sync(
      #"[{"id":1,"n":1,"project_id":1},{"id":2,"n":2,"project_id":1},{"id":3,"n":1,"project_id":2},{"id":4}]"#,
      as: "Task"
    )
    return store
  }

  private func isOne(in store: TestStore) throws -> Condition {
    let entity = try #require(store.store.catalog.entity(named: "Task"))
    return .compare(entity.attributes[1].field, .equal, .int(1))
  }

  @Test(
    "Only rows of which the condition was true before the sync are deleted; rows are matched wherever they are",
    arguments: [
      ("[]", ["2: n=2 project=1", "4:"]),
      (#"[{"id":1}]"#, ["1: n=1 project=1", "2: n=2 project=1", "4:"]),
      // A row that the condition isn't true of is the same row all the same.
      (#"[{"id":2,"n":1},{"id":1,"n":2}]"#, ["1: n=2 project=1", "2: n=1 project=1", "4:"]),
      (#"[{"id":9,"n":5}]"#, ["2: n=2 project=1", "4:", "9: n=5"]),
    ] as [(String, [String])])
  func conditions(_ payload: String, _ expected: [String]) throws {
    let store = try makeStore()
    let condition = try isOne(in: store)
    try store.sync(payload, as: "Task") { $0.scope.condition = condition }
    #expect(try store.rows("Task") == expected)
  }

  @Test("A condition and a parent: rows of the parent of which the condition is true", arguments: [true, false])
  func conditionOfAParent(_ isUnique: Bool) throws {
    let store = try makeStore(isUnique: isUnique)
    let condition = try isOne(in: store)
    let project = try #require(try store.row(of: "Project", 1))
    try store.sync(#"[{"id":7}]"#, as: "Task") {
      $0.scope = SyncScope(parent: .init(relationship: "project", row: project), condition: condition)
    }
    #expect(try store.rows("Task") == ["2: n=2 project=1", "3: n=1 project=2", "4:", "7: project=1"])
  }

  @Test("`missing: .keep` deletes nothing, whatever the scope")
  func keep() throws {
    let store = try makeStore()
    let condition = try isOne(in: store)
    for payload in ["[]", #"[{"id":1,"n":8},{"id":5}]"#] {
      try store.sync(payload, as: "Task") { $0.missing = .keep }
      try store.sync(payload, as: "Task") {
        $0.missing = .keep
        $0.scope.condition = condition
      }
    }
    try store.sync("[]", as: "Task", of: "Project", 1, by: "project", missing: .keep)
    #expect(
      try store.rows("Task") == ["1: n=8 project=1", "2: n=2 project=1", "3: n=1 project=2", "4:", "5:"])
    #expect(throws: SyncError.self, "a page without any identity is a mistake all the same (B-12)") {
      try store.sync(#"[{"key":1}]"#, as: "Task") { $0.missing = .keep }
    }
  }

  @Test("An item deletes nothing, with a condition either")
  func items() throws {
    let store = try makeStore()
    let condition = try isOne(in: store)
    try store.sync(#"{"id":4,"n":4}"#, as: "Task") { $0.scope.condition = condition }
    #expect(try store.rows("Task").count == 4)
  }
}
