import Foundation
import TestSupport
import Testing

@testable import Records

/// The plan that a query gets, and what it says about itself.
@Suite struct QueryPlanTests {
  private static let store = Result { try makeStore() }

  /// 40 projects with 50 tasks each, of which every hundredth is red.
  private static func makeStore() throws -> RecordStore {
    let schema = StoreSchema(entities: [
      EntityDescription(
        name: "Task",
        attributes: [
          AttributeDescription(name: "id", type: .int64, options: .unique),
          AttributeDescription(name: "title", type: .string), AttributeDescription(name: "colour", type: .string),
          AttributeDescription(name: "due", type: .date), AttributeDescription(name: "size", type: .int32),
          AttributeDescription(name: "done", type: .bool),
        ],
        relationships: [
          RelationshipDescription(name: "project", destination: "Project", isToMany: false, inverse: "tasks"),
          RelationshipDescription(name: "blocks", destination: "Task", isToMany: true),
        ],
        identity: "id", indexes: [["colour", "due"], ["due"], ["title"]]),
      EntityDescription(
        name: "Project", attributes: [AttributeDescription(name: "name", type: .string)],
        relationships: [
          RelationshipDescription(name: "tasks", destination: "Task", isToMany: true, inverse: "project")
        ],
        indexes: [["name"]]),
    ])
    let store = try RecordStore.temporary(schema: schema)
    try store.write { transaction in
      for number in 1...40 {
        _ = try transaction.insert("Project") { builder, project in
          builder.setString(try #require(project.attribute(named: "name")).field, "P\(number)")
        }
      }
      for number in 0..<2000 {
        _ = try transaction.insert("Task") { builder, task in
          for (name, value) in [
            ("id", .int(Int64(number))), ("title", .string("task \(number)")),
            ("colour", .string(number % 100 == 0 ? "red" : "blue")), ("size", .int(Int64(number % 7))),
            ("due", .date(Date(timeIntervalSinceReferenceDate: Double(number % 1000)))),
            ("done", .bool(number % 2 == 0)),
          ] as [(String, FieldValue)] {
            builder.set(try #require(task.attribute(named: name)).field, value)
          }
          builder.setRow(
            try #require(task.relationship(named: "project")?.field), RowNumber(rawValue: UInt64(number % 40 + 1)))
        }
      }
    }
    return store
  }

  struct Example: CustomStringConvertible, Sendable {
    var description: String
    var plan: String
    var query: @Sendable (Names) throws -> RecordQuery

    init(_ description: String, _ plan: String, _ query: @escaping @Sendable (Names) throws -> RecordQuery) {
      self.description = description
      self.plan = plan
      self.query = query
    }
  }

  /// Shortens how examples name things.
  struct Names {
    var task: Entity
    var project: Entity

    func field(_ name: String) -> FieldIndex { task.attribute(named: name)?.field ?? -1 }
    func date(_ seconds: Double) -> FieldValue { .date(Date(timeIntervalSinceReferenceDate: seconds)) }

    func destination(_ condition: Condition) throws -> Condition {
      .destination(try #require(task.relationship(named: "project")), condition)
    }
  }

  static let examples: [Example] = [
    Example("everything", "Task: 2000 rows by a scan of all") { RecordQuery($0.task) },
    Example("identity", "Task: 1 row by the unique index on id: id == 77") {
      RecordQuery($0.task, where: .compare($0.field("id"), .equal, .int(77)))
    },
    Example("identities", "Task: 3 rows by the unique index on id: id in [77, 5, 9]") { names in
      RecordQuery(names.task, where: .any([77, 5, 9].map { .compare(names.field("id"), .equal, .int($0)) }))
    },
    Example("impossible", "Task: 0 rows because the condition is never true") {
      RecordQuery($0.task, where: .all([.compare($0.field("size"), .equal, .int(1)), .never]))
    },
    Example("rows", "Task: 2 rows by number\nfilter: done == true") {
      RecordQuery(
        $0.task,
        where: .all([
          .compare($0.field("done"), .equal, .bool(true)), .isRow([RowNumber(rawValue: 9), RowNumber(rawValue: 4)]),
        ]))
    },
    Example(
      "compound",
      "Task: 10 rows by the index on colour, due: colour == \"red\" && due < 2001-01-01T00:08:20Z\nfilter: size > 3"
    ) {
      RecordQuery(
        $0.task,
        where: .all([
          .compare($0.field("size"), .greater, .int(3)), .compare($0.field("due"), .less, $0.date(500)),
          .compare($0.field("colour"), .equal, .string("red")),
        ]))
    },
    Example("prefix", "Task: 11 rows by the index on title\nfilter: title begins with \"task 77\"") {
      RecordQuery($0.task, where: .text($0.field("title"), TextMatch(.hasPrefix), "task 77"))
    },
    Example("wide range", "Task: 2000 rows by a scan of all\nfilter: due >= 2001-01-01T00:00:01Z") {
      RecordQuery($0.task, where: .compare($0.field("due"), .greaterOrEqual, $0.date(1)))
    },
    Example(
      "links",
      "Task: 50 rows by the links of Project.tasks: project.(row == 3)\n  from Project: 1 row by number\norder: due, sorted"
    ) {
      RecordQuery(
        $0.task, where: try $0.destination(.isRow([RowNumber(rawValue: 3)])),
        order: [OrderTerm(.field($0.field("due")))])
    },
    Example(
      "links by name",
      "Task: about 50 rows by the links of Project.tasks: project.(name == \"P3\")\n"
        + "  from Project: 1 row by the index on name: name == \"P3\""
    ) {
      RecordQuery($0.task, where: try $0.destination(.compare(0, .equal, .string("P3"))))
    },
    Example(
      "linked from members",
      "Project: 1 row by the links of Task.project: any tasks.(id == 8)\n"
        + "  from Task: 1 row by the unique index on id: id == 8"
    ) { names in
      let tasks = try #require(names.project.relationship(named: "tasks"))
      return RecordQuery(names.project, where: .anyMember(tasks, .compare(names.field("id"), .equal, .int(8))))
    },
    Example(
      "alternatives",
      """
      Task: about 21 rows by 2 sources:
        by the index on colour, due
        by the unique index on id
      filter: colour == "red" || id == 5
      """
    ) {
      RecordQuery(
        $0.task,
        where: .any([.compare($0.field("colour"), .equal, .string("red")), .compare($0.field("id"), .equal, .int(5))]))
    },
    Example(
      "order of an index",
      "Task: 2000 rows by all of the index on due\nfilter: done == true\norder: due, as the index has it\nlimit: 5"
    ) {
      RecordQuery(
        $0.task, where: .compare($0.field("done"), .equal, .bool(true)), order: [OrderTerm(.field($0.field("due")))],
        limit: 5)
    },
    Example(
      "order behind a value",
      """
      Task: 20 rows by the index on colour, due: colour == "red"
      order: due descending, as the index has it, backwards
      offset: 2
      limit: 3
      """
    ) {
      RecordQuery(
        $0.task, where: .compare($0.field("colour"), .equal, .string("red")),
        order: [OrderTerm(.field($0.field("due")), ascending: false)], offset: 2, limit: 3)
    },
    Example(
      "beginning of an order",
      """
      Task: 2000 rows by all of the index on due
      order: due descending, as the index has it, backwards; rows that agree by size, sorted
      limit: 5
      """
    ) {
      RecordQuery(
        $0.task,
        order: [OrderTerm(.field($0.field("due")), ascending: false), OrderTerm(.field($0.field("size")))], limit: 5)
    },
    Example(
      "beginning of an order that is one value",
      "Task: 20 rows by the index on colour, due: colour == \"red\"\norder: colour, size, sorted, keeping the first 5\nlimit: 5"
    ) {
      RecordQuery(
        $0.task, where: .compare($0.field("colour"), .equal, .string("red")),
        order: [OrderTerm(.field($0.field("colour"))), OrderTerm(.field($0.field("size")))], limit: 5)
    },
    Example(
      "the first of a sort",
      "Task: 2000 rows by a scan of all\nfilter: done == true\norder: size, id descending, sorted, keeping the first 5\nlimit: 5"
    ) {
      RecordQuery(
        $0.task, where: .compare($0.field("done"), .equal, .bool(true)),
        order: [OrderTerm(.field($0.field("size"))), OrderTerm(.field($0.field("id")), ascending: false)], limit: 5)
    },
    Example(
      "everything else",
      "Task: 2000 rows by a scan of all\nfilter: blocks.count > 0 && !(any blocks)\nwithout 1 rows that are excluded"
    ) {
      let blocks = try #require($0.task.relationship(named: "blocks"))
      return RecordQuery(
        $0.task, where: .all([.memberCount(blocks, .greater, 0), .not(.anyMember(blocks, .always))]),
        excluding: [RowNumber(rawValue: 1)])
    },
  ]

  @Test(arguments: examples)
  func planIs(example: Example) throws {
    try Self.store.get().read { snapshot in
      let names = Names(task: try snapshot.entity("Task"), project: try snapshot.entity("Project"))
      #expect(try snapshot.plan(example.query(names)).description == example.plan)
    }
  }

  /// Reading a record costs more than passing its entry by, but counting doesn't have to.
  @Test func wholeOfAFrequentValueIsCountedInItsIndex() throws {
    try Self.store.get().read { snapshot in
      let names = Names(task: try snapshot.entity("Task"), project: try snapshot.entity("Project"))
      let query = RecordQuery(names.task, where: .compare(names.field("colour"), .equal, .string("blue")))
      let counting = try QueryPlanner(query, in: snapshot, isCounting: true).plan()
      #expect(counting.description.contains("by the index on colour, due"))
      #expect(try snapshot.plan(query).description.contains("by a scan"))
      #expect(try snapshot.count(query) == 1980)
    }
  }

  @Test func dependenciesAreWhatIsRead() throws {
    let catalog = try Self.store.get().catalog
    let names = Names(
      task: try #require(catalog.entity(named: "Task")), project: try #require(catalog.entity(named: "Project")))
    let query = RecordQuery(
      names.task,
      where: .all([try names.destination(.compare(0, .equal, .string("P"))), .not(.isNull(names.field("size")))]),
      order: [OrderTerm(.field(names.field("due")))])
    func members(_ properties: PropertySet, of entity: Entity) -> [String] {
      properties.members.map { member in
        member < entity.attributes.count
          ? entity.attributes[member].name : entity.relationships[member - entity.attributes.count].name
      }
    }
    let condition = query.conditionDependencies(in: catalog)
    #expect(members(condition.own, of: names.task) == ["size", "project"])
    #expect(condition.paths.map { $0.hops.map(\.name) } == [["project"]])
    #expect(condition.paths.map { members($0.properties, of: names.project) } == [["name"]])
    let order = query.orderDependencies(in: catalog)
    #expect(members(order.own, of: names.task) == ["due"] && order.paths.isEmpty)
  }
}
