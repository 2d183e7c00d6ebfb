import Foundation
import Records
import TestSupport
import Testing

/// Stores and snapshots that are compared, snapshots of parts, and rehearsals of syncs.
@Suite struct DiffTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    for name in ["a", "b"] { try TrackerStore.make(at: folder[name]) }
  }

  private func snapshot(_ name: String) throws -> String {
    let path = folder["\(name).json"]
    try Data(ToolRun("export", folder[name]).output.utf8).write(to: URL(filePath: path))
    return path
  }

  @Test func equalContentHasNoDifferences() throws {
    let paths = [folder["a"], folder["b"], try snapshot("a")]
    for first in paths {
      for second in paths {
        #expect(try ToolRun("diff", first, second) == ToolRun(end: .exited(0), output: "", messages: ""))
      }
    }
  }

  @Test func differencesAreShown() throws {
    let before = try snapshot("b")
    let store = try RecordStore(at: folder["b"], schema: .tracker)
    _ = try store.write { transaction in
      let users = try #require(transaction.catalog.entity(named: "User"))
      let row = try transaction.row("User", .int(7))
      var builder = RecordBuilder(users.layout)
      _ = try transaction.withRecord(row, of: users) { builder.load($0) }
      builder.set(try #require(users.attribute(named: "name")).field, .string("Ada \"L\""))
      _ = try transaction.update(row, of: users, with: &builder)
      _ = try transaction.delete(transaction.row("User", .int(-3)), of: users)
      try transaction.insert("User", ["id": .int(100), "name": .string("New")])
    }
    store.close()
    for first in [folder["a"], before] {
      let text = try ToolRun("diff", first, folder["b"])
      #expect(text.end == .exited(1))
      // The task that the deleted user watched has lost a watcher.
      #expect(
        text.output == """
          ~ Task "00000000-0000-4000-8000-000000000002"
              watchers: [-3] -> []
          - User -3
          ~ User 7
              name: "Ada" -> "Ada \\"L\\""
          + User 100

          """)
      #expect(text.messages == "swiftsync: '\(first)' and '\(folder["b"])' differ in 4 rows.\n")
    }
    let lines = try ToolRun("diff", folder["b"], folder["a"], "--format", "ndjson").output.split(separator: "\n")
    #expect(lines.count == 4)
    let objects = try lines.map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
    #expect(objects.compactMap { $0["change"] as? String } == ["updated", "removed", "added", "updated"])
    #expect((objects[3]["properties"] as? [String: [String]]) == ["name": ["Ada \"L\"", "Ada"]])
  }

  @Test func whatIsNoSnapshotIsTold() throws {
    let head = #"{"format":"swiftsync-snapshot","entities":"#
    let cases = [
      ("{}", "it is no snapshot"), ("[", "malformed JSON"), ("", "empty"),
      (head + "{}}", "/entities is to be an array"),
      (head + #"[{"name":"User","rows":{}}]}"#, "the rows of User is to be an array"),
    ]
    for (text, message) in cases {
      try Data(text.utf8).write(to: URL(filePath: folder["x"]))
      let run = try ToolRun("diff", folder["a"], folder["x"])
      #expect(run.end == .exited(1) && run.messages.contains(message), "\(run)")
    }
    #expect(try ToolRun("diff", folder["a"], folder["missing"]).messages.contains("There is no store at"))
  }

  @Test func partsAreExported() throws {
    let whole = try ToolRun("export", folder["a"]).output.split(separator: "\n").map(String.init)
    let lines = try ToolRun("export", folder["a"], "--format", "ndjson").output.split(separator: "\n").map(String.init)
    #expect(lines.count == 12)
    // The same rows in the same order, each with the name of its entity.
    let rows = whole.filter { $0.hasPrefix("{") && !$0.hasPrefix("{\"format\"") && !$0.hasPrefix("{\"name\"") }
    for (row, line) in zip(rows, lines) {
      let members = row.dropFirst().reversed().drop { "]},".contains($0) }.reversed()
      #expect(line.contains(String(members)), "\(line)")
    }
    let users = try ToolRun("export", folder["a"], "--entity", "User", "--format", "ndjson").output
    #expect(users == lines.filter { $0.hasPrefix("{\"$entity\":\"User\"") }.map { $0 + "\n" }.joined())
    let some = try ToolRun("export", folder["a"], "--entity", "User", "--where", "id > 0", "--format", "ndjson").output
    #expect(some.split(separator: "\n").map { $0.contains("\"id\":7") } == [true, false])
    let json = try ToolRun("export", folder["a"], "--entity", "User", "--where", "id > 0").output
    let document = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any]
    #expect(document?["isPartial"] as? Bool == true)
    #expect(((document?["entities"] as? [[String: Any]])?.first?["rows"] as? [Any])?.count == 2)
    #expect(try ToolRun("export", folder["a"], "--where", "id > 0").end == .exited(64))
    #expect(try ToolRun("export", folder["a"], "--entity", "User", "--where", "nope > 0").end == .exited(1))
  }
}
