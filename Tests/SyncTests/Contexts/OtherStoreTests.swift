import Foundation
import Testing

@testable import Sync

@Suite("CD-12.2 Objects of other stacks, and objects whose context is gone, are never taken for others")
struct OtherStoreTests {
  private let stack: DataStack
  private let context: ManagedObjectContext
  private let foreign: ManagedObject
  private let foreignContext: ManagedObjectContext

  init() throws {
    stack = try Shop.stack()
    context = stack.newBackgroundContext()
    let person = try context.make("Person", ["id": 1, "name": "own"])
    try context.make("Note", ["id": 1, "author": person])
    try context.save()
    foreignContext = try Shop.stack().newBackgroundContext()
    foreign = try foreignContext.make("Person", ["id": 777])
    try foreignContext.save()
  }

  private func isUntouched() throws -> Bool {
    let reader = stack.newBackgroundContext()
    return try reader.all("Note").map { try $0.object("author")?["name"] as? String } == ["own"]
  }

  @Test func identifiers() throws {
    let own = try #require(try context.all("Person").first)
    #expect(foreign.objectID != own.objectID && foreign.objectID.description == own.objectID.description)
    #expect(try context.object(with: foreign.objectID) == nil)
    #expect(context.registeredObject(for: foreign.objectID) == nil)
    #expect(throws: ManagedObjectError.missingObject(foreign.objectID)) {
      try context.existingObject(with: foreign.objectID)
    }
    #expect(throws: ManagedObjectError.missingObject(foreign.objectID)) { try context.existingObject(like: foreign) }
    #expect(throws: ObjectPredicateError.self) { try context.all("Note", where: Key("author") == foreign) }
    #expect(throws: ObjectPredicateError.self) { try context.all("Person", where: Key.object == foreign) }
    #expect(try stack.newBackgroundContext().object(with: own.objectID)?["name"] as? String == "own")
  }

  @Test func syncs() async throws {
    let error = EntitySyncError.foreignParent(entity: "Note", parent: "Person")
    await #expect(throws: error) { try await stack.sync([["id": 2]], inEntityNamed: "Note", parent: foreign) }
    #expect(throws: error) { try context.sync([["id": 2]], inEntityNamed: "Note", parent: foreign) }
    await #expect(throws: ObjectPredicateError.self) {
      try await stack.sync([], inEntityNamed: "Note", predicate: Key("author") == foreign)
    }
    let unsaved = try context.make("Person", ["id": 5])
    await #expect(throws: EntitySyncError.unsavedParent(entity: "Note", parent: "Person")) {
      try await stack.sync([["id": 2]], inEntityNamed: "Note", parent: unsaved)
    }
    #expect(throws: EntitySyncError.unsavedParent(entity: "Note", parent: "Person")) {
      try stack.newBackgroundContext().sync([["id": 2]], inEntityNamed: "Note", parent: unsaved)
    }
    #expect(try isUntouched())
  }

  @Test func deletions() throws {
    context.delete(foreign)
    #expect(throws: ManagedObjectError.missingObject(foreign.objectID)) { try context.save() }
    try context.save()
    #expect(try isUntouched())
    #expect(!foreign.isDeleted)
  }

  @Test func contextsThatAreGone() throws {
    func orphan() throws -> ManagedObject { try #require(try stack.newBackgroundContext().all("Person").first) }
    let object = try orphan()
    let error = ManagedObjectError.missingContext(entity: "Person")
    #expect(object["name"] as? String == "own")
    #expect(throws: error) { try object.objects("notes") }
    #expect(throws: error) { try object.object("passport") }
    #expect(throws: error) { try object.value("notes", as: [ManagedObject].self) }
    #expect(throws: error) { try object.setValue("x", for: "name") }
    #expect(throws: error) { try object.fill(with: ["name": "x"]) }
    // An empty list would delete the notes when it is synced.
    #expect(object.export().keys.sorted() == ["age", "id", "name"])
  }

  @Test func deletedDestinations() throws {
    let note = try #require(try context.all("Note").first)
    let person = try context.make("Person", ["id": 9])
    try context.save()
    context.delete(person)
    try context.save()
    #expect(throws: ManagedObjectError.deletedDestination(entity: "Note", relationship: "author")) {
      try note.setValue(person, for: "author")
    }
  }
}
