import Foundation
import SyncEngine
import Testing

@testable import Sync

@Suite("CD-4 Which stored objects a sync compares with a payload")
struct ScopeTests {
  private func people() throws -> SyncWorld {
    try SyncWorld {
      ModelEntity("User") {
        ModelAttribute("remoteID", .integer32)
        ModelAttribute("name", .string)
        ModelAttribute("age", .integer16)
      }
    }
  }

  @Test("CD-4.1 What isn't listed is deleted, what is stored is updated, what is new is inserted")
  func diff() throws {
    let world = try people()
    try world.sync(#"[{"id": 0, "name": "a"}, {"id": 1, "name": "b"}, {"id": 4, "name": "c"}]"#, "User")
    let report = try world.sync(#"[{"id": 0, "name": "A"}, {"id": 1, "name": "b"}, {"id": 6, "name": "d"}]"#, "User")
    #expect(try world.objects("User") == ["0 name=A", "1 name=b", "6 name=d"])
    #expect(report.description == "User: 1 inserted, 1 updated, 1 deleted, 1 unchanged")
    #expect(report.identities["User"]?.deleted == ["4"])
    try world.sync("[]", "User")
    #expect(try world.count("User") == 0)
  }

  @Test("CD-4.3 CD-12.1 An object without a key is left out, and moves no other")
  func missingKeys() throws {
    let world = try people()
    let report = try world.sync(
      #"[{"name": "x"}, {"id": 1, "name": "a"}, {"id": null, "name": "y"}, {"id": 2, "name": "b"}]"#, "User")
    #expect(try world.objects("User") == ["1 name=a", "2 name=b"])
    #expect(report.skippedRows.map(\.pointer) == ["/0", "/2"])
  }

  @Test("CD-4.3 CD-12.1 A key that occurs twice is one object, and the last value counts")
  func repeatedKeys() throws {
    let world = try people()
    for _ in 1...2 {
      try world.sync(#"[{"id": 1, "name": "a", "age": 3}, {"id": 2}, {"id": 1, "name": "b"}]"#, "User")
      #expect(try world.objects("User") == ["1 name=b age=3", "2"])
    }
  }

  @Test(
    "CD-4.3 CD-12.1 Keys are compared as values of the key's type",
    arguments: [
      (ModelAttribute.AttributeType.integer64, #"5"#, #""5""#), (.integer64, "5", "5.0"), (.string, #""5""#, "5"),
      (.uuid, #""0fd7b24e-0f35-4b8f-93a4-6b2a1a7b6f77""#, #""0FD7B24E-0F35-4B8F-93A4-6B2A1A7B6F77""#),
      (.date, #""2020-01-01T00:00:00Z""#, "1577836800"), (.decimal, "1.50", #""1.5""#), (.double, "2", #""2.0""#),
    ] as [(ModelAttribute.AttributeType, String, String)])
  func keyTypes(_ type: ModelAttribute.AttributeType, _ first: String, _ second: String) throws {
    let world = try SyncWorld {
      ModelEntity("Item") {
        ModelAttribute("id", type)
        ModelAttribute("name", .string)
        ModelRelationship.toMany("others", "Item", inverse: "owners")
        ModelRelationship.toMany("owners", "Item", inverse: "others")
      }
    }
    try world.sync("[{\"id\": \(first), \"name\": \"a\"}]", "Item")
    let report = try world.sync("[{\"id\": \(second), \"name\": \"b\", \"others_ids\": [\(first), \(second)]}]", "Item")
    #expect(report.entities["Item"]?.updated == 1)
    #expect(report.entities["Item"]?.inserted == 0)
    #expect(report.entities["Item"]?.linked == 1)
    #expect(try world.count("Item") == 1)
  }

  @Test("CD-4.4 A predicate limits what is deleted, not what is matched")
  func predicates() throws {
    let world = try people()
    try world.sync(#"[{"id": 1, "age": 10}, {"id": 2, "age": 20}, {"id": 3, "age": 30}]"#, "User")
    try world.sync(#"[{"id": 1, "age": 11}, {"id": 4, "age": 5}]"#, "User", where: Key("age") >= 20)
    #expect(try world.objects("User") == ["1 age=11", "4 age=5"])
  }

  @Test("CD-4.4 CD-12.1 A predicate's false friend is found again instead of made twice")
  func outsideOfThePredicate() throws {
    let world = try people()
    try world.sync(#"[{"id": 0}, {"id": 1}, {"id": 2}]"#, "User")
    for _ in 1...2 {
      try world.sync(#"[{"id": 0}, {"id": 1}, {"id": 3}]"#, "User", where: ObjectPredicate(format: "remoteID == 0"))
      #expect(try world.objects("User") == ["0", "1", "2", "3"])
    }
  }

  private func tree() throws -> SyncWorld {
    try SyncWorld {
      ModelEntity("Unit") {
        ModelAttribute("id", .integer64)
        ModelAttribute("name", .string)
        ModelRelationship.toOne("parent", "Unit", inverse: "children")
        ModelRelationship.toMany("children", "Unit", inverse: "parent")
      }
    }
  }

  @Test("CD-4.4 A nested tree is compared level by level")
  func nestedTree() throws {
    let world = try tree()
    let payload = #"""
      [{"id": 1, "children": [{"id": 2, "children": [{"id": 4}]}, {"id": 3}]}, {"id": 5}]
      """#
    for _ in 1...2 {
      try world.sync(payload, "Unit")
      #expect(
        try world.objects("Unit") == ["1 children=2,3", "2 parent=1 children=4", "3 parent=1", "4 parent=2", "5"])
    }
    // What leaves the tree is deleted, what is moved in it is not.
    try world.sync(#"[{"id": 1, "children": [{"id": 3, "children": [{"id": 4}]}]}]"#, "Unit")
    #expect(try world.objects("Unit") == ["1 children=3", "3 parent=1 children=4", "4 parent=3"])
  }

  @Test("CD-4.4 CD-12.1 A flat list of a tree does not multiply")
  func flatTree() throws {
    let world = try tree()
    for _ in 1...3 {
      try world.sync(#"[{"id": 3, "parent_id": 2}, {"id": 1}, {"id": 2, "parent_id": 1}]"#, "Unit")
      #expect(try world.objects("Unit") == ["1 children=2", "2 parent=1 children=3", "3 parent=2"])
    }
  }

  @Test("CD-4.1 CD-12.1 What is listed stays, also where the object that it belongs to goes")
  func cascades() throws {
    let world = try SyncWorld {
      ModelEntity("Unit") {
        ModelAttribute("id", .integer64)
        ModelRelationship.toOne("parent", "Unit", inverse: "children")
        ModelRelationship.toMany("children", "Unit", inverse: "parent", deleteRule: .cascade)
      }
    }
    try world.sync(#"[{"id": 1, "children": [{"id": 2, "children": [{"id": 3}, {"id": 4}]}]}]"#, "Unit")
    try world.sync(#"[{"id": 3}]"#, "Unit")
    #expect(try world.objects("Unit") == ["3"])
  }

  @Test("CD-4.2 CD-12.1 One object at two depths is one object")
  func onePerRun() throws {
    let world = try SyncWorld {
      ModelEntity("Player") {
        ModelAttribute("id", .integer64)
        ModelAttribute("name", .string)
        ModelRelationship.toMany("groups", "PlayerGroup", inverse: "players")
      }
      ModelEntity("PlayerGroup") {
        ModelAttribute("id", .integer64)
        ModelRelationship.toMany("players", "Player", inverse: "groups")
      }
    }
    try world.sync(
      #"[{"id": 1, "name": "a", "groups": [{"id": 9, "players": [{"id": 1, "name": "b"}, {"id": 2}]}]}]"#, "Player")
    #expect(try world.objects("Player") == ["1 name=b groups=9", "2 groups=9"])
  }

  @Test(
    "CD-4.1 CD-12.1 What is only nested in another object is listed, whatever the options say of that one",
    arguments: [.all, .delete, [.insert, .delete], [.update, .delete, .insertRelationships]] as [Sync.OperationOptions])
  func nestedIsListed(_ options: Sync.OperationOptions) throws {
    let world = try SyncWorld {
      ModelEntity("Page") {
        ModelAttribute("id", .integer64)
        ModelRelationship.toMany("links", "Page", inverse: "sources")
        ModelRelationship.toMany("sources", "Page", inverse: "links")
      }
    }
    let payload = #"[{"id": 1, "links": [{"id": 2, "links": [{"id": 3}]}]}]"#
    try world.sync(payload, "Page")
    try world.sync(#"[{"id": 4}]"#, "Page", .insert)
    try world.sync(payload, "Page", options)
    #expect(try world.objects("Page") == ["1 links=2", "2 links=3 sources=1", "3 sources=2"])
  }

  @Test("CD-4.8 CD-12.1 A sync that fails changes nothing")
  func atomicity() throws {
    let world = try SyncWorld {
      ModelEntity("User") {
        ModelAttribute("id", .integer64)
        ModelAttribute("name", .string)
        ModelRelationship.toMany("notes", "Note", inverse: "user")
      }
      ModelEntity("Note") {
        ModelAttribute("id", .integer64)
        ModelAttribute("text", .string, isOptional: false)
        ModelRelationship.toOne("user", "User", inverse: "notes")
      }
    }
    try world.sync(#"[{"id": 1, "name": "a", "notes": [{"id": 5, "text": "t"}]}]"#, "User")
    #expect(throws: SyncError.self) {
      try world.sync(#"[{"id": 2, "notes": [{"id": 6, "text": "u"}]}, {"id": 3, "notes": [{"id": 7}]}]"#, "User")
    }
    #expect(try world.objects("User") == ["1 name=a notes=5"])
    #expect(try world.objects("Note") == ["5 text=t user=1"])
  }

  @Test("CD-4.2 Key zero is a key like any other")
  func zero() throws {
    let world = try SyncWorld {
      ModelEntity("Measure") {
        ModelAttribute("id", .integer32, default: 0)
        ModelAttribute("name", .string)
      }
    }
    try world.sync(#"[{"id": 0, "name": "a"}, {"id": 1, "name": "b"}, {"name": "c"}]"#, "Measure")
    try world.sync(#"[{"id": 0, "name": "A"}, {"id": 1, "name": "b"}]"#, "Measure")
    #expect(try world.objects("Measure") == ["0 name=A", "1 name=b"])
  }
}
