import Foundation
import TestSupport
import Testing

@testable import Records

/// Stores that earlier versions wrote open, with everything that is in them.
@Suite struct StoreFixtureTests {
  @Test(.enabled(if: ProcessInfo.processInfo.environment["MAKE_FIXTURES"] != nil))
  func makeFixturesOfThePresentFormat() throws {
    try StoreFixture.make()
  }

  /// Rows of the first schema and of the present one, told apart by their texts.
  private static let tasks: [UInt64: Row] = {
    func task(_ id: Int, project: Int, assignee: Int, done: Bool, weight: String, blocks: String, blockedBy: String)
      -> Row
    {
      [
        "id": "\(id)", "done": "\(done)", "weight": weight,
        "remark": "\"\(String(repeating: "long note ", count: 60))\(id)\"", "project": "\(project)",
        "assignee": "\(assignee)", "blocks": blocks, "blockedBy": blockedBy, "comments": "",
      ]
    }
    let third = "\(2.0 / 3)"
    return [
      1: task(1, project: 1, assignee: 1, done: false, weight: "null", blocks: "2", blockedBy: ""),
      2: task(2, project: 1, assignee: 1, done: true, weight: third, blocks: "", blockedBy: "1"),
      4: task(11, project: 2, assignee: 4, done: false, weight: "null", blocks: "5", blockedBy: ""),
      5: task(12, project: 2, assignee: 4, done: true, weight: third, blocks: "", blockedBy: "4"),
    ]
  }()

  private func expectContent(_ store: RecordStore) throws {
    #expect(try store.violations() == [])
    #expect(try store.rows("Task") == Self.tasks)
    #expect(try store.rows("Task", inOrderOf: ["remark"]) == [1, 4, 5, 2])
    #expect(try store.rows("Team").mapValues { $0["motto"] } == [1: "\"onwards\"", 2: "\"late\""])
    #expect(try store.rows("Team").mapValues { $0["members"] } == [1: "3 1", 2: "6 4"])
    #expect(try store.rows("Person").mapValues { $0["age"] } == [1: "21", 2: "22", 3: "23", 4: "21", 5: "22", 6: "23"])
    #expect(try store.rows("Badge").mapValues { $0["holder"] } == [1: "2", 2: "5"])
    // The transactions themselves are too old to be kept by now.
    #expect(try store.read { try $0.lastHistoryToken().rawValue } == 6)
  }

  @Test(arguments: StoreFixture.allCases)
  func fixtureIsRead(fixture: StoreFixture) throws {
    let folder = try TemporaryFolder()
    try fixture.unpack(to: folder["store"])
    let store = try RecordStore(at: folder["store"], schema: StoreFixture.schema)
    try expectContent(store)
    #expect(try store.read { try $0.format() } == StoreFormat.version)
    store.close()
    let reader = try RecordStore(readingAt: folder["store"])
    defer { reader.close() }
    try expectContent(reader)
  }

  @Test("Reading leaves the format as it is; opening for writing makes it the present one, once")
  func formatIsRaisedByWriters() throws {
    let folder = try TemporaryFolder()
    try StoreFixture.closed.unpack(to: folder["store"])
    let reader = try RecordStore(readingAt: folder["store"])
    try expectContent(reader)
    #expect(try reader.read { try $0.format() } == 1)
    reader.close()
    for _ in 1...2 {
      let store = try RecordStore(at: folder["store"], schema: StoreFixture.schema)
      #expect(try store.read { try $0.format() } == StoreFormat.version)
      try expectContent(store)
      store.close()
    }
    let again = try RecordStore(readingAt: folder["store"])
    #expect(try again.read { try $0.format() } == StoreFormat.version)
    again.close()
  }

  @Test(arguments: StoreFixture.allCases)
  func fixtureIsWrittenAndMigrated(fixture: StoreFixture) throws {
    let folder = try TemporaryFolder()
    try fixture.unpack(to: folder["store"])
    var schema = StoreFixture.schema
    for entity in schema.entities.indices {
      schema.entities[entity].attributes.append(
        AttributeDescription(name: "added", type: .int64, defaultValue: .int(3)))
      schema.entities[entity].indexes.append(["added"])
    }
    let store = try RecordStore(at: folder["store"], schema: schema)
    defer { store.close() }
    #expect(try store.violations() == [])
    try store.write { transaction in
      _ = try transaction.edit("Task", RowNumber(rawValue: 2)) { builder, entity in
        if let field = entity.attribute(named: "added")?.field { builder.setInt64(field, 1) }
      }
      for team in [1, 2] as [UInt64] {
        _ = try transaction.delete(RowNumber(rawValue: team), of: transaction.entity("Team"))
      }
    }
    #expect(try store.violations() == [])
    #expect(try store.rows("Task").isEmpty)
    #expect(try store.rows("Person").count == 6)
  }
}
