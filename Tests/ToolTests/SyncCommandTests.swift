import Foundation
import TestSupport
import Testing

/// Payloads that are synced into stores by a model file alone.
@Suite struct SyncCommandTests {
  private static let model = """
    <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
    <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
    <entity name="User"><attribute name="id" attributeType="Integer 64" optional="YES"/>\
    <attribute name="firstName" attributeType="String" optional="YES"/>\
    <relationship name="notes" destinationEntity="Note" toMany="YES" optional="YES" deletionRule="Cascade" \
    inverseName="user" inverseEntity="Note"/></entity>
    <entity name="Note"><attribute name="id" attributeType="Integer 64" optional="YES"/>\
    <relationship name="user" destinationEntity="User" maxCount="1" optional="YES" deletionRule="Nullify" \
    inverseName="notes" inverseEntity="User"/></entity>
    </model>
    """

  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    let contents = URL(filePath: folder["Shop.xcdatamodeld/One.xcdatamodel"])
    try FileManager.default.createDirectory(at: contents, withIntermediateDirectories: true)
    try Data(Self.model.utf8).write(to: contents.appending(path: "contents"))
  }

  private func sync(_ payload: String, _ options: String..., entity: String = "User") throws -> ToolRun {
    try Data(payload.utf8).write(to: URL(filePath: folder["payload.json"]))
    return try ToolRun(
      ["sync", "--model", folder["Shop.xcdatamodeld"], "--entity", entity, folder["payload.json"], folder["s"]]
        + options)
  }

  private func rows(_ entity: String) throws -> [String] {
    try ToolRun("dump", folder["s"], "--entity", entity, "--format", "ndjson").output.split(separator: "\n").map(
      String.init)
  }

  @Test func rehearsalsChangeNothing() throws {
    let rehearsal = try sync(#"[{"id": 1, "notes": [{"id": 5}]}]"#, "--dry-run")
    #expect(rehearsal.end == .exited(0) && rehearsal.output.hasPrefix("dry run: "))
    #expect(rehearsal.output.contains("\n  User inserted: 1\n") && rehearsal.output.contains("\n  Note inserted: 5\n"))
    #expect(!FileManager.default.fileExists(atPath: folder["s"]))
    #expect(try sync(#"[{"id": 1, "notes": [{"id": 5}]}, {"id": 2}]"#).end == .exited(0))
    let before = try ToolRun("export", folder["s"])
    let second = try sync(#"[{"id": 2, "firstName": "Bob"}]"#, "--dry-run")
    #expect(second.output.contains("\n  User updated: 2\n") && second.output.contains("\n  User deleted: 1\n"))
    #expect(second.output.contains("Note deleted: 5"))
    #expect(try ToolRun("export", folder["s"]) == before)
    #expect(try sync(#"[{"id": "x"}]"#, "--dry-run").end == .exited(1))
  }

  @Test func storesFollowPayloads() throws {
    let first = try sync(#"[{"id": 1, "first_name": "Anna", "notes": [{"id": 5}]}, {"id": 2}]"#)
    #expect(first.end == .exited(0) && first.messages == "")
    #expect(first.output.contains("2 inserted"))
    #expect(try rows("User").count == 2)
    #expect(try rows("User").first?.contains("Anna") == true)
    #expect(try rows("Note").count == 1)
    let second = try sync(#"[{"id": 2, "firstName": "Bob"}]"#, "--where", "id > 1")
    #expect(second.end == .exited(0))
    #expect(try rows("User").count == 2)
    let third = try sync("[]", "--operations", "insert,update")
    #expect(third.end == .exited(0))
    #expect(try rows("User").count == 2)
    // One object says nothing about others.
    #expect(try sync(#"{"id": 3}"#).end == .exited(0))
    #expect(try rows("User").count == 3)
    #expect(try sync("[]").end == .exited(0))
    #expect(try rows("User").isEmpty)
    #expect(try rows("Note").isEmpty)
    #expect(try ToolRun("verify", folder["s"]).end == .exited(0))
  }

  @Test func mistakesAreOneLineAndChangeNothing() throws {
    #expect(try sync(#"[{"id": 1}]"#).end == .exited(0))
    let before = try ToolRun("export", folder["s"])
    for (payload, entity, options) in [
      ("[{", "User", []), (#"[{"x": 1}]"#, "User", []), ("[]", "Nobody", []), ("5", "User", []),
      ("[]", "User", ["--where", "id >"]), ("[]", "User", ["--where", "nose == 1"]),
    ] {
      try Data(payload.utf8).write(to: URL(filePath: folder["payload.json"]))
      let run = try ToolRun(
        ["sync", "--model", folder["Shop.xcdatamodeld"], "--entity", entity, folder["payload.json"], folder["s"]]
          + options)
      #expect(run.end == .exited(1) && run.output == "", "\(payload) \(options)")
      #expect(
        run.messages.hasPrefix("swiftsync: ") && run.messages.split(separator: "\n").count == 1, "\(run.messages)")
    }
    #expect(try ToolRun("sync", folder["none.json"], folder["s"], "--entity", "User").end == .exited(64))
    let missing = try ToolRun(
      "sync", folder["none.json"], folder["s"], "--entity", "User", "--model", folder["Shop.xcdatamodeld"])
    #expect(missing.end == .exited(1))
    #expect(try ToolRun("export", folder["s"]) == before)
  }
}
