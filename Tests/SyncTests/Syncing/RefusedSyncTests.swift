import Foundation
import SyncEngine
import Testing

@testable import Sync

@Suite("CD-12.2 What can't be done is a typed error, and changes nothing")
struct RefusedSyncTests {
  private func world() throws -> SyncWorld {
    let world = try SyncWorld {
      ModelEntity("User") {
        ModelAttribute("id", .integer64)
        ModelAttribute("name", .string)
        ModelRelationship.toMany("friends", "User", inverse: "fans")
        ModelRelationship.toMany("fans", "User", inverse: "friends")
        ModelRelationship.toOne("boss", "User")
        ModelRelationship.toMany("things", "Thing")
      }
      ModelEntity("Thing") { ModelAttribute("name", .string) }
    }
    try world.sync(#"[{"id": 1, "name": "a"}]"#, "User")
    return world
  }

  @Test("CD-12.2 Entities that can't be synced")
  func entities() throws {
    let world = try world()
    #expect(throws: EntitySyncError.unknownEntity("Nobody")) { try world.sync("[]", "Nobody") }
    #expect(throws: EntitySyncError.noPrimaryKey(entity: "Thing")) { try world.sync("[]", "Thing") }
  }

  @Test(
    "CD-12.2 Payloads that are no objects, and keys that can't be keys, are named with their place",
    arguments: [
      ("[5]", "Invalid payload for User: Expected array of dictionaries"),
      (#"["x"]"#, "Invalid payload for User: Expected array of dictionaries"),
      ("[null]", "Invalid payload for User: Expected array of dictionaries"),
      ("5", "Invalid payload for User: Expected a dictionary"),
      (#"[{"name": "x"}]"#, "Invalid payload for User: none of the 1 rows has an identity (looked for under id)"),
      (#"{"name": "x"}"#, "Invalid payload for User: the object has no identity (looked for under id)"),
      (#"[{"id": 2}, {"id": "x"}]"#, "Invalid payload for User: x at /1/id can't be an identity (int64)"),
      (#"[{"id": 2}, {"id": {"a": 1}}]"#, #"Invalid payload for User: {…} at /1/id can't be an identity (int64)"#),
      (
        #"[{"id": 2, "friends_ids": [1, "x"]}]"#,
        "Invalid payload for User: x at /0/friends_ids/1 can't be an identity (int64)"
      ),
      (
        #"[{"id": 2, "friends_ids": [{"id": 1}, 1]}]"#,
        #"Invalid payload for User: {…} at /0/friends_ids/0 can't be an identity (int64)"#
      ),
      // Not the key 1.
      (#"[{"id": 2}, {"id": 1.5}]"#, "Invalid payload for User: 1.5 at /1/id can't be an identity (int64)"),
      (#"[{"id": 2, "boss_id": 1.5}]"#, "Invalid payload for User: 1.5 at /0/boss_id can't be an identity (int64)"),
      (#"[{"id": 2, "boss_id": "x"}]"#, "Invalid payload for User: x at /0/boss_id can't be an identity (int64)"),
      (#"[{"id": 2, "boss": {"id": "x"}}]"#, "Invalid payload for User: x at /0/boss/id can't be an identity (int64)"),
    ] as [(String, String)])
  func payloads(_ json: String, _ message: String) throws {
    let world = try world()
    let error = #expect(throws: SyncError.self) { try world.sync(json, "User") }
    #expect(error?.text == message)
    #expect(try world.objects("User") == ["1 name=a"])
  }

  @Test("CD-12.2 A list of objects that can't be told apart is an error")
  func listWithoutKeys() throws {
    let world = try world()
    #expect(throws: SyncError.self) { try world.sync(#"[{"id": 1, "things": [{"name": "x"}]}]"#, "User") }
    #expect(try world.count("Thing") == 0)
  }

  @Test("CD-12.2 A to-many relationship without inverse works like any other")
  func noInverse() throws {
    let world = try SyncWorld {
      ModelEntity("User") {
        ModelAttribute("id", .integer64)
        ModelRelationship.toMany("notes", "Note")
      }
      ModelEntity("Note") { ModelAttribute("id", .integer64) }
    }
    try world.sync(#"[{"id": 1, "notes": [{"id": 5}, {"id": 6}]}]"#, "User")
    try world.sync(#"[{"id": 1, "notes": [{"id": 6}]}]"#, "User")
    #expect(try world.objects("User") == ["1 notes=6"])
    #expect(try world.count("Note") == 2)
  }

  @Test("CD-12.2 Values that have no place in a payload")
  func values() throws {
    struct Strange {}
    #expect(throws: PayloadError.self) { try world().sync(values: [["id": 1, "name": Strange()]], "User") }
  }

  @Test("CD-12.2 Predicates that the entity can't answer")
  func predicates() throws {
    let world = try world()
    #expect(throws: ObjectPredicateError.self) {
      try world.sync("[]", "User", where: ObjectPredicate(format: "nothing == 1"))
    }
    #expect(try world.count("User") == 1)
  }
}
