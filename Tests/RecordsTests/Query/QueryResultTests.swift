import KeyValueStore
import Testing

@testable import Records

/// What queries return, on a few rows whose answers can be read off.
@Suite struct QueryResultTests {
  private let office: Office

  init() throws {
    office = try Office()
    try office.write { transaction in
      let project = try transaction.insert("Project") { builder, project in
        builder.setString(try #require(project.attribute(named: "title")).field, "P")
      }
      for (id, note) in [(1, "alpha"), (2, nil), (3, "Ärger"), (4, "alphabet")] as [(Int64, String?)] {
        _ = try transaction.insert("Task") { builder, task in
          builder.setInt64(try #require(task.attribute(named: "id")).field, id)
          builder.setBool(try #require(task.attribute(named: "done")).field, id > 2)
          if let note { builder.setString(try #require(task.attribute(named: "note")).field, note) }
          if id < 3 { builder.setRow(try #require(task.relationship(named: "project")?.field), project) }
        }
      }
    }
  }

  private func rows(
    order: [OrderTerm] = [], offset: Int = 0, limit: Int? = nil,
    _ condition: (Entity) throws -> Condition = { _ in .always }
  ) throws -> [UInt64] {
    try office.read { snapshot in
      let task = try snapshot.entity("Task")
      let query = RecordQuery(task, where: try condition(task), order: order, offset: offset, limit: limit)
      return try snapshot.rows(snapshot.plan(query)).map(\.rawValue)
    }
  }

  @Test func rowsComeByNumberUnlessTheyAreSorted() throws {
    #expect(try rows() == [1, 2, 3, 4])
    let note = try #require(office.store.catalog.entity(named: "Task")?.attribute(named: "note")).field
    #expect(try rows(order: [OrderTerm(.field(note))]) == [2, 1, 4, 3])
    #expect(try rows(order: [OrderTerm(.field(note), ascending: false)]) == [3, 4, 1, 2])
    #expect(try rows(order: [OrderTerm(.field(note), ascending: false)], offset: 1, limit: 2) == [4, 1])
  }

  @Test func conditionsOnFieldsAndRelationships() throws {
    func field(_ name: String, _ task: Entity) throws -> FieldIndex { try #require(task.attribute(named: name)).field }
    #expect(try rows { .compare(try field("id", $0), .greaterOrEqual, .double(2.5)) } == [3, 4])
    #expect(try rows { .isNull(try field("note", $0)) } == [2])
    #expect(try rows { .compare(try field("note", $0), .notEqual, .string("alpha")) } == [2, 3, 4])
    #expect(try rows { .text(try field("note", $0), TextMatch(.hasPrefix), "alpha") } == [1, 4])
    #expect(try rows { .text(try field("note", $0), TextMatch(.contains, .localizedStandard), "AR") } == [3])
    #expect(
      try rows { task in
        let project = try #require(task.relationship(named: "project"))
        return .not(.destination(project, .always))
      } == [3, 4])
  }
}
