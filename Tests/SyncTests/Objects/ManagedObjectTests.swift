import Foundation
import Testing

@testable import Sync

@Suite("Objects have values by name, and say what they can't have")
struct ManagedObjectTests {
  private static func everyType() throws -> DataStack {
    let model = try ManagedObjectModel {
      ModelEntity("Thing") {
        for type in ModelAttribute.AttributeType.allCases where type != .transformable {
          ModelAttribute(type.rawValue.replacing(" ", with: ""), type)
        }
        ModelRelationship.toOne("one", "Thing", inverse: "many")
        ModelRelationship.toMany("many", "Thing", inverse: "one")
      }
      ModelEntity("Other") { ModelAttribute("id", .integer16) }
    }
    return DataStack(model: model, storeType: .inMemory)
  }

  @Test("Values are read as they were set, before and after a save", arguments: AttributeCases.values)
  func values(_ example: AttributeCase) throws {
    let context = try Self.everyType().newBackgroundContext()
    let object = try context.make("Thing")
    try object.setValue(example.value(), for: example.attribute)
    #expect(example.read(object[example.attribute]))
    try context.save()
    #expect(example.read(object[example.attribute]))
    context.registered = IdentityMap()
    let again = try #require(try context.object(with: object.objectID))
    #expect(again !== object)
    #expect(example.read(again[example.attribute]))
    object[example.attribute] = nil
    #expect(object[example.attribute] == nil)
  }

  @Test("A value that an attribute can't have is refused, and changes nothing", arguments: AttributeCases.refused)
  func refusals(_ example: AttributeCase) throws {
    let context = try Self.everyType().newBackgroundContext()
    let object = try context.make("Thing")
    let error = #expect(throws: ManagedObjectError.self) {
      try object.setValue(example.value(), for: example.attribute)
    }
    guard case .wrongType("Thing", example.attribute, _, _)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(object[example.attribute] == nil)
    // A subscript can't throw: the next save does, once.
    object[example.attribute] = example.value()
    #expect(throws: ManagedObjectError.self) { try context.save() }
    try context.save()
  }

  @Test("Names and relationships that an entity doesn't have are refused")
  func names() throws {
    let context = try Self.everyType().newBackgroundContext()
    let elsewhere = try Self.everyType().newBackgroundContext()
    let object = try context.make("Thing")
    let other = try context.make("Other")
    let foreign = try elsewhere.make("Thing")
    let deleted = try context.make("Thing")
    context.delete(deleted)
    let refused: [(ManagedObjectError, (ManagedObject) throws -> Void)] = [
      (.unknownProperty(entity: "Thing", property: "nose"), { try $0.setValue(1, for: "nose") }),
      (.unknownProperty(entity: "Thing", property: "nose"), { _ = try $0.value("nose", as: Int.self) }),
      (.unknownProperty(entity: "Thing", property: "String"), { _ = try $0.objects("String") }),
      (.wrongCardinality(entity: "Thing", relationship: "one"), { try $0.setValue([$0], for: "one") }),
      (.wrongCardinality(entity: "Thing", relationship: "many"), { try $0.setValue($0, for: "many") }),
      (.wrongCardinality(entity: "Thing", relationship: "one"), { try $0.add($0, to: "one") }),
      (.wrongCardinality(entity: "Thing", relationship: "many"), { _ = try $0.object("many") }),
      (
        .wrongDestination(entity: "Thing", relationship: "one", destination: "Thing", value: "\(other)"),
        { try $0.setValue(other, for: "one") }
      ),
      (
        .wrongDestination(entity: "Thing", relationship: "many", destination: "Thing", value: "5"),
        { try $0.setValue(5, for: "many") }
      ),
      (.foreignObject(entity: "Thing", relationship: "one"), { try $0.setValue(foreign, for: "one") }),
      (.deletedDestination(entity: "Thing", relationship: "one"), { try $0.setValue(deleted, for: "one") }),
      (.deletedObject(entity: "Thing", property: "String"), { _ in try deleted.setValue("x", for: "String") }),
    ]
    for (error, body) in refused { #expect(throws: error) { try body(object) } }
    #expect(object["one"] == nil)
    #expect(throws: ManagedObjectError.unknownEntity("Nobody")) { try context.make("Nobody") }
  }

  @Test("Numbers are read as every type that can hold them")
  func typedReading() throws {
    let object = try Self.everyType().newBackgroundContext().make("Thing", ["Integer64": 300, "Double": 1.5])
    #expect(try object.value("Integer64") == Int64(300))
    #expect(try object.value("Integer64", as: UInt16.self) == 300)
    #expect(try object.value("Double", as: Float.self) == 1.5)
    #expect(throws: ManagedObjectError.unreadableValue(entity: "Thing", attribute: "Integer64", type: "Int8")) {
      try object.value("Integer64", as: Int8.self)
    }
    #expect(throws: ManagedObjectError.self) { try object.value("Double", as: String.self) }
    #expect(try object.value("String", as: String.self) == nil)
  }
}
