import Testing

@testable import Sync

private final class Writer: ManagedObject {
  @Managed("name") var name: String?
  @Managed("age", default: -1) var age: Int
  @Managed("age") var smallAge: Int8?
  @Managed("notes") var notes: [Page]
  @Managed("boss") var boss: Writer?
  @Managed("nose") var nose: String?
}

private final class Page: ManagedObject {
  @Managed("author") var author: Writer?
  @Managed("text") var text: Int?
}

@Suite("An application may have classes of its own for entities")
struct ManagedClassTests {
  private func stack() throws -> DataStack {
    DataStack(
      model: try Shop.model(), storeType: .inMemory, classes: ["Person": Writer.self, "Note": Page.self])
  }

  @Test("Their properties are those of the model, in the types that they say")
  func properties() throws {
    let stack = try stack()
    let context = stack.newBackgroundContext()
    let writer: Writer = try context.insertObject(inEntityNamed: "Person")
    let page = try context.insertObject(Page.self, inEntityNamed: "Note")
    #expect(writer.name == nil && writer.age == 18 && writer.boss == nil && writer.notes.isEmpty)
    writer.name = "Anna"
    writer.age = 40
    writer.boss = writer
    page.author = writer
    #expect(writer.notes == [page] && writer.smallAge == 40)
    try context.save()
    let other = stack.newBackgroundContext()
    let seen: [Writer] = try other.fetch(FetchRequest(entityName: "Person", predicate: Key("name") == "Anna"))
    #expect(seen.first?.boss === seen.first && seen.first?.age == 40)
    writer.boss = nil
    writer.notes = []
    #expect(page.author == nil)
    writer.smallAge = nil
    #expect(writer.age == -1)
    // Values that don't fit, and names that don't exist, are errors of the next save.
    page["text"] = "x"
    #expect(page.text == nil)
    #expect(throws: ManagedObjectError.self) { try context.save() }
    #expect(writer.nose == nil)
    #expect(throws: ManagedObjectError.unknownProperty(entity: "Person", property: "nose")) { try context.save() }
    try context.save()
  }

  @Test("Objects of another class than the one that was asked for are refused")
  func wrongClass() throws {
    let context = try stack().newBackgroundContext()
    let expected = ManagedObjectError.wrongClass(entity: "Note", expected: "Writer", found: "Page")
    #expect(throws: expected) { try context.insertObject(Writer.self, inEntityNamed: "Note") }
    #expect(!context.hasChanges)
    try context.make("Note", ["id": 1])
    #expect(throws: expected) { try context.fetch(FetchRequest(entityName: "Note"), as: Writer.self) }
    #expect(throws: expected) { try context.fetch(1, inEntityNamed: "Note", as: Writer.self) }
  }
}
