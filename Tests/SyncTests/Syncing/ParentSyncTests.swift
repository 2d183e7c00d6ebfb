import SyncEngine
import Testing

@testable import Sync

@Suite("CD-4.5 Syncs of the children of one object")
struct ParentSyncTests {
  private func world() throws -> SyncWorld {
    let world = try SyncWorld {
      ModelEntity("User") {
        ModelAttribute("id", .integer64)
        ModelRelationship.toMany("notes", "Note", inverse: "user", isOrdered: true)
        ModelRelationship.toMany("sent", "Message", inverse: "sender")
        ModelRelationship.toMany("received", "Message", inverse: "receiver")
      }
      ModelEntity("Admin", parent: "User")
      ModelEntity("Note") {
        ModelAttribute("id", .integer64)
        ModelAttribute("text", .string)
        ModelRelationship.toOne("user", "User", inverse: "notes")
      }
      ModelEntity("Message") {
        ModelAttribute("id", .integer64)
        ModelRelationship.toOne("sender", "User", inverse: "sent")
        ModelRelationship.toOne("receiver", "User", inverse: "received")
      }
      ModelEntity("Stray") { ModelAttribute("id", .integer64) }
    }
    try world.sync(#"[{"id": 1, "notes": [{"id": 5}, {"id": 6}]}, {"id": 2, "notes": [{"id": 7}]}]"#, "User")
    try world.sync(#"[{"id": 3}]"#, "Admin")
    return world
  }

  @Test("CD-4.5 Objects become the parent's whatever they say, and only the parent's others are deleted")
  func children() throws {
    let world = try world()
    let parent = try world.object("User", "1")
    try world.sync(#"[{"id": 9, "user_id": 2}, {"id": 6, "text": "x", "user": {"id": 2}}]"#, "Note", parent: parent)
    #expect(try world.objects("Note") == ["6 text=x user=1", "7 user=2", "9 user=1"])
    #expect(try world.objects("User").first == "1 notes=9,6")
  }

  @Test("CD-4.5 CD-12.1 A key that another parent's object has moves it")
  func moves() throws {
    let world = try world()
    try world.sync(#"[{"id": 7}]"#, "Note", parent: try world.object("User", "1"))
    #expect(try world.objects("Note") == ["7 user=1"])
  }

  @Test("CD-4.5 Options hold for the children of a parent too")
  func options() throws {
    let world = try world()
    let parent = try world.object("User", "1")
    try world.sync(#"[{"id": 6, "text": "x"}, {"id": 9, "text": "y"}]"#, "Note", parent: parent, [.insert])
    #expect(try world.objects("Note") == ["5 user=1", "6 user=1", "7 user=2", "9 text=y user=1"])
  }

  @Test("CD-4.5 CD-12.1 A parent may be an object of a sub-entity")
  func subentities() throws {
    let world = try world()
    try world.sync(#"[{"id": 8}]"#, "Note", parent: try world.object("Admin", "3"))
    #expect(try world.objects("Note") == ["5 user=1", "6 user=1", "7 user=2", "8 user=3"])
  }

  @Test("CD-4.5 CD-12.1 CD-12.2 The relationship is never guessed")
  func relationships() throws {
    let world = try world()
    let parent = try world.object("User", "1")
    #expect(
      throws: EntitySyncError.ambiguousParentRelationship(
        entity: "Message", parent: "User", candidates: ["sender", "receiver"])
    ) { try world.sync("[]", "Message", parent: parent) }
    #expect(throws: EntitySyncError.noParentRelationship(entity: "Stray", parent: "User")) {
      try world.sync("[]", "Stray", parent: parent)
    }
    #expect(
      throws: EntitySyncError.unsuitableParentRelationship(entity: "Message", relationship: "user", parent: "User")
    ) {
      try world.sync("[]", "Message", parent: parent, by: "user")
    }
    try world.sync(#"[{"id": 1}]"#, "Message", parent: parent, by: "receiver")
    #expect(try world.objects("Message") == ["1 receiver=1"])
  }

  @Test("CD-12.2 A parent that isn't stored is an error")
  func missingParent() throws {
    let world = try world()
    let parent = try world.object("User", "2")
    try world.sync(#"[{"id": 1}]"#, "User")
    #expect(throws: SyncError.self) { try world.sync(#"[{"id": 5}]"#, "Note", parent: parent) }
  }
}
