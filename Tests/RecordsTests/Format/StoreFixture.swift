import Foundation
import KeyValueStore
import TestSupport

@testable import Records

/// A store of an earlier format, kept in `Fixtures` as it was written then.
///
/// A format that is released gets fixtures of its own, made by `MAKE_FIXTURES=1 swift test --filter StoreFixtureTests`; those of
/// earlier formats are never made again.
enum StoreFixture: String, CaseIterable, Sendable {
  /// Closed, so that everything is in the data file.
  case closed = "format-1-closed"
  /// As a killed process leaves it: the last commits are in the log only.
  case killed = "format-1-killed"
  case secondClosed = "format-2-closed"
  case secondKilled = "format-2-killed"

  private static func file(_ name: String) -> URL {
    URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("Fixtures/\(name)")
  }

  func unpack(to folder: String) throws {
    try SparseArchive.unpack(Data(contentsOf: Self.file(rawValue)), to: folder)
  }

  /// Writes the fixtures of the present format.
  static func make() throws {
    let folder = try TemporaryFolder()
    try fill(RecordStore(at: folder["store"], schema: firstSchema), isFirst: true)
    let store = try RecordStore(at: folder["store"], schema: schema)
    try store.environment.flush()
    try write(isFirst: false, to: store)
    try SparseArchive.pack(folder["store"]).write(to: file("format-\(StoreFormat.version)-killed"))
    store.close()
    try SparseArchive.pack(folder["store"]).write(to: file("format-\(StoreFormat.version)-closed"))
  }

  // MARK: Content

  /// The office, before teams had a motto, people an age of more than 8 bits, and tasks another name for their note.
  static let firstSchema: StoreSchema = {
    var first = schema
    for entity in first.entities.indices {
      first.entities[entity].attributes.removeAll { $0.name == "motto" }
      for attribute in first.entities[entity].attributes.indices {
        if first.entities[entity].attributes[attribute].name == "age" {
          first.entities[entity].attributes[attribute].type = .int8
        }
        if first.entities[entity].attributes[attribute].name == "remark" {
          first.entities[entity].attributes[attribute].name = "note"
        }
      }
      first.entities[entity].indexes = first.entities[entity].indexes.map { $0.map { $0 == "remark" ? "note" : $0 } }
    }
    return first
  }()

  static let schema: StoreSchema = {
    var schema = StoreSchema.office
    for entity in schema.entities.indices {
      if schema.entities[entity].name == "Team" {
        schema.entities[entity].attributes.append(
          AttributeDescription(name: "motto", type: .string, defaultValue: .string("onwards")))
      }
      for attribute in schema.entities[entity].attributes.indices
      where schema.entities[entity].attributes[attribute].name == "note" {
        schema.entities[entity].attributes[attribute].name = "remark"
        schema.entities[entity].attributes[attribute].originalName = "note"
      }
      schema.entities[entity].indexes = schema.entities[entity].indexes.map { $0.map { $0 == "note" ? "remark" : $0 } }
    }
    return schema
  }()

  private static func fill(_ store: RecordStore, isFirst: Bool) throws {
    defer { store.close() }
    try write(isFirst: isFirst, to: store)
  }

  private static func write(isFirst: Bool, to store: RecordStore) throws {
    let start: Int64 = isFirst ? 0 : 10
    try store.write { transaction in
      let people = try (1...3).map { number in
        try transaction.add(
          "Person",
          [
            "id": .string("p\(start + number)"), "nick": number == 1 ? .null : .string("nick \(start + number)"),
            "age": .int(20 + number), "joined": .date(Date(timeIntervalSinceReferenceDate: Double(number) + 0.5)),
          ])
      }
      let team = try transaction.add(
        "Team",
        [
          "key": .uuid(UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, UInt8(start)))),
          "name": .string("team \(start)"), "year": .int(2000 + start),
        ].merging(isFirst ? [:] : ["motto": .string("late")]) { value, _ in value })
      let members = try transaction.relationship("Team", "members")
      _ = try transaction.setMembers(of: members, owner: team, to: [people[2], people[0]])
      let project = try transaction.add(
        "Project",
        ["title": .string("project"), "budget": .decimal(Decimal(start) + 0.25), "team": .uint(team.rawValue)])
      let note = String(repeating: "long note ", count: 60)
      for number in 1...3 as ClosedRange<Int64> {
        try transaction.add(
          "Task",
          [
            "id": .int(start + number), "done": .bool(number == 2), "weight": .double(Double(number) / 3),
            isFirst ? "note" : "remark": number == 3 ? .null : .string("\(note)\(start + number)"),
            "project": .uint(project.rawValue), "assignee": .uint(people[0].rawValue),
          ])
      }
      try transaction.add("Badge", ["code": .uint(UInt64(start) + 7), "holder": .uint(people[1].rawValue)])
    }
    // Two more commits, for the log and the history.
    try store.write { transaction in
      let task = RowNumber(rawValue: isFirst ? 1 : 4)
      _ = try transaction.edit("Task", task) { builder, entity in
        if let field = entity.attribute(named: "weight")?.field { builder.setNull(field) }
      }
      _ = try transaction.setMembers(
        of: transaction.relationship("Task", "blocks"), owner: task, to: [RowNumber(rawValue: isFirst ? 2 : 5)])
    }
    try store.write { transaction in
      _ = try transaction.delete(RowNumber(rawValue: isFirst ? 3 : 6), of: transaction.entity("Task"))
    }
  }
}
