import Records
import TestSupport
import Testing

@testable import Sync

@Suite("CD-2.8 How the objects of a model lie in a store")
struct StoredModelTests {
  private func shop() throws -> ManagedObjectModel {
    try ManagedObjectModel {
      ModelEntity("User") {
        ModelAttribute("id", .integer64, isOptional: false)
        ModelAttribute("name", .string, isOptional: false, default: "anonymous")
        ModelAttribute("picture", .binaryData, allowsExternalStorage: true)
        ModelAttribute("draft", .string, isTransient: true)
        ModelRelationship.toMany("notes", "Note", inverse: "user", isOrdered: true, deleteRule: .cascade)
      }
      ModelEntity("Note") {
        ModelAttribute("id", .integer64, isOptional: false)
        ModelAttribute("text", .string, isIndexed: true)
        ModelRelationship.toOne("user", "User", inverse: "notes")
      }
    }
  }

  @Test("CD-2.8 Without inheritance the store has what a class with the same properties has")
  func plainEntities() throws {
    let schema = StoreSchema(entities: [
      EntityDescription(
        name: "User",
        attributes: [
          AttributeDescription(name: "id", type: .int64, options: .unique),
          AttributeDescription(name: "name", type: .string, defaultValue: .string("anonymous")),
          AttributeDescription(name: "picture", type: .data, isOptional: true, options: .externalStorage),
        ],
        relationships: [
          RelationshipDescription(
            name: "notes", destination: "Note", isToMany: true, inverse: "user", isInverseExplicit: true,
            deleteRule: .cascade)
        ], identity: "id"),
      EntityDescription(
        name: "Note",
        attributes: [
          AttributeDescription(name: "id", type: .int64, options: .unique),
          AttributeDescription(name: "text", type: .string, isOptional: true),
        ],
        relationships: [
          RelationshipDescription(
            name: "user", destination: "User", isToMany: false, inverse: "notes", isInverseExplicit: true)
        ], identity: "id", indexes: [["text"]]),
    ])
    #expect(try shop().storage.schema == schema)
  }

  @Test("CD-2.8 A store made with the schema of a model opens again, with and without it, and describes itself")
  func storeRoundTrip() throws {
    let folder = try TemporaryFolder()
    let model = try cars()
    try RecordStore(at: folder["store"], schema: model.storage.schema).close()
    let again = try RecordStore(at: folder["store"], schema: model.storage.schema)
    again.close()
    let reader = try RecordStore(readingAt: folder["store"])
    defer { reader.close() }
    #expect(reader.catalog.entities.map(\.name).sorted() == ["Car", "Passenger"])
    let car = try #require(reader.catalog.entity(named: "Car"))
    #expect(car.identity?.name == "id")
    #expect(car.attributes.map(\.name).sorted() == ["$entity", "Racecar.speed", "Truck.speed", "colour", "id"])
  }

  private func cars() throws -> ManagedObjectModel {
    try ManagedObjectModel {
      ModelEntity("Racecar", parent: "Car") {
        ModelAttribute("id", .integer32, isOptional: false)
        ModelAttribute("speed", .double, isOptional: false)
        ModelRelationship.toOne("driver", "Passenger", isOptional: false)
      }
      ModelEntity("Truck", parent: "Car", uniquenessConstraints: [["speed"], ["colour"]]) {
        ModelAttribute("id", .integer32)
        ModelAttribute("speed", .integer16, renamingIdentifier: "pace")
        ModelRelationship.toOne("driver", "Passenger", inverse: "trucks")
      }
      ModelEntity("Car", isAbstract: true) {
        ModelAttribute("colour", .string, isOptional: false)
        ModelRelationship.toMany("passengers", "Passenger", inverse: "car")
      }
      ModelEntity("Passenger") {
        ModelAttribute("id", .integer32)
        ModelRelationship.toOne("car", "Car", inverse: "passengers")
        ModelRelationship.toMany("trucks", "Truck", inverse: "driver")
      }
    }
  }

  @Test("CD-2.8 Entities that inherit share one entity of the store, in which each row says whose it is")
  func inheritance() throws {
    let storage = try cars().storage
    let car = try #require(storage.schema.entity(named: "Car"))
    #expect(storage.schema.entities.map(\.name) == ["Car", "Passenger"])
    let attributes = Dictionary(car.attributes.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    #expect(attributes["colour"]?.isOptional == false)
    #expect(attributes["Racecar.speed"]?.isOptional == true)
    #expect(attributes["Racecar.speed"]?.type == .double)
    #expect(attributes["Truck.speed"]?.type == .int16)
    #expect(attributes["Truck.speed"]?.originalName == "Truck.pace")
    #expect(attributes["$entity"]?.isExported == false)
    #expect(car.relationships.map(\.name) == ["Racecar.driver", "Truck.driver", "passengers"])
    #expect(car.relationships.allSatisfy { $0.isOptional })
    #expect(car.relationships[1].inverse == "trucks")
    #expect(storage.schema.entity(named: "Passenger")?.relationships.map(\.destination) == ["Car", "Car"])
    #expect(storage.schema.entity(named: "Passenger")?.relationships[1].inverse == "Truck.driver")
    // Each of the two has its own key: one number may be a racecar's and a truck's.
    #expect(car.identity == "id")
    #expect(car.uniquenessConstraints == [["Truck.speed"], ["$entity", "colour"], ["$entity", "id"]])
    #expect(attributes["id"]?.options == [])
    #expect(storage.tables["Car"] == [StoredEntity(table: "Car", members: nil, renamed: [:])])
    #expect(
      storage.tables["Truck"] == [
        StoredEntity(table: "Car", members: ["Truck"], renamed: ["speed": "Truck.speed", "driver": "Truck.driver"])
      ])
    try storage.schema.validate()
  }

  @Test("CD-2.8 A key of the ancestor is unique among the objects of each entity")
  func inheritedKey() throws {
    let storage = try ManagedObjectModel {
      ModelEntity("Person") { ModelAttribute("id", .string) }
      ModelEntity("Pilot", parent: "Person", indexes: [["id", "hours"]]) { ModelAttribute("hours", .integer16) }
      ModelEntity("Captain", parent: "Pilot")
    }.storage
    let person = try #require(storage.schema.entity(named: "Person"))
    #expect(person.attributes.first?.options == [])
    #expect(person.identity == "id")
    #expect(person.uniquenessConstraints == [["$entity", "id"]])
    #expect(person.indexes == [["id", "Pilot.hours"], ["$entity"]])
    #expect(storage.tables["Pilot"]?.first?.members == ["Pilot", "Captain"])
    #expect(storage.tables["Captain"]?.first?.renamed == ["hours": "Pilot.hours"])
  }

  @Test("CD-2.8 An abstract entity that nothing leads to leaves its sub-entities apart")
  func dissolvedEntity() throws {
    let storage = try ManagedObjectModel {
      ModelEntity("Base", isAbstract: true) {
        ModelAttribute("created", .date, isOptional: false)
        ModelRelationship.toOne("author", "User")
      }
      ModelEntity("User", parent: "Base") { ModelAttribute("id", .integer32) }
      ModelEntity("Note", parent: "Base") { ModelAttribute("id", .string) }
    }.storage
    #expect(storage.schema.entities.map(\.name) == ["User", "Note"])
    #expect(storage.schema.entities[1].attributes.map(\.name) == ["created", "id"])
    #expect(storage.schema.entities[1].attributes[0].isOptional == false)
    #expect(storage.schema.entities[1].relationships.map(\.name) == ["author"])
    #expect(storage.tables["Base"]?.map(\.table) == ["User", "Note"])
    try storage.schema.validate()
  }

  @Test("CD-12.1 A default of the primary key counts for nobody, so that rows without a key are not one row")
  func defaultsOfKeys() throws {
    let storage = try ManagedObjectModel {
      ModelEntity("User") { ModelAttribute("remoteID", .integer32, default: 0) }
    }.storage
    #expect(storage.schema.entities[0].attributes[0].defaultValue == nil)
  }
}
