import Foundation
import Testing

@testable import Records

/// What cannot be evaluated is an error that names the part of the query that is at fault, and damage is never an answer.
@Suite struct QueryErrorTests {
  private let office: Office

  init() throws {
    office = try Office()
    try office.write { transaction in
      for id in 0..<3 as Range<Int64> {
        _ = try transaction.insert("Task") { builder, task in
          builder.setInt64(try #require(task.attribute(named: "id")).field, id == 2 ? .max : id)
          builder.setBool(try #require(task.attribute(named: "done")).field, false)
          builder.setString(try #require(task.attribute(named: "note")).field, "note")
        }
      }
    }
  }

  private func rows(_ condition: (Entity) throws -> Condition) throws -> [UInt64] {
    try office.read { snapshot in
      let task = try snapshot.entity("Task")
      return try snapshot.rows(snapshot.plan(RecordQuery(task, where: condition(task)))).map(\.rawValue)
    }
  }

  private func field(_ name: String, _ entity: Entity) throws -> FieldIndex {
    try #require(entity.attribute(named: name)).field
  }

  @Test func calculationsThatFailNameThemselves() throws {
    #expect(throws: QueryError.arithmeticOverflow(expression: "(id * 3)")) {
      try rows {
        .compare(.arithmetic(.field(try field("id", $0)), .multiply, .constant(.int(3))), .equal, .constant(.int(3)))
      }
    }
    #expect(throws: QueryError.divisionByZero(expression: "(6 / id)")) {
      try rows {
        .compare(.arithmetic(.constant(.int(6)), .divide, .field(try field("id", $0))), .equal, .constant(.int(3)))
      }
    }
    #expect(throws: QueryError.notANumber(expression: "(note + 1)", value: "\"note\"")) {
      try rows {
        .compare(.arithmetic(.field(try field("note", $0)), .add, .constant(.int(1))), .equal, .constant(.int(3)))
      }
    }
    #expect(throws: QueryError.notANumber(expression: "-note", value: "\"note\"")) {
      try rows { .compare(.negated(.field(try field("note", $0))), .equal, .constant(.int(3))) }
    }
    #expect(throws: QueryError.noLength(expression: "id.count", value: "0")) {
      try rows { .compare(.length(.field(try field("id", $0))), .equal, .constant(.int(3))) }
    }
    let error = QueryError.divisionByZero(expression: "(6 / id)")
    #expect("\(error)" == "(6 / id) divides by zero.")
  }

  @Test func conditionInFrontKeepsACalculationFromFailing() throws {
    #expect(
      try rows { task in
        let id = try field("id", task)
        let quotient = Operand.arithmetic(.constant(.int(6)), .divide, .field(id))
        return .all([.compare(id, .notEqual, .int(0)), .compare(quotient, .greater, .constant(.int(3)))])
      } == [2])
    // The number is exact as long as it fits.
    #expect(
      try rows { task in
        .compare(
          .arithmetic(.field(try field("id", task)), .add, .constant(.int(1))), .equal, .constant(.uint(1 << 63)))
      } == [3])
  }

  @Test func whatDoesNotFitTheEntityIsRefused() throws {
    let catalog = office.store.catalog
    let project = try #require(catalog.entity(named: "Task")?.relationship(named: "project"))
    let tasks = try #require(catalog.entity(named: "Project")?.relationship(named: "tasks"))
    #expect(throws: QueryError.noSuchField(entity: "Task", field: 99)) { try rows { _ in .isNull(99) } }
    #expect(throws: QueryError.wrongRelationship(expression: "title == 1", relationship: "Task.project")) {
      try rows { .anyMember(project, .compare(try field("id", $0), .equal, .int(1))) }
    }
    #expect(throws: QueryError.self) { try rows { _ in .destination(tasks, .always) } }
    #expect(throws: QueryError.self) { try rows { _ in .memberCount(tasks, .greater, 1) } }
  }

  @Test func entryOfARowThatHasOtherValuesIsDamage() throws {
    let task = try #require(office.store.catalog.entity(named: "Task"))
    let note = try field("note", task)
    let (id, done) = (try field("id", task), try field("done", task))
    let table = try office.store.environment.table("r.\(task.id.rawValue)")
    let row = RowNumber(rawValue: 2)
    try office.store.environment.write { transaction in
      var builder = RecordBuilder(task.layout)
      builder.setInt64(id, 1)
      builder.setBool(done, false)
      builder.setString(note, "another")
      try transaction.put(
        builder.encoded(entity: task.id, row: row), for: row.rawValue.withBytes { [UInt8]($0) }, in: table)
    }
    try expectDamage(.compare(note, .equal, .string("note")), note, task)
  }

  @Test func entryOfARowThatDoesNotExistIsDamage() throws {
    let task = try #require(office.store.catalog.entity(named: "Task"))
    let note = try field("note", task)
    let table = try office.store.environment.table("r.\(task.id.rawValue)")
    try office.store.environment.write { transaction in
      _ = try transaction.delete(UInt64(2).withBytes { [UInt8]($0) }, in: table)
    }
    try expectDamage(.compare(note, .equal, .string("note")), note, task)
  }

  /// Every plan that reads the index on notes finds the damage.
  private func expectDamage(_ condition: Condition, _ note: FieldIndex, _ task: Entity) throws {
    try office.read { snapshot in
      let query = RecordQuery(task, where: condition, order: [OrderTerm(.field(note))])
      let planner = QueryPlanner(query, in: snapshot)
      var found = 0
      for choice in try planner.choices() {
        guard case .index = choice.candidate.source else { continue }
        found += 1
        let plan = try planner.plan(choice)
        #expect(throws: RecordError.damagedIndexEntry(entity: "Task", attributes: ["note"]), "\(plan)") {
          try snapshot.rows(plan)
        }
      }
      #expect(found == 2)
    }
  }
}
