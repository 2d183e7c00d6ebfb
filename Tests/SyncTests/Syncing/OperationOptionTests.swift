import Testing

@testable import Sync

@Suite("CD-4.6 What a sync may do is one rule at every depth")
struct OperationOptionTests {
  /// Users with messages, messages with attachments; users have one badge.
  private func world() throws -> SyncWorld {
    let world = try SyncWorld {
      ModelEntity("User") {
        ModelAttribute("id", .integer64)
        ModelAttribute("name", .string)
        ModelRelationship.toMany("messages", "Message", inverse: "user")
        ModelRelationship.toOne("badge", "Badge", inverse: "holder")
        ModelRelationship.toMany("groups", "Group", inverse: "users")
      }
      ModelEntity("Message") {
        ModelAttribute("id", .integer64)
        ModelAttribute("text", .string)
        ModelRelationship.toOne("user", "User", inverse: "messages")
        ModelRelationship.toMany("files", "File", inverse: "message")
      }
      ModelEntity("File") {
        ModelAttribute("id", .integer64)
        ModelAttribute("name", .string)
        ModelRelationship.toOne("message", "Message", inverse: "files")
      }
      ModelEntity("Badge") {
        ModelAttribute("id", .integer64)
        ModelAttribute("colour", .string)
        ModelRelationship.toOne("holder", "User", inverse: "badge")
      }
      ModelEntity("Group") {
        ModelAttribute("id", .integer64)
        ModelAttribute("name", .string)
        ModelRelationship.toMany("users", "User", inverse: "groups")
      }
    }
    try world.sync(
      """
      [{"id": 1, "name": "a", "messages": [{"id": 10, "text": "x"},
         {"id": 11, "text": "y", "files": [{"id": 20, "name": "f"}, {"id": 21, "name": "g"}]}]}]
      """, "User")
    return world
  }

  struct Case: CustomTestStringConvertible {
    let options: Sync.OperationOptions
    let user: String
    let messages: [String]
    let files: [String]
    var testDescription: String { "\(options.rawValue)" }
  }

  // Message 10 is not listed, 11 says something new and has one file of two and a new one, 12 is new with a new file.
  private static let payload = """
    [{"id": 1, "name": "b", "messages": [
      {"id": 11, "text": "Y", "files": [{"id": 21, "name": "G"}, {"id": 22, "name": "h"}]},
      {"id": 12, "text": "z", "files": [{"id": 23, "name": "i"}]}]}]
    """

  @Test(
    "CD-4.6 CD-12.1 Every operation does the same for nested objects at every depth",
    arguments: [
      Case(
        options: .all, user: "1 name=b messages=11,12",
        messages: ["11 text=Y user=1 files=21,22", "12 text=z user=1 files=23"],
        files: ["21 name=G message=11", "22 name=h message=11", "23 name=i message=12"]),
      Case(
        options: [.insert, .update], user: "1 name=b messages=10,11",
        messages: ["10 text=x user=1", "11 text=y user=1 files=20,21"],
        files: ["20 name=f message=11", "21 name=g message=11"]),
      Case(
        options: [.insert, .update, .insertRelationships], user: "1 name=b messages=10,11,12",
        messages: ["10 text=x user=1", "11 text=y user=1 files=20,21", "12 text=z user=1 files=23"],
        files: ["20 name=f message=11", "21 name=g message=11", "23 name=i message=12"]),
      Case(
        options: [.insert, .update, .updateRelationships], user: "1 name=b messages=10,11",
        messages: ["10 text=x user=1", "11 text=Y user=1 files=20,21"],
        files: ["20 name=f message=11", "21 name=G message=11"]),
      Case(
        options: [.insert, .update, .deleteRelationships], user: "1 name=b messages=11",
        messages: ["11 text=y user=1 files=20,21"], files: ["20 name=f message=11", "21 name=g message=11"]),
      Case(
        options: [.insert, .update, .insertRelationships, .updateRelationships], user: "1 name=b messages=10,11,12",
        messages: ["10 text=x user=1", "11 text=Y user=1 files=20,21,22", "12 text=z user=1 files=23"],
        files: ["20 name=f message=11", "21 name=G message=11", "22 name=h message=11", "23 name=i message=12"]),
      Case(
        options: [.insert, .update, .updateRelationships, .deleteRelationships], user: "1 name=b messages=11",
        messages: ["11 text=Y user=1 files=21"], files: ["21 name=G message=11"]),
      Case(
        options: [.delete, .insertRelationships, .updateRelationships, .deleteRelationships],
        user: "1 name=a messages=10,11", messages: ["10 text=x user=1", "11 text=y user=1 files=20,21"],
        files: ["20 name=f message=11", "21 name=g message=11"]),
    ])
  func depths(_ test: Case) throws {
    let world = try world()
    try world.sync(Self.payload, "User", test.options)
    #expect(try world.objects("User") == [test.user])
    #expect(try world.objects("Message") == test.messages)
    #expect(try world.objects("File") == test.files)
  }

  @Test(
    "CD-4.6 The payload's own objects",
    arguments: [
      (Sync.OperationOptions.insert, ["1 name=a messages=10,11", "2 name=c", "3 name=d"]),
      (.update, ["1 name=b messages=10,11", "2 name=c"]),
      (.delete, ["1 name=a messages=10,11"]),
      ([.insert, .update], ["1 name=b messages=10,11", "2 name=c", "3 name=d"]),
      ([.insert, .delete], ["1 name=a messages=10,11", "3 name=d"]),
      ([.update, .delete], ["1 name=b messages=10,11"]),
      ([], ["1 name=a messages=10,11", "2 name=c"]),
    ] as [(Sync.OperationOptions, [String])])
  func ownObjects(_ options: Sync.OperationOptions, _ users: [String]) throws {
    let world = try world()
    try world.sync(#"[{"id": 2, "name": "c"}]"#, "User", .insert)
    for _ in 1...2 {
      try world.sync(#"[{"id": 1, "name": "b"}, {"id": 3, "name": "d"}]"#, "User", options)
      #expect(try world.objects("User") == users)
    }
  }

  @Test("CD-4.6 CD-12.1 Objects of to-one relationships obey the same options")
  func toOne() throws {
    let world = try world()
    let first = #"[{"id": 1, "badge": {"id": 5, "colour": "red"}}]"#
    try world.sync(first, "User", [.insert, .update, .updateRelationships, .deleteRelationships])
    #expect(try world.objects("Badge") == [])
    try world.sync(first, "User", [.update, .insertRelationships])
    #expect(try world.objects("Badge") == ["5 colour=red holder=1"])
    let second = #"[{"id": 1, "badge": {"id": 5, "colour": "blue"}}]"#
    try world.sync(second, "User", [.update, .insertRelationships])
    #expect(try world.objects("Badge") == ["5 colour=red holder=1"])
    try world.sync(second, "User", [.update, .updateRelationships])
    #expect(try world.objects("Badge") == ["5 colour=blue holder=1"])
    try world.sync(#"[{"id": 1, "badge": null}]"#, "User", [.update, .updateRelationships, .insertRelationships])
    #expect(try world.objects("Badge") == ["5 colour=blue holder=1"])
    try world.sync(#"[{"id": 1, "badge": null}]"#, "User", [.update, .deleteRelationships])
    #expect(try world.objects("Badge") == ["5 colour=blue"])
  }

  @Test("CD-4.6 Many-to-many links are removed by deleteRelationships only, and never with their objects")
  func manyToMany() throws {
    let world = try world()
    try world.sync(#"[{"id": 1, "groups": [{"id": 7, "name": "g"}, {"id": 8, "name": "h"}]}]"#, "User")
    try world.sync(#"[{"id": 1, "groups": [{"id": 8}]}]"#, "User", [.insert, .update, .updateRelationships])
    #expect(try world.objects("Group") == ["7 name=g users=1", "8 name=h users=1"])
    try world.sync(#"[{"id": 1, "groups_ids": [7]}]"#, "User", [.insert, .update])
    #expect(try world.objects("Group") == ["7 name=g users=1", "8 name=h users=1"])
    try world.sync(#"[{"id": 1, "groups": [{"id": 8}]}]"#, "User", [.insert, .update, .deleteRelationships])
    #expect(try world.objects("Group") == ["7 name=g", "8 name=h users=1"])
    try world.sync(#"[{"id": 1, "groups": []}]"#, "User")
    #expect(try world.objects("Group") == ["7 name=g", "8 name=h"])
  }

  @Test("CD-1.2 The options have the values that they always had")
  func values() {
    let options: [Sync.OperationOptions] = [
      .insert, .update, .delete, .insertRelationships, .updateRelationships, .deleteRelationships, .all,
    ]
    #expect(options.map(\.rawValue) == [1, 2, 4, 8, 16, 32, 63])
  }
}
