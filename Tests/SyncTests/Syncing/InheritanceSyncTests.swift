import SyncEngine
import Testing

@testable import Sync

@Suite("CD-2.8 CD-5.8 Syncs of entities that inherit")
struct InheritanceSyncTests {
  /// Cars, some of them racecars, with passengers; and animals, which are cats or dogs.
  private func world() throws -> SyncWorld {
    try SyncWorld {
      ModelEntity("Car") {
        ModelAttribute("id", .integer64)
        ModelAttribute("colour", .string)
        ModelRelationship.toMany("passengers", "Passenger", inverse: "car")
      }
      ModelEntity("Racecar", parent: "Car") { ModelAttribute("speed", .integer32, isOptional: false, default: 1) }
      ModelEntity("Prototype", parent: "Racecar") { ModelAttribute("secret", .boolean) }
      ModelEntity("Passenger") {
        ModelAttribute("id", .integer64)
        ModelRelationship.toOne("car", "Car", inverse: "passengers")
        ModelRelationship.toMany("pets", "Animal", inverse: "owner")
      }
      ModelEntity("Animal", isAbstract: true) {
        ModelAttribute("id", .integer64)
        ModelAttribute("name", .string)
        ModelRelationship.toOne("owner", "Passenger", inverse: "pets")
      }
      ModelEntity("Cat", parent: "Animal")
      ModelEntity("Dog", parent: "Animal") { ModelAttribute("barks", .boolean) }
    }
  }

  @Test("CD-2.8 An entity's sync leaves the objects of its ancestors and siblings alone")
  func scopes() throws {
    let world = try world()
    try world.sync(#"[{"id": 1, "colour": "red"}]"#, "Car")
    try world.sync(#"[{"id": 2, "colour": "blue", "speed": 300}, {"id": 3}]"#, "Racecar")
    #expect(try world.objects("Car") == ["1 colour=red", "2 colour=blue", "3"])
    let report = try world.sync(#"[{"id": 2, "speed": 310}]"#, "Racecar")
    #expect(try world.objects("Car") == ["1 colour=red", "2 colour=blue"])
    #expect(try world.objects("Racecar") == ["2 colour=blue speed=310"])
    #expect(report.description == "Racecar: 1 updated, 1 deleted")
    // The objects of sub-entities are the entity's own.
    try world.sync(#"[{"id": 2, "colour": "green"}]"#, "Car")
    #expect(try world.objects("Racecar") == ["2 colour=green speed=310"])
    #expect(try world.count("Car") == 1)
  }

  @Test("CD-2.8 One key may be that of objects of two entities")
  func keys() throws {
    let world = try world()
    for _ in 1...2 {
      try world.sync(#"[{"id": 1, "name": "c"}]"#, "Cat")
      try world.sync(#"[{"id": 1, "name": "d", "barks": true}]"#, "Dog")
      #expect(try world.objects("Animal") == ["1 name=c", "1 name=d"])
    }
    try world.sync(#"[{"id": 1}]"#, "Car")
    try world.sync(#"[{"id": 1, "speed": 5}]"#, "Racecar")
    #expect(try world.count("Car") == 2)
    // The entity's own object comes first.
    try world.sync(#"[{"id": 1, "colour": "red"}]"#, "Car")
    #expect(try world.objects("Car") == ["1", "1 colour=red"])
    #expect(try world.objects("Racecar") == ["1 speed=5"])
  }

  @Test("CD-5.8 CD-12.1 What an ancestor declares leads back at every depth")
  func inheritedRelationships() throws {
    let world = try world()
    for entity in ["Racecar", "Prototype"] {
      try world.sync(#"[{"id": 1, "passengers": [{"id": 31}, {"id": 32}]}]"#, entity)
      #expect(try world.objects("Passenger") == ["31 car=1", "32 car=1"])
      try world.sync(#"[{"id": 1, "passengers": [{"id": 32}]}]"#, entity)
      #expect(try world.objects("Passenger") == ["32 car=1"])
      try world.sync("[]", entity)
      try world.sync("[]", "Passenger")
    }
  }

  @Test("CD-2.8 A nested object is of the entity that the relationship leads to, unless it is stored")
  func declaredEntity() throws {
    let world = try world()
    try world.sync(#"[{"id": 2, "speed": 300}]"#, "Racecar")
    try world.sync(
      #"[{"id": 31, "car": {"id": 2, "colour": "red", "speed": 5}}, {"id": 32, "car": {"id": 3}}]"#, "Passenger")
    #expect(try world.objects("Racecar") == ["2 colour=red speed=300 passengers=31"])
    #expect(try world.objects("Car") == ["2 colour=red passengers=31", "3 passengers=32"])
  }

  @Test("CD-2.8 CD-12.2 New objects of an abstract entity are an error, stored ones are not")
  func abstract() throws {
    let world = try world()
    try world.sync(#"[{"id": 1, "name": "c"}]"#, "Cat")
    try world.sync(#"[{"id": 31, "pets": [{"id": 1, "name": "d"}]}]"#, "Passenger")
    #expect(try world.objects("Cat") == ["1 name=d owner=31"])
    #expect(throws: SyncError.self) { try world.sync(#"[{"id": 31, "pets": [{"id": 2}]}]"#, "Passenger") }
    #expect(throws: SyncError.self) { try world.sync(#"[{"id": 2}]"#, "Animal") }
    try world.sync(#"[{"id": 1, "name": "e"}]"#, "Animal")
    #expect(try world.objects("Cat") == ["1 name=e owner=31"])
    // Without a table of its own it can't even be looked for.
    let apart = try SyncWorld {
      ModelEntity("Base", isAbstract: true) { ModelAttribute("name", .string) }
      ModelEntity("A", parent: "Base") { ModelAttribute("id", .integer64) }
      ModelEntity("B", parent: "Base") { ModelAttribute("id", .integer64) }
    }
    #expect(throws: EntitySyncError.noPrimaryKey(entity: "Base")) { try apart.sync("[]", "Base") }
    try apart.sync(#"[{"id": 1, "name": "a"}]"#, "A")
    #expect(try apart.objects("Base") == ["1 name=a"])
  }
}
