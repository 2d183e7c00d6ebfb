import Foundation
import TestSupport
import Testing

/// What the commands print for a small store with a value of every kind.
@Suite struct OutputTests {
  struct Case: CustomTestStringConvertible {
    var arguments: [String]
    var golden: String

    var testDescription: String { arguments.joined(separator: " ") }
  }

  static let dumps = [
    Case(arguments: ["dump"], golden: "dump.txt"),
    Case(arguments: ["dump", "--format", "text"], golden: "dump.txt"),
    Case(arguments: ["dump", "--format", "json"], golden: "dump.json"),
    Case(arguments: ["dump", "--format=ndjson"], golden: "dump.ndjson"),
    Case(arguments: ["dump", "--entity", "User", "--limit", "2", "--format", "ndjson"], golden: "users.ndjson"),
    Case(arguments: ["export"], golden: "export.json"),
    Case(arguments: ["schema"], golden: "schema.txt"),
    Case(arguments: ["schema", "--format", "json"], golden: "schema.json"),
    Case(arguments: ["schema", "--format", "swift"], golden: "schema.swift.txt"),
    Case(arguments: ["schema", "--format", "mermaid"], golden: "schema.mermaid"),
    Case(arguments: ["schema", "--format", "dot"], golden: "schema.dot"),
  ]

  @Test(arguments: dumps) func rows(_ test: Case) throws {
    let folder = try TemporaryFolder()
    try TrackerStore.make(at: folder["store"])
    let run = try ToolRun([test.arguments[0], folder["store"]] + test.arguments.dropFirst())
    #expect(run.end == .exited(0))
    #expect(run.messages == "")
    try Golden.expect(run.output, test.golden)
  }

  @Test func infoAsText() throws {
    let folder = try TemporaryFolder()
    try TrackerStore.make(at: folder["store"])
    let run = try ToolRun("info", folder["store"])
    #expect(run.end == .exited(0))
    #expect(run.messages == "")
    // The identifier is random, and what the files weigh is the business of the layer that writes them.
    let varying = ["Identifier  ", "Pages       ", "Files       checkpoint, ", "            "]
    let lines = run.output.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      varying.first { line.hasPrefix($0) }.map { $0 + "…" } ?? line.replacing(folder.path, with: "FOLDER")
    }
    try Golden.expect(lines.joined(separator: "\n"), "info.txt")
  }

  @Test func infoAsJSON() throws {
    let folder = try TemporaryFolder()
    try TrackerStore.make(at: folder["store"])
    let run = try ToolRun("info", folder["store"], "--format", "json")
    #expect(run.end == .exited(0))
    let info = try #require(try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
    #expect(info["path"] as? String == folder["store"])
    #expect((info["identifier"] as? String)?.count == 32)
    #expect(info["formats"] as? [String: Int] == ["store": 1, "records": 4])
    let files = try #require(info["files"] as? [[String: Any]])
    let data = try #require(files.first { $0["name"] as? String == "data.mdb" })
    let pageBytes = try #require(info["pageBytes"] as? Int)
    let pagesUsed = try #require(info["pagesUsed"] as? Int)
    #expect((data["bytes"] as? Int ?? 0) >= pagesUsed * pageBytes)
    #expect((info["mapBytes"] as? Int ?? 0) >= pagesUsed * pageBytes)

    let entities = try #require(info["entities"] as? [[String: Any]])
    #expect(entities.map { $0["name"] as? String } == ["Project", "User", "Task", "Note", "Label"])
    #expect(entities.map { $0["rows"] as? Int } == [1, 3, 2, 2, 4])
    let links = try #require(entities[2]["links"] as? [[String: Any]])
    let reviewers = try #require(links.first { $0["name"] as? String == "Task.reviewers" })
    #expect(reviewers["entries"] as? Int == 3)
    #expect(reviewers["bytes"] as? Int == pageBytes)

    let schema = try #require(info["schema"] as? [[String: Any]])
    #expect(schema.map { $0["name"] as? String } == ["Project", "User", "Task", "Note", "Label"])
    let relationships = try #require(schema[2]["relationships"] as? [[String: Any]])
    // Declared at the other end only.
    #expect(relationships[0]["inverse"] as? String == "tasks")
  }

  @Test func everyLineOfNdjsonIsAnObject() throws {
    let folder = try TemporaryFolder()
    try TrackerStore.make(at: folder["store"])
    let run = try ToolRun("dump", folder["store"], "--format", "ndjson")
    let lines = run.output.split(separator: "\n")
    #expect(lines.count == 12)
    for line in lines {
      let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      #expect(object?["$entity"] is String && object?["$row"] is Int)
    }
  }

  @Test func limitCountsEachEntityByItself() throws {
    let folder = try TemporaryFolder()
    try TrackerStore.make(at: folder["store"])
    let run = try ToolRun("dump", folder["store"], "--limit", "1", "--format", "ndjson")
    #expect(run.output.split(separator: "\n").count == 5)
    let all = try ToolRun("dump", folder["store"], "--limit", "1000", "--format", "ndjson")
    #expect(all.output.split(separator: "\n").count == 12)
  }
}
