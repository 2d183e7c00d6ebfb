import Records
import Testing

@testable import SyncEngine

@Suite("8: Payloads that list the rows of one parent")
struct ParentScopeTests {
  /// Two projects. Project 1 has the tasks 1 and 2, project 2 the task 3, and task 4 has none.
  private func makeStore(isUnique: Bool = true) throws -> TestStore {
    let store = try TestStore(
      .entity("Project", [.optional("name", .string)], [.toMany("tasks", "Task", inverse: "project")]),
      .entity(
        "Task", isUnique: isUnique, [.optional("title", .string)],
        [
          .toOne("project", "Project", inverse: "tasks"), .toOne("blocker", "Task"), .toMany("notes", "Note"),
        ]),
      .entity("Note", [.optional("text", .string)]))
    try store.sync(#"[{"id":1,"name":"p"},{"id":2,"name":"q"}]"#, as: "Project")
    try store.sync(
      #"[{"id":1,"title":"a","project_id":1},{"id":2,"title":"b","project_id":1},{"id":3,"title":"c","project_id":2},{"id":4,"title":"d"}]"#,
      as: "Task")
    return store
  }

  @Test(
    "8.2, 8.3: what the payload lists is what the parent has afterwards; others are left alone",
    arguments: [
      (#"[{"id":1,"title":"A"},{"id":5,"title":"e"}]"#, ["1: title=A project=1", "5: title=e project=1"]),
      ("[]", []),
      (#"[{"id":2},{"id":1}]"#, ["1: title=a project=1", "2: title=b project=1"]),
      (#"[{"id":5,"title":"x"},{"id":5,"title":"y"}]"#, ["5: title=y project=1"]),
      // The given parent wins over what the payload says of it, on new rows too (B-16).
      (
        #"[{"id":1,"project_id":2},{"id":2,"project_id":null},{"id":6,"project":{"id":9,"name":"new"}},{"id":7,"project":2}]"#,
        ["1: title=a project=1", "2: title=b project=1", "6: project=1", "7: project=1"]
      ),
      // Rows without identity protect nothing (B-12).
      (#"[{"title":"x"},{"id":1}]"#, ["1: title=a project=1"]),
    ] as [(String, [String])])
  func replacesTheRowsOfTheParent(_ payload: String, _ expected: [String]) throws {
    let store = try makeStore()
    try store.sync(payload, as: "Task", of: "Project", 1, by: "project")
    #expect(try store.rows("Task").filter { $0.contains("project=1") } == expected)
    #expect(try store.rows("Task").filter { !$0.contains("project=1") } == ["3: title=c project=2", "4: title=d"])
    #expect(try store.rows("Project").count == 2)
    #expect(try store.store.read { try $0.checkInvariants().isEmpty })
  }

  @Test("8.3: a row with a global identity is moved, from another parent and from none")
  func movesRows() throws {
    let store = try makeStore()
    let report = try store.sync(
      #"[{"id":3,"title":"C"},{"id":4},{"id":1}]"#, as: "Task", of: "Project", 1, by: "project")
    #expect(try store.rows("Task") == ["1: title=a project=1", "3: title=C project=1", "4: title=d project=1"])
    #expect(report.entities["Task"] == .init(updated: 2, deleted: 1, unchanged: 1, linked: 2, unlinked: 1))
    #expect(report.identities["Task"]?.linked == ["3", "4"] && report.identities["Task"]?.deleted == ["2"])
  }

  @Test("8.1, B-15: which declarations make an identity global", arguments: [true, false])
  func globalIdentities(_ isConstraint: Bool) throws {
    let id = AttributeDescription(name: "id", type: .int64, options: isConstraint ? [] : .unique)
    let store = try TestStore(
      .entity("Parent"),
      EntityDescription(
        name: "Child", attributes: [id, .optional("code", .int64)], relationships: [.toOne("parent", "Parent")],
        identity: "id", uniquenessConstraints: isConstraint ? [["id"]] : []))
    try store.sync(#"[{"id":1},{"id":2}]"#, as: "Parent")
    for parent in [1, 2] as [Int64] { try store.sync(#"[{"id":7}]"#, as: "Child", of: "Parent", parent, by: "parent") }
    #expect(try store.rows("Child") == ["7: parent=2"])
  }

  @Test("8.1: an identity that is unique only together with another value, or beside another unique value, is scoped")
  func scopedIdentitiesBesideConstraints() throws {
    let store = try TestStore(
      .entity("Parent"),
      EntityDescription(
        name: "Child", attributes: [.required("id", .int64), .optional("code", .int64), .optional("slug", .string)],
        relationships: [.toOne("parent", "Parent")], identity: "id",
        uniquenessConstraints: [["id", "code"], ["slug"]]))
    try store.sync(#"[{"id":1},{"id":2}]"#, as: "Parent")
    for parent in [1, 2] as [Int64] {
      try store.sync(#"[{"id":7,"code":\#(parent)}]"#, as: "Child", of: "Parent", parent, by: "parent")
    }
    #expect(try store.rows("Child") == ["7: code=1 parent=1", "7: code=2 parent=2"])
  }

  @Test(
    "B-16: no list of another object takes a row of the payload away from the given parent, at whatever depth",
    arguments: [
      #"[{"id":1,"blocker":{"id":4,"project":{"id":2,"tasks":[{"id":1},{"id":3},{"id":4}]}}},{"id":2}]"#,
      #"[{"id":1},{"id":2,"blocker":{"id":3,"project":{"id":2,"task_ids":[1,2,3]}}}]"#,
      #"[{"id":1,"blocker":{"id":2,"project":{"id":2,"name":"q","tasks":[{"id":3},{"id":2},{"id":1}]}}},{"id":2}]"#,
      // The parent's own list doesn't either.
      #"[{"id":1,"blocker":{"id":2,"project":{"id":1,"tasks":[]}}},{"id":2}]"#,
      #"[{"id":1},{"id":2,"blocker":{"id":1,"project":{"id":1,"task_ids":null}}}]"#,
    ])
  func heldRows(_ payload: String) throws {
    let store = try makeStore()
    for time in 1...2 {
      let report = try store.sync(payload, as: "Task", of: "Project", 1, by: "project")
      #expect(try store.rows("Project").first == "1: name=p tasks=1,2", "time \(time)")
      #expect(try store.rows("Task").allSatisfy { !$0.hasPrefix("3:") || $0.contains("project=2") })
      #expect(report.entities["Project"]?.linked ?? 0 == 0 && report.entities["Project"]?.unlinked ?? 0 == 0)
      #expect(time == 1 || report.changedNothing)
      #expect(try store.store.read { try $0.checkInvariants().isEmpty })
    }
  }

  // MARK: Scoped identities

  @Test("8.1, 8.3: a scoped identity means the parent's row, and may exist under each parent")
  func scopedIdentities() throws {
    let store = try makeStore(isUnique: false)
    try store.sync(#"[{"id":1,"title":"x"},{"id":3,"title":"y"}]"#, as: "Task", of: "Project", 2, by: "project")
    #expect(
      try store.rows("Task") == [
        "1: title=a project=1", "1: title=x project=2", "2: title=b project=1", "3: title=y project=2", "4: title=d",
      ])
    let again = try store.sync(#"[{"id":1,"title":"x"},{"id":3}]"#, as: "Task", of: "Project", 2, by: "project")
    #expect(again.entities["Task"] == .init(unchanged: 2))
    try store.sync(#"{"id":1,"title":"z"}"#, as: "Task", of: "Project", 2, by: "project")
    #expect(try store.rows("Task").prefix(2) == ["1: title=a project=1", "1: title=z project=2"])
    try store.sync("[]", as: "Task", of: "Project", 2, by: "project")
    #expect(try store.rows("Task") == ["1: title=a project=1", "2: title=b project=1", "4: title=d"])
  }

  @Test("8.2-4: duplicates inside the scope become one row; those of other parents stay")
  func duplicatesInsideTheScope() throws {
    let store = try makeStore(isUnique: false)
    try insertTasks([(1, 1), (1, 1), (1, 2), (1, 2)], into: store)
    let report = try store.sync(#"[{"id":1,"title":"A"}]"#, as: "Task", of: "Project", 1, by: "project")
    #expect(report.removedDuplicates == [.init(entity: "Task", count: 2)])
    #expect(
      try store.rows("Task") == [
        "1: project=2", "1: project=2", "1: title=A project=1", "3: title=c project=2", "4: title=d",
      ])
  }

  @Test("8.1, 10.2: A scoped identity under a relationship is looked for in the scope first, and else everywhere")
  func referencesFromAScope() throws {
    let store = try makeStore(isUnique: false)
    try store.sync(
      #"[{"id":1,"blocker_id":2},{"id":2,"blocker_id":3},{"id":3,"blocker_id":99},{"id":5,"blocker":{"id":4,"title":"D"}}]"#,
      as: "Task", of: "Project", 1, by: "project")
    #expect(
      try store.rows("Task") == [
        "1: title=a project=1 blocker=2", "2: title=b project=1 blocker=3", "3: project=1", "3: title=c project=2",
        "4: title=D", "5: project=1 blocker=4",
      ])
    // The payload's own row 3 is in the scope, so that is the one that row 2 leads to.
    let report = try store.sync(#"[{"id":3}]"#, as: "Task", of: "Project", 1, by: "project", missing: .keep)
    #expect(report.entities["Task"] == .init(unchanged: 1))
  }

  private func insertTasks(_ tasks: [(id: Int64, project: Int64)], into store: TestStore) throws {
    let projects = try tasks.map { try #require(try store.row(of: "Project", $0.project)) }
    _ = try store.store.write { transaction in
      let entity = try #require(transaction.catalog.entity(named: "Task"))
      var builder = RecordBuilder(entity.layout)
      for (task, project) in zip(tasks, projects) {
        builder.reset()
        builder.setInt64(entity.attributes[0].field, task.id)
        builder.setRow(try #require(entity.relationships[0].field), project)
        _ = try transaction.insert(&builder, into: entity)
      }
    }
  }

  // MARK: Items

  @Test(
    "9: an item of a parent leaves the parent's other rows alone",
    arguments: [
      (#"{"id":1,"title":"A"}"#, ["1: title=A project=1", "2: title=b project=1"]),
      (#"{"id":5,"project_id":2}"#, ["1: title=a project=1", "2: title=b project=1", "5: project=1"]),
      (#"{"id":3}"#, ["1: title=a project=1", "2: title=b project=1", "3: title=c project=1"]),
      (#"{"title":"A"}"#, ["1: title=a project=1", "2: title=b project=1"]),
    ] as [(String, [String])])
  func items(_ payload: String, _ expected: [String]) throws {
    let store = try makeStore()
    try store.sync(payload, as: "Task", of: "Project", 1, by: "project")
    #expect(try store.rows("Task").filter { $0.contains("project=1") } == expected)
  }

  @Test("8.2-2: a parent that isn't stored is refused; an item without identity returns before that is looked at (9)")
  func missingParents() throws {
    let store = try makeStore()
    let before = try store.rows("Task")
    let gone = SyncScope.Parent(relationship: "project", row: RowNumber(rawValue: 999))
    for payload in ["[]", #"[{"id":1}]"#, #"{"id":1}"#] {
      #expect {
        try store.sync(payload, as: "Task") { $0.scope.parent = gone }
      } throws: { error in
        guard case SyncError.invalidPayload("Task", let reason)? = error as? SyncError else { return false }
        return reason.contains("the parent must be resolved in the context used for the sync")
      }
    }
    let report = try store.sync(#"{"title":"x"}"#, as: "Task") { $0.scope.parent = gone }
    #expect(report.skippedRows.count == 1)
    for name in ["notes", "nothing"] {
      #expect(throws: SyncError.invalidPayload(model: "Task", reason: "\(name) is no to-one relationship")) {
        try store.sync("[]", as: "Task") { $0.scope.parent = .init(relationship: name, row: gone.row) }
      }
    }
    #expect(try store.rows("Task") == before)
  }

  @Test("8: relationshipOperations speak of the payload's relationships, never of the given parent", arguments: 0..<8)
  func operations(_ rawValue: Int) throws {
    let store = try makeStore()
    try store.sync(#"[{"id":1}]"#, as: "Note")
    let operations = SyncRelationshipOperations(rawValue: rawValue)
    try store.sync(
      #"[{"id":1,"note_ids":[1]},{"id":9,"note_ids":[1]}]"#, as: "Task", of: "Project", 1, by: "project",
      operations: operations)
    let isLinked = (existing: operations.contains(.update), new: operations.contains(.insert))
    let existing = isLinked.existing || operations == [.insert, .delete] ? " notes=1" : ""
    #expect(
      try store.rows("Task").filter { $0.contains("project=1") } == [
        "1: title=a project=1\(existing)", "9: project=1\(isLinked.new ? " notes=1" : "")",
      ])
  }

  @Test("8: A required relationship is met by the given parent")
  func requiredParents() throws {
    let store = try TestStore(
      .entity("Folder", [], [.toMany("files", "File", inverse: "folder", deleteRule: .cascade)]),
      .entity("File", [], [.toOne("folder", "Folder", inverse: "files", isOptional: false)]))
    try store.sync(#"[{"id":1},{"id":2}]"#, as: "Folder")
    try store.sync(#"[{"id":1},{"id":2}]"#, as: "File", of: "Folder", 1, by: "folder")
    try store.sync(#"[{"id":2}]"#, as: "File", of: "Folder", 2, by: "folder")
    #expect(try store.rows("File") == ["1: folder=1", "2: folder=2"])
  }

  @Test("8.2: One-to-one: the parent has one row, and the one that it had is deleted")
  func oneToOne() throws {
    let store = try TestStore(
      .entity("Owner", [], [.toOne("card", "Card", inverse: "owner")]),
      .entity("Card", [], [.toOne("owner", "Owner", inverse: "card"), .toOne("next", "Card")]))
    try store.sync(#"[{"id":1}]"#, as: "Owner")
    try store.sync(#"[{"id":1}]"#, as: "Card", of: "Owner", 1, by: "owner")
    #expect(try store.rows("Owner") == ["1: card=1"])
    try store.sync(#"[{"id":2}]"#, as: "Card", of: "Owner", 1, by: "owner")
    #expect(try store.rows("Card") == ["2: owner=1"])
    // Objects in the payload that say otherwise of either end don't count (B-16).
    for payload in [
      #"[{"id":2,"next":{"id":9,"owner":{"id":3,"card":{"id":2}}}}]"#,
      #"[{"id":2,"next":{"id":2,"owner":{"id":1,"card":null}}}]"#,
      #"[{"id":2,"next":{"id":8,"owner":{"id":1,"card":{"id":8}}}}]"#,
    ] {
      try store.sync(payload, as: "Card", of: "Owner", 1, by: "owner")
      #expect(try store.rows("Owner").first == "1: card=2", "\(payload)")
      #expect(try store.store.read { try $0.checkInvariants().isEmpty })
    }
  }

  @Test("8.2: A tree: the parent and its rows are of one entity")
  func selfRelation() throws {
    let store = try TestStore(
      .entity(
        "Node", [], [.toOne("parent", "Node", inverse: "children"), .toMany("children", "Node", inverse: "parent")]))
    try store.sync(#"[{"id":1},{"id":2,"parent_id":1},{"id":3,"parent_id":2}]"#, as: "Node")
    try store.sync(#"[{"id":4},{"id":3}]"#, as: "Node", of: "Node", 1, by: "parent")
    #expect(try store.rows("Node") == ["1: children=3,4", "3: parent=1", "4: parent=1"])
  }
}
