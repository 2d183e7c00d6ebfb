import Foundation
import Testing

@testable import Sync

@Suite("CD-8.1 CD-2.8 What becomes of stored objects when entities get parents, lose them, or are renamed below one")
struct EntityMoveTests {
  private let folder: ModelFolder

  init() throws {
    folder = try ModelFolder()
  }

  private func stack(@ModelBuilder _ entities: () -> [ModelEntity]) throws -> DataStack {
    DataStack(
      model: try ManagedObjectModel(entities: entities()), storeURL: folder.url.appendingPathComponent("app.store"))
  }

  private func alone() throws -> DataStack {
    try stack {
      ModelEntity("User") {
        ModelAttribute("id", .integer64)
        ModelAttribute("name", .string)
      }
      ModelEntity("Note") {
        ModelAttribute("id", .integer64)
        ModelAttribute("text", .string)
      }
    }
  }

  private func family(
    _ child: String = "Admin", from original: String? = nil, level: Bool = true, parent: String? = "User"
  ) throws -> DataStack {
    try stack {
      ModelEntity("User") {
        ModelAttribute("id", .integer64)
        ModelAttribute("name", .string)
      }
      ModelEntity("Guest", parent: "User") { ModelAttribute("until", .string) }
      ModelEntity(child, parent: parent, renamingIdentifier: original) {
        if level { ModelAttribute("level", .integer16) }
        if parent == nil { ModelAttribute("id", .integer64) }
      }
    }
  }

  private func fill(_ stack: DataStack, _ entities: [String]) throws {
    let context = stack.newBackgroundContext()
    for (id, entity) in entities.enumerated() { try context.make(entity, ["id": id]) }
    try context.save()
    stack.close()
  }

  private func ids(_ stack: DataStack, _ entity: String) throws -> [Int?] {
    defer { stack.close() }
    return try stack.newBackgroundContext().ids(entity)
  }

  @Test("An entity with objects can't get a parent; one without can, and the store is as it was")
  func parent() throws {
    func withParent() throws -> DataStack {
      try stack {
        ModelEntity("Thing", isAbstract: true) { ModelAttribute("id", .integer64) }
        ModelEntity("User", parent: "Thing") { ModelAttribute("name", .string) }
        // What is left out would be lost if the store followed the model halfway.
        ModelEntity("Note") { ModelAttribute("id", .integer64) }
      }
    }
    let context = try alone().newBackgroundContext()
    try context.make("User", ["id": 7, "name": "Anna"])
    try context.make("Note", ["id": 1, "text": "kept"])
    try context.save()
    #expect(throws: DataStackError.movedEntity("User", from: "User", to: "Thing")) { try withParent().open() }
    let again = try alone().newBackgroundContext()
    #expect(try again.all("Note").map { $0["text"] as? String } == ["kept"])
    for user in try again.all("User") { again.delete(user) }
    try again.save()
    try fill(withParent(), ["User"])
    #expect(try ids(withParent(), "Thing") == [0])
  }

  @Test("An entity with objects can't lose its parent")
  func orphan() throws {
    try fill(family(), ["User", "Admin", "Guest"])
    #expect(throws: DataStackError.movedEntity("Admin", from: "User", to: "Admin")) {
      try family(parent: nil).open()
    }
    #expect(throws: DataStackError.movedEntity("User", from: "User", to: "Thing")) {
      try stack {
        ModelEntity("Thing") { ModelAttribute("id", .integer64) }
        ModelEntity("User", parent: "Thing") { ModelAttribute("name", .string) }
      }.open()
    }
    #expect(try ids(family(), "User") == [0, 1, 2])
    #expect(try ids(family(), "Admin") == [1])
  }

  @Test(
    "A property with values can't be moved up or down the tree; one that is removed can, and so can one of two of a name"
  )
  func properties() throws {
    func tree(_ upper: [String], _ admin: [String], _ guest: [String]) throws -> DataStack {
      try stack {
        ModelEntity("User") {
          ModelAttribute("id", .integer64)
          for name in upper { ModelAttribute(name, .string) }
        }
        ModelEntity("Admin", parent: "User") { for name in admin { ModelAttribute(name, .string) } }
        ModelEntity("Guest", parent: "User") { for name in guest { ModelAttribute(name, .string) } }
      }
    }
    try fill(tree(["a"], ["b", "c"], ["c"]), ["User", "Admin", "Guest"])
    #expect(throws: DataStackError.movedProperty("b", entity: "User", from: "Admin")) {
      try tree(["a", "b"], ["c"], ["c"]).open()
    }
    #expect(throws: DataStackError.movedProperty("a", entity: "Guest", from: "User")) {
      try tree([], ["b", "c"], ["a", "c"]).open()
    }
    #expect(throws: DataStackError.movedProperty("b", entity: "Guest", from: "Admin")) {
      try tree(["a"], ["c"], ["b", "c"]).open()
    }
    #expect(try ids(tree(["a"], ["b"], ["c"]), "User") == [0, 1, 2])
    #expect(try ids(tree([], ["b"], ["c"]), "User") == [0, 1, 2])
  }

  @Test("Objects of a sub-entity that is removed don't become those of its ancestor")
  func removed() throws {
    try fill(family(), ["User", "Admin", "Guest"])
    #expect(throws: DataStackError.removedEntity("Admin", ancestor: "User")) { try alone().open() }
    let context = try family().newBackgroundContext()
    for entity in ["Admin", "Guest"] { for object in try context.all(entity) { context.delete(object) } }
    try context.save()
    #expect(try ids(alone(), "User") == [0])
  }

  @Test("An entity with objects of its own can't become abstract")
  func abstract() throws {
    try fill(family(), ["User", "Admin"])
    #expect(throws: DataStackError.abstractEntity("User")) {
      try stack {
        ModelEntity("User", isAbstract: true) {
          ModelAttribute("id", .integer64)
          ModelAttribute("name", .string)
        }
        ModelEntity("Guest", parent: "User") { ModelAttribute("until", .string) }
        ModelEntity("Admin", parent: "User") { ModelAttribute("level", .integer16) }
      }.open()
    }
  }

  @Test("An entity that gets sub-entities keeps its objects")
  func subEntities() throws {
    try fill(alone(), ["User", "User"])
    #expect(try ids(family(), "User") == [0, 1])
    #expect(try ids(family(), "Admin").isEmpty)
  }

  @Test("Objects of a sub-entity that is renamed are its own, with and without properties", arguments: [true, false])
  func renamed(level: Bool) throws {
    try fill(family(level: level), ["User", "Admin", "Guest", "Admin"])
    #expect(try ids(family("Chief", from: "Admin", level: level), "Chief") == [1, 3])
    #expect(try ids(family("Chief", from: "Admin", level: level), "User") == [0, 1, 2, 3])
    #expect(try ids(family("Boss", from: "Chief", level: level), "Boss") == [1, 3])
    // Without an identifier it is another entity, and nobody's objects stay where they are.
    #expect(try ids(family("Other", level: level), "User") == [0, 2])
    #expect(try ids(family("Boss", level: level), "User") == [0, 1, 2, 3])
  }
}
