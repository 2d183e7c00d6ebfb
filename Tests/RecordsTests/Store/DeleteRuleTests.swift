import Testing

@testable import Records

/// Deleting a row follows the delete rules and leaves nothing that leads to it.
@Suite struct DeleteRuleTests {
  private let office: Office

  init() throws {
    office = try Office()
  }

  private func insert(_ entity: String, _ links: [String: RowNumber] = [:]) throws -> RowNumber {
    try office.write { transaction in
      let number = try transaction.count(of: transaction.entity(entity))
      return try transaction.insert(entity) { builder, entity in
        for attribute in entity.attributes where !attribute.isOptional {
          switch attribute.type {
          case .string: builder.setString(attribute.field, "\(number)")
          case .bool: builder.setBool(attribute.field, false)
          case .uint32: builder.setUInt64(attribute.field, UInt64(number))
          default: builder.setInt64(attribute.field, Int64(number))
          }
        }
        for (name, target) in links {
          builder.setRow(try #require(entity.relationship(named: name)?.field), target)
        }
      }
    }
  }

  @discardableResult
  private func delete(_ entity: String, _ row: RowNumber) throws -> Committed<Bool> {
    try office.store.write { try $0.delete(row, of: $0.entity(entity)) }
  }

  private func exists(_ entity: String, _ row: RowNumber) throws -> Bool {
    try office.read { try $0.contains(row, of: $0.entity(entity)) }
  }

  private func expectSound() throws {
    #expect(try office.read { try $0.checkInvariants() } == [])
  }

  @Test func absentRowIsNotDeleted() throws {
    #expect(try delete("Person", RowNumber(rawValue: 1)).result == false)
  }

  @Test func nullifyLeavesTheOthersWithoutALink() throws {
    let project = try insert("Project")
    let person = try insert("Person")
    let task = try insert("Task", ["project": project, "assignee": person])
    try delete("Task", task)
    #expect(try office.read { try $0.members(of: $0.relationship("Project", "tasks"), owner: project) } == [])
    #expect(try office.read { try $0.members(of: $0.relationship("Person", "tasks"), owner: person) } == [])
    try expectSound()
  }

  @Test func cascadeReachesThroughEveryCardinality() throws {
    let team = try insert("Team")
    let projects = [try insert("Project", ["team": team]), try insert("Project", ["team": team])]
    let tasks = [
      try insert("Task", ["project": projects[0]]), try insert("Task", ["project": projects[1]]), try insert("Task"),
    ]
    let changes = try delete("Team", team).changes
    #expect(try projects.map { try exists("Project", $0) } == [false, false])
    #expect(try tasks.map { try exists("Task", $0) } == [false, false, true])
    let task = try office.read { try $0.entity("Task").id }
    #expect(changes.entities[task]?.deleted == Array(tasks[..<2]))
    #expect(changes.entities[task]?.updated.isEmpty == true)
    try expectSound()
  }

  @Test func cascadeInACircleEnds() throws {
    let tasks = try (0..<4).map { _ in try insert("Task") }
    try office.write { transaction in
      let blocks = try transaction.relationship("Task", "blocks")
      for index in 0..<3 {
        _ = try transaction.setMembers(of: blocks, owner: tasks[index], to: [tasks[(index + 1) % 3], tasks[index]])
      }
    }
    try delete("Task", tasks[1])
    #expect(try tasks.map { try exists("Task", $0) } == [false, false, false, true])
    try expectSound()
  }

  @Test func denyNamesTheRowsInTheWay() throws {
    let team = try insert("Team")
    let project = try insert("Project", ["team": team])
    let task = try insert("Task", ["project": project])
    let locks = [try insert("Lock", ["project": project]), try insert("Lock", ["project": project])]
    let denial = RecordError.deleteDenied(
      entity: "Project", row: project, relationship: "Project.locks", blockers: locks)
    #expect(throws: denial) { try delete("Project", project) }
    #expect(throws: denial) { try delete("Team", team) }
    #expect("\(denial)".contains("rows 1, 2"))
    #expect(try exists("Team", team) && exists("Task", task))
    try expectSound()
    // Rows that go in the same transaction are not in the way, in whatever order.
    try office.write { transaction in
      _ = try transaction.delete(locks[0], of: transaction.entity("Lock"))
      _ = try transaction.delete(team, of: transaction.entity("Team"))
      _ = try transaction.delete(locks[1], of: transaction.entity("Lock"))
    }
    #expect(try !exists("Task", task))
    try expectSound()
  }

  @Test func rowInTheWayThatGoesTooIsNotInTheWay() throws {
    let schema = StoreSchema(entities: [
      EntityDescription(
        name: "Node", attributes: [],
        relationships: [
          RelationshipDescription(
            name: "children", destination: "Node", isToMany: true, inverse: "parent", deleteRule: .cascade),
          RelationshipDescription(
            name: "parent", destination: "Node", isToMany: false, inverse: "children", deleteRule: .deny),
        ])
    ])
    let store = try RecordStore.temporary(schema: schema)
    defer { store.close() }
    let rows = try store.write { transaction in
      let root = try transaction.insert("Node") { _, _ in }
      let child = try transaction.insert("Node") { builder, _ in builder.setRow(0, root) }
      return [root, child]
    }.result
    #expect(throws: RecordError.self) { try store.write { try $0.delete(rows[1], of: $0.entity("Node")) } }
    #expect(try store.write { try $0.delete(rows[0], of: $0.entity("Node")) }.result)
    #expect(try store.read { try $0.count(of: $0.entity("Node")) } == 0)
  }

  @Test func noActionUnlinksLikeNullify() throws {
    let person = try insert("Person")
    let task = try insert("Task", ["assignee": person])
    try delete("Task", task)
    #expect(try exists("Person", person))
    #expect(try office.read { try $0.members(of: $0.relationship("Person", "tasks"), owner: person) } == [])
    try expectSound()
  }
}
