import Testing

@testable import Records

/// Relationships come, go, and change their names, cardinalities and inverses, and links stay where they can.
@Suite struct RelationshipEvolutionTests {
  /// Tasks and users; a user's `name` is the only attribute that tests need.
  private static func schema(
    task: [RelationshipDescription] = [], user: [RelationshipDescription] = []
  ) -> StoreSchema {
    StoreSchema(entities: [
      EntityDescription(
        name: "Task", attributes: [AttributeDescription(name: "id", type: .int64)], relationships: task,
        identity: "id"),
      EntityDescription(
        name: "User", attributes: [AttributeDescription(name: "name", type: .string)], relationships: user),
    ])
  }

  private static func toOne(
    _ name: String, _ destination: String, inverse: String? = nil, from originalName: String? = nil,
    required: Bool = false
  ) -> RelationshipDescription {
    RelationshipDescription(
      name: name, destination: destination, isToMany: false, isOptional: !required, inverse: inverse,
      originalName: originalName)
  }

  private static func toMany(
    _ name: String, _ destination: String, inverse: String? = nil, from originalName: String? = nil
  ) -> RelationshipDescription {
    RelationshipDescription(
      name: name, destination: destination, isToMany: true, inverse: inverse, originalName: originalName)
  }

  /// Three users; four tasks, of which the first and the last belong to user 2, and the second to user 1.
  private static let fillOwners: @Sendable (RecordTransaction) throws -> Void = { transaction in
    for name in ["ann", "bob", "cid"] { try transaction.add("User", ["name": .string(name)]) }
    try transaction.add("Task", ["id": .int(1), "owner": .uint(2)])
    try transaction.add("Task", ["id": .int(2), "owner": .uint(1)])
    try transaction.add("Task", ["id": .int(3)])
    try transaction.add("Task", ["id": .int(4), "owner": .uint(2)])
  }

  /// Three users; three tasks: the first is watched by 3 and 1 in this order, the second by 1.
  private static let fillWatchers: @Sendable (RecordTransaction) throws -> Void = { transaction in
    for name in ["ann", "bob", "cid"] { try transaction.add("User", ["name": .string(name)]) }
    let watchers = try transaction.relationship("Task", "watchers")
    for (id, rows) in [(1, [3, 1]), (2, [1]), (3, [])] as [(Int64, [UInt64])] {
      let task = try transaction.add("Task", ["id": .int(id)])
      _ = try transaction.setMembers(of: watchers, owner: task, to: rows.map(RowNumber.init(rawValue:)))
    }
  }

  /// The expected rows of tasks with one relationship, and of users with one or none.
  private static func rows(
    _ taskName: String?, _ tasks: [String], _ userName: String? = nil, _ users: [String] = []
  ) -> [String: [UInt64: Row]] {
    var result: [String: [UInt64: Row]] = ["Task": [:], "User": [:]]
    for (position, links) in tasks.enumerated() {
      var row = ["id": "\(position + 1)"]
      if let taskName { row[taskName] = links }
      result["Task"]?[UInt64(position + 1)] = row
    }
    for (position, name) in ["ann", "bob", "cid"].enumerated() {
      var row = ["name": "\"\(name)\""]
      if let userName { row[userName] = users[position] }
      result["User"]?[UInt64(position + 1)] = row
    }
    return result
  }

  private static let owners = ["2", "1", "", "2"]
  private static let ownedTasks = ["2", "1 4", ""]
  private static let oneWay = schema(task: [toOne("owner", "User")])
  private static let bothWays = schema(
    task: [toOne("owner", "User", inverse: "tasks")], user: [toMany("tasks", "Task")])
  private static let watchers = schema(task: [toMany("watchers", "User")])

  private static func owned(
    _ name: String, from before: StoreSchema, to after: StoreSchema, _ rows: [String: [UInt64: Row]]
  ) -> Evolution {
    Evolution(testDescription: name, before: before, after: after, fill: fillOwners, rows: rows)
  }

  private static func watched(
    _ name: String, to after: StoreSchema, _ rows: [String: [UInt64: Row]]
  ) -> Evolution {
    Evolution(testDescription: name, before: watchers, after: after, fill: fillWatchers, rows: rows)
  }

  static let evolutions: [Evolution] = [
    owned(
      "relationships are added", from: oneWay,
      to: schema(
        task: [
          toOne("owner", "User"), toMany("watchers", "User", inverse: "watched"), toOne("author", "User"),
        ], user: [toMany("watched", "Task")]),
      [
        "Task": [
          1: ["id": "1", "owner": "2", "watchers": "", "author": ""],
          2: ["id": "2", "owner": "1", "watchers": "", "author": ""],
          3: ["id": "3", "owner": "", "watchers": "", "author": ""],
          4: ["id": "4", "owner": "2", "watchers": "", "author": ""],
        ]
      ]),
    owned("a to-one relationship is removed", from: oneWay, to: schema(), rows(nil, ["", "", "", ""])),
    owned("both directions are removed", from: bothWays, to: schema(), rows(nil, ["", "", "", ""])),
    owned(
      "an inverse is declared", from: oneWay, to: bothWays, rows("owner", owners, "tasks", ownedTasks)),
    owned(
      "an inverse is declared no more", from: bothWays, to: oneWay, rows("owner", owners)),
    owned(
      "the to-one side of a pair is removed", from: bothWays, to: schema(user: [toMany("tasks", "Task")]),
      rows(nil, ["", "", "", ""], "tasks", ownedTasks)),
    owned(
      "the to-one side of a pair is replaced by a to-many one", from: bothWays,
      to: schema(task: [toMany("owners", "User", inverse: "tasks")], user: [toMany("tasks", "Task")]),
      rows("owners", owners, "tasks", ownedTasks)),
    owned(
      "both directions are renamed", from: bothWays,
      to: schema(
        task: [toOne("boss", "User", inverse: "work", from: "owner")], user: [toMany("work", "Task", from: "tasks")]),
      rows("boss", owners, "work", ownedTasks)),
    owned(
      "a pair is parted", from: bothWays,
      to: schema(task: [toOne("owner", "User")], user: [toMany("tasks", "Task")]),
      rows("owner", owners, "tasks", ownedTasks)),
    owned(
      "to-one becomes to-many", from: bothWays,
      to: schema(task: [toMany("owner", "User", inverse: "tasks")], user: [toMany("tasks", "Task")]),
      rows("owner", owners, "tasks", ownedTasks)),
    owned(
      "to-one without an inverse becomes to-many", from: oneWay, to: schema(task: [toMany("owner", "User")]),
      rows("owner", owners)),
    owned(
      "the destination is renamed", from: bothWays,
      to: StoreSchema(entities: [
        EntityDescription(
          name: "Task", attributes: [AttributeDescription(name: "id", type: .int64)],
          relationships: [toOne("owner", "Person", inverse: "tasks")], identity: "id"),
        EntityDescription(
          name: "Person", attributes: [AttributeDescription(name: "name", type: .string)],
          relationships: [toMany("tasks", "Task")], originalName: "User"),
      ]),
      [
        "Task": rows("owner", owners)["Task"] ?? [:],
        "Person": rows("owner", owners, "tasks", ownedTasks)["User"] ?? [:],
      ]),
    owned(
      "an entity that the schema does not name keeps its links", from: bothWays,
      to: StoreSchema(entities: []), rows("owner", owners, "tasks", ownedTasks)),
    owned(
      "an entity that the schema does not name loses the inverse",
      from: schema(
        task: [toOne("owner", "User", inverse: "tasks")], user: [toMany("tasks", "Task")]),
      to: StoreSchema(entities: [
        EntityDescription(name: "User", attributes: [AttributeDescription(name: "name", type: .string)])
      ]), rows("owner", owners)),
    watched(
      "to-many keeps the order of its members under another name and with an inverse",
      to: schema(
        task: [toMany("readers", "User", inverse: "reading", from: "watchers")], user: [toMany("reading", "Task")]),
      rows("readers", ["3 1", "1", ""], "reading", ["1 2", "", "1"])),
    watched("a to-many relationship is removed", to: schema(), rows(nil, ["", "", ""])),
  ]

  @Test(arguments: evolutions)
  func linksFollow(evolution: Evolution) throws {
    try evolution.check()
    try evolution.checkDeletion()
  }

  @Test func toManyBecomesToOneWhereNoRowHasSeveral() throws {
    let folder = try EvolvingStore()
    try folder.with(Self.watchers) { store in _ = try store.write { try Self.fillWatchers($0) } }
    let after = Self.schema(
      task: [Self.toOne("watchers", "User", inverse: "watched")], user: [Self.toMany("watched", "Task")])
    let contents = try folder.contents()
    let difference = SchemaDifference.severalMembers(
      entity: "Task", relationship: "watchers", row: RowNumber(rawValue: 1))
    #expect(throws: RecordError.schemaMismatch([difference])) { try folder.open(after) }
    #expect(try folder.contents() == contents)
    try folder.with(Self.watchers) { store in
      _ = try store.write { transaction in
        try transaction.removeMembers(
          [RowNumber(rawValue: 3)], of: transaction.relationship("Task", "watchers"), owner: RowNumber(rawValue: 1))
      }
    }
    try folder.with(after) { (store) throws in
      #expect(try store.violations() == [])
      #expect(try store.rows("Task") == Self.rows("watchers", ["1", "1", ""])["Task"])
      #expect(try store.rows("User").mapValues { $0["watched"] } == [1: "1 2", 2: "", 3: ""])
    }
  }

  /// Two relationships change their form at once: the old links are read before any row is written.
  @Test func severalRelationshipsOfARowChangeTogether() throws {
    let folder = try EvolvingStore()
    let before = Self.schema(
      task: [Self.toMany("a", "User"), Self.toOne("b", "User"), Self.toMany("c", "User", inverse: "d")],
      user: [Self.toOne("d", "Task")])
    let after = Self.schema(
      task: [Self.toOne("a", "User"), Self.toMany("b", "User"), Self.toOne("c", "User", inverse: "d")],
      user: [Self.toOne("d", "Task")])
    try folder.with(before) { store in
      _ = try store.write { transaction in
        try transaction.add("User", ["name": .string("ann")])
        try transaction.add("User", ["name": .string("bob")])
        let task = try transaction.add("Task", ["id": .int(1), "b": .uint(2)])
        let one = RowNumber(rawValue: 1)
        _ = try transaction.setMembers(of: transaction.relationship("Task", "a"), owner: task, to: [one])
        _ = try transaction.setMembers(of: transaction.relationship("Task", "c"), owner: task, to: [one])
      }
    }
    try folder.with(after) { (store) throws in
      #expect(try store.violations() == [])
      #expect(try store.rows("Task") == [1: ["id": "1", "a": "1", "b": "2", "c": "1"]])
      #expect(try store.rows("User").mapValues { $0["d"] } == [1: "1", 2: ""])
    }
  }

  @Test func relationshipBecomesRequiredWhereEveryRowHasADestination() throws {
    let folder = try EvolvingStore()
    try folder.with(Self.bothWays) { store in _ = try store.write { try Self.fillOwners($0) } }
    var after = Self.bothWays
    after.entities[0].relationships[0].isOptional = false
    let contents = try folder.contents()
    let difference = SchemaDifference.destinationMissing(
      entity: "Task", relationship: "owner", row: RowNumber(rawValue: 3))
    #expect(throws: RecordError.schemaMismatch([difference])) { try folder.open(after) }
    #expect(try folder.contents() == contents)
    try folder.with(Self.bothWays) { store in
      _ = try store.write { transaction in
        try transaction.delete(RowNumber(rawValue: 3), of: transaction.entity("Task"))
      }
    }
    try folder.with(after) { (store) throws in
      #expect(try store.violations() == [])
      #expect(try store.rows("Task").count == 3)
    }
  }
}
