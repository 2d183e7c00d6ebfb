import Foundation

@testable import Sync

/// The model that tests of contexts work with: people with notes and tags, teams in order, and vehicles that inherit.
enum Shop {
  static func model() throws -> ManagedObjectModel {
    try ManagedObjectModel {
      ModelEntity("Person") {
        ModelAttribute("id", .integer64)
        ModelAttribute("name", .string)
        ModelAttribute("age", .integer16, default: 18)
        ModelRelationship.toMany("notes", "Note", inverse: "author", deleteRule: .cascade)
        ModelRelationship.toOne("passport", "Passport", inverse: "holder")
        ModelRelationship.toOne("boss", "Person", inverse: "staff")
        ModelRelationship.toMany("staff", "Person", inverse: "boss")
        ModelRelationship.toMany("teams", "Team", inverse: "players")
      }
      ModelEntity("Passport") {
        ModelAttribute("id", .integer64)
        ModelRelationship.toOne("holder", "Person", inverse: "passport")
      }
      ModelEntity("Note") {
        ModelAttribute("id", .integer64)
        ModelAttribute("text", .string)
        ModelAttribute("mood", .string, isTransient: true)
        ModelRelationship.toOne("author", "Person", inverse: "notes")
        ModelRelationship.toMany("tags", "Tag", inverse: "notes")
      }
      ModelEntity("Tag") {
        ModelAttribute("label", .string)
        ModelRelationship.toMany("notes", "Note", inverse: "tags")
      }
      ModelEntity("Team") {
        ModelAttribute("id", .integer64)
        ModelRelationship.toMany("players", "Person", inverse: "teams", isOrdered: true)
      }
      ModelEntity("Vehicle", isAbstract: true) {
        ModelAttribute("id", .integer64)
        ModelAttribute("speed", .integer32)
      }
      ModelEntity("Car", parent: "Vehicle") { ModelAttribute("doors", .integer16) }
      ModelEntity("Racer", parent: "Car") { ModelAttribute("team", .string) }
      ModelEntity("Boat", parent: "Vehicle") { ModelAttribute("sails", .integer16) }
    }
  }

  /// A stack in memory.
  static func stack() throws -> DataStack { DataStack(model: try model(), storeType: .inMemory) }
}

extension ManagedObjectContext {
  /// A new object with some values.
  @discardableResult
  func make(_ entity: String, _ values: [String: Any] = [:]) throws -> ManagedObject {
    let object: ManagedObject = try insertObject(inEntityNamed: entity)
    for (name, value) in values { try object.setValue(value, for: name) }
    return object
  }

  /// All objects of an entity, by an attribute.
  func all(_ entity: String, by key: String = "id", where predicate: ObjectPredicate? = nil) throws -> [ManagedObject] {
    try fetch(FetchRequest(entityName: entity, predicate: predicate, sortDescriptors: [ObjectSort(key)]))
  }

  /// The ids of all objects of an entity.
  func ids(_ entity: String, where predicate: ObjectPredicate? = nil) throws -> [Int?] {
    try all(entity, where: predicate).map { try $0.value("id") }
  }
}

extension ManagedObject {
  /// The ids of the members of a relationship, in their order.
  func ids(_ relationship: String) throws -> [Int?] { try objects(relationship).map { try $0.value("id") } }
}
