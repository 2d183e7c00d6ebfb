import Foundation
import Testing

@testable import Sync

@Suite("CD-6 Single objects are found, made, filled and deleted by their primary keys")
@MainActor
struct ItemTests {
  private func stack() throws -> DataStack {
    let stack = try Shop.stack()
    let person = try stack.mainContext.make("Person", ["id": 1, "name": "Anna"])
    try stack.mainContext.make("Note", ["id": 10, "text": "a", "author": person])
    try stack.mainContext.make("Note", ["id": 11, "text": "b", "author": person])
    try stack.mainContext.make("Racer", ["id": 1, "speed": 300])
    try stack.mainContext.save()
    return stack
  }

  @Test("CD-1.4 A fetch finds saved and unsaved objects, also where the key is of another type")
  func fetch() throws {
    let stack = try stack()
    for id: Any in [1, "1", Int8(1), 1.0, NSNumber(value: 1), Decimal(1)] {
      let found: ManagedObject? = try stack.fetch(id, inEntityNamed: "Person")
      #expect(try found?.value("name") == "Anna", "\(id)")
    }
    for id: Any in [2, "x", "", 1.5, UUID(), [1], NSNull()] {
      let found: ManagedObject? = try stack.fetch(id, inEntityNamed: "Person")
      #expect(found == nil, "\(id)")
    }
    let new = try stack.mainContext.make("Person", ["id": 2])
    #expect(try stack.fetch(2, inEntityNamed: "Person") == new)
    #expect(try Sync.fetch(2, inEntityNamed: "Person", using: stack.mainContext) == new)
    let racer: ManagedObject? = try stack.fetch(1, inEntityNamed: "Vehicle")
    #expect(racer?.entity.name == "Racer")
    #expect(throws: ManagedObjectError.unknownEntity("Nobody")) {
      let _: ManagedObject? = try stack.fetch(1, inEntityNamed: "Nobody")
    }
    #expect(throws: ManagedObjectError.missingPrimaryKey(entity: "Tag")) {
      let _: ManagedObject? = try stack.fetch(1, inEntityNamed: "Tag")
    }
  }

  @Test(
    "CD-6 CD-12.1 Keys are read as a sync reads them",
    arguments: [
      (.date, "2020-01-01", ["2020-01-01T00:00:00Z", "1577836800", 1_577_836_800, 1_577_836_800.0] as [any Sendable]),
      (.string, "5", [5, 5.0, Decimal(5)]), (.string, 1.5, ["1.5", 1.5]), (.uri, "a b", ["a b", "a%20b"]),
      (.integer16, true, [1, "1", 1.0]), (.decimal, "1.50", [1.5, "1.5"]), (.uuid, Self.uuid, [Self.uuid.lowercased()]),
    ] as [(ModelAttribute.AttributeType, any Sendable, [any Sendable])])
  func keyForms(_ type: ModelAttribute.AttributeType, _ stored: any Sendable, _ others: [any Sendable]) async throws {
    let model = try ManagedObjectModel {
      ModelEntity("Item") {
        ModelAttribute("id", type)
        ModelAttribute("name", .string)
      }
    }
    let stack = DataStack(model: model, storeType: .inMemory)
    try await stack.sync([["id": stored]], inEntityNamed: "Item")
    for id in [stored] + others {
      #expect(try stack.fetch(id, inEntityNamed: "Item") != nil, "\(id)")
      #expect(try stack.update(id, with: ["name": "x"], inEntityNamed: "Item") != nil, "\(id)")
      #expect(try await stack.sync([["id": id]], inEntityNamed: "Item").changedNothing, "\(id)")
    }
    try stack.delete(others[0], inEntityNamed: "Item")
    #expect(try stack.mainContext.count(for: FetchRequest(entityName: "Item")) == 0)
  }

  nonisolated private static let uuid = "0FD7B24E-0F35-4B8F-93A4-6B2A1A7B6F77"

  @Test("CD-6 insertOrUpdate fills the object of the key, or makes one")
  func insertOrUpdate() throws {
    let stack = try stack()
    let anna: ManagedObject = try stack.insertOrUpdate(["id": 1, "age": 30], inEntityNamed: "Person")
    #expect(try anna.value("name") == "Anna" && anna.value("age") == 30)
    let same: ManagedObject = try stack.insertOrUpdate(["id": "1", "name": NSNull()], inEntityNamed: "Person")
    #expect(same === anna && anna["name"] == nil)
    let bob: ManagedObject = try stack.insertOrUpdate(["id": 2, "name": "Bob"], inEntityNamed: "Person")
    #expect(try bob.value("age") == 18 && !bob.hasChanges)
    #expect(try stack.newBackgroundContext().ids("Person") == [1, 2])
    let again: ManagedObject = try Sync.insertOrUpdate(["id": 2], inEntityNamed: "Person", using: stack.mainContext)
    #expect(again === bob)
    // Nested objects are synced as in a sync: what is no longer listed goes.
    let _: ManagedObject = try stack.insertOrUpdate(
      ["id": 1, "notes": [["id": 11, "text": "c"], ["id": 12]]], inEntityNamed: "Person")
    #expect(try stack.mainContext.ids("Note") == [11, 12])
    #expect(try anna.ids("notes").count == 2)
  }

  @Test("CD-6 update fills the object of the key, and may give it another key")
  func update() throws {
    let stack = try stack()
    let anna: ManagedObject? = try stack.update("1", with: ["name": "A", "id": 5], inEntityNamed: "Person")
    #expect(try anna?.value("name") == "A" && anna?.value("id") == 5)
    #expect(try stack.newBackgroundContext().ids("Person") == [5])
    let nobody: ManagedObject? = try stack.update(1, with: ["name": "B"], inEntityNamed: "Person")
    #expect(nobody == nil)
    let unchanged: ManagedObject? = try stack.update(5, with: [:], inEntityNamed: "Person")
    #expect(unchanged === anna)
    let racer: ManagedObject? = try stack.update(1, with: ["speed": 310], inEntityNamed: "Vehicle")
    #expect(try racer?.value("speed") == 310)
    let _: ManagedObject = try stack.insertOrUpdate(["id": 6], inEntityNamed: "Person")
    #expect(throws: (any Error).self) {
      try stack.update(6, with: ["id": 5], inEntityNamed: "Person") as ManagedObject?
    }
    #expect(try stack.mainContext.ids("Person") == [5, 6])
  }

  @Test("CD-6 delete follows the delete rules, and minds no missing object")
  func delete() throws {
    let stack = try stack()
    try stack.delete("1", inEntityNamed: "Person")
    try stack.delete(1, inEntityNamed: "Person")
    #expect(try stack.mainContext.ids("Person").isEmpty)
    #expect(try stack.newBackgroundContext().ids("Note").isEmpty)
    try Sync.delete(1, inEntityNamed: "Vehicle", using: stack.mainContext)
    #expect(try stack.mainContext.ids("Vehicle").isEmpty)
  }

  @Test("CD-12.2 A payload without a key, an unknown entity and one without a key are errors, and change nothing")
  func mistakes() throws {
    let stack = try stack()
    for changes: [String: Any] in [["name": "x"], ["id": NSNull()], ["id": [1]], [:]] {
      #expect(throws: (any Error).self, "\(changes)") {
        try stack.insertOrUpdate(changes, inEntityNamed: "Person") as ManagedObject
      }
    }
    for entity in ["Nobody", "Tag", "Vehicle"] {
      #expect(throws: (any Error).self) {
        try stack.insertOrUpdate(["id": 99], inEntityNamed: entity) as ManagedObject
      }
    }
    #expect(try stack.mainContext.ids("Person") == [1])
    #expect(try stack.mainContext.ids("Note") == [10, 11])
  }

  @Test("CD-6 What is unsaved in the context is found, filled, and saved along")
  func unsaved() throws {
    let stack = try stack()
    let new = try stack.mainContext.make("Person", ["id": 2, "age": 1])
    let filled: ManagedObject? = try stack.update(2, with: ["name": "B"], inEntityNamed: "Person")
    #expect(filled === new && !new.hasChanges)
    #expect(try new.value("name") == "B" && new.value("age") == 1)
    let other = try stack.mainContext.make("Person", ["id": 3, "age": 5])
    let made: ManagedObject = try stack.insertOrUpdate(["id": 3, "name": "C"], inEntityNamed: "Person")
    #expect(made === other)
    #expect(try other.value("name") == "C" && other.value("age") == 5)
    #expect(try stack.newBackgroundContext().ids("Person") == [1, 2, 3])
  }

  @Test("CD-1.5 An object takes over what a payload says about its attributes, without a save")
  func fill() throws {
    let stack = try stack()
    let anna: ManagedObject = try #require(try stack.fetch(1, inEntityNamed: "Person"))
    #expect(try anna.fill(with: ["id": "1", "name": "Anna", "notes": []]).isEmpty)
    #expect(!anna.hasChanges)
    #expect(try anna.fill(with: ["NAME": NSNull(), "age": "many", "nose": 1]) == ["age"])
    #expect(anna["name"] == nil && anna.isUpdated)
    #expect(try anna.value("age") == 18)
    #expect(try anna.ids("notes").count == 2)
    #expect(try stack.newBackgroundContext().all("Person").first?.value("name") == "Anna")
    let new = try stack.mainContext.make("Note")
    try new.fill(with: ["id": 5, "text": 7])
    #expect(try new.value("text") == "7" && new.value("id") == 5)
    stack.mainContext.delete(new)
    #expect(throws: ManagedObjectError.self) { try new.fill(with: [:]) }
  }
}
