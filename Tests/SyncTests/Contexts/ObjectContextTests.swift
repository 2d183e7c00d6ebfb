import Foundation
import Testing

@testable import Sync

@Suite("A context is a unit of work: one object for a row, edits until the save, others' commits merged")
struct ObjectContextTests {
  @Test("A row has one object in a context")
  func identity() throws {
    let stack = try Shop.stack()
    let (context, other) = (stack.newBackgroundContext(), stack.newBackgroundContext())
    let made = try context.make("Person", ["id": 1])
    #expect(made.objectID.isTemporaryID && made.isInserted && made.hasChanges)
    #expect(try context.object(with: made.objectID) === made)
    #expect(try context.all("Person") == [made])
    try context.save()
    #expect(!made.objectID.isTemporaryID && !made.isInserted && !made.hasChanges)
    #expect(try context.all("Person") == [made])
    #expect(try context.object(with: made.objectID) === made)
    #expect(context.registeredObject(for: made.objectID) === made)
    let foreign = try #require(try other.all("Person").first)
    #expect(foreign !== made && foreign.objectID == made.objectID)
    #expect(try context.existingObject(like: foreign) === made)
    context.delete(foreign)
    #expect(made.isDeleted && !foreign.isDeleted)
    try context.save()
    #expect(throws: ManagedObjectError.missingObject(made.objectID)) { try other.existingObject(with: made.objectID) }
    #expect(foreign.isDeleted)
  }

  @Test("New objects have the defaults of their entity")
  func defaults() throws {
    let context = try Shop.stack().newBackgroundContext()
    let person = try context.make("Person")
    #expect(try person.value("age") == 18)
    person["age"] = nil
    try context.save()
    #expect(person["age"] == nil)
  }

  @Test("Edits are seen in their own context only, until they are saved")
  func isolation() throws {
    let stack = try Shop.stack()
    let (context, other) = (stack.newBackgroundContext(), stack.newBackgroundContext())
    let made = try context.make("Person", ["id": 1, "name": "A"])
    #expect(try other.count(for: FetchRequest(entityName: "Person")) == 0)
    try context.save()
    let seen = try #require(try other.all("Person").first)
    made["name"] = "B"
    #expect(made.isUpdated && context.updatedObjects == [made])
    #expect(made.changedValues()["name"] as? String == "B")
    #expect(try seen.value("name") == "A")
    try context.save()
    other.processPendingChanges()
    #expect(try seen.value("name") == "B")
    #expect(!made.hasChanges && !context.hasChanges)
  }

  @Test("What others commit is taken in property by property: an edited one keeps its edit, and the last save wins")
  func merging() throws {
    let stack = try Shop.stack()
    let (context, other) = (stack.newBackgroundContext(), stack.newBackgroundContext())
    let mine = try context.make("Person", ["id": 1, "name": "A", "age": 1])
    try context.save()
    let theirs = try #require(try other.all("Person").first)
    mine["name"] = "mine"
    theirs["name"] = "theirs"
    theirs["age"] = 2
    try other.save()
    context.processPendingChanges()
    #expect(try mine.value("name") == "mine")
    #expect(try mine.value("age") == 2)
    try context.save()
    other.processPendingChanges()
    #expect(try theirs.value("name") == "mine")
    #expect(try theirs.value("age") == 2)
  }

  @Test("Members that two contexts add and remove don't undo each other")
  func mergingMembers() throws {
    let stack = try Shop.stack()
    let (context, other) = (stack.newBackgroundContext(), stack.newBackgroundContext())
    let notes = try (1...4).map { try context.make("Note", ["id": $0]) }
    let tag = try context.make("Tag", ["label": "t", "notes": [notes[0], notes[1]]])
    try context.save()
    let theirs = try #require(try other.all("Tag", by: "label").first)
    let theirNotes = try other.all("Note")
    try tag.setValue([notes[1], notes[2]], for: "notes")
    try theirs.add(theirNotes[3], to: "notes")
    try theirs.remove(theirNotes[1], from: "notes")
    try other.save()
    context.processPendingChanges()
    #expect(try Set(tag.ids("notes")) == [3, 4])
    try context.save()
    other.processPendingChanges()
    #expect(try Set(theirs.ids("notes")) == [3, 4])
  }

  @Test("A rollback forgets new objects, edits and deletions")
  func rollback() throws {
    let context = try Shop.stack().newBackgroundContext()
    let person = try context.make("Person", ["id": 1, "name": "A"])
    let note = try context.make("Note", ["id": 1, "author": person])
    try context.save()
    let new = try context.make("Note", ["id": 2, "author": person])
    person["name"] = "B"
    context.delete(note)
    #expect(context.hasChanges)
    context.rollback()
    #expect(!context.hasChanges && !new.isInserted && new.isDeleted)
    #expect(try person.value("name") == "A")
    #expect(try person.objects("notes") == [note])
    try context.save()
    #expect(try context.ids("Note") == [1])
  }

  @Test("A refresh takes the stored values, and keeps or undoes the edits of one object")
  func refresh() throws {
    let context = try Shop.stack().newBackgroundContext()
    let people = try (1...2).map { try context.make("Person", ["id": $0]) }
    let note = try context.make("Note", ["id": 1, "text": "a", "author": people[0]])
    try context.save()
    try note.setValue(people[1], for: "author")
    note["text"] = "b"
    note["mood"] = "calm"
    try context.refresh(note, mergeChanges: true)
    #expect(try note.value("text") == "b")
    try context.refresh(note, mergeChanges: false)
    #expect(try note.value("text") == "a")
    #expect(try note.value("mood") == "calm")
    #expect(try people[0].objects("notes") == [note])
    #expect(try people[1].objects("notes").isEmpty)
  }

  @Test("Transient values are the object's own, and need no save")
  func transientValues() throws {
    let stack = try Shop.stack()
    let context = stack.newBackgroundContext()
    let note = try context.make("Note", ["id": 1])
    try context.save()
    note["mood"] = "calm"
    #expect(!note.hasChanges && !context.hasChanges)
    #expect(try note.value("mood") == "calm")
    #expect(try stack.newBackgroundContext().all("Note").first?["mood"] == nil)
  }

  @Test("CD-4.2 A new object with the key of a stored one becomes that one")
  func uniquing() throws {
    let context = try Shop.stack().newBackgroundContext()
    let boss = try context.make("Person", ["id": 9])
    let old = try context.make("Person", ["id": 1, "name": "old", "age": 5, "boss": boss])
    let passport = try context.make("Passport", ["id": 4, "holder": old])
    try context.make("Note", ["id": 3, "text": "kept", "author": old])
    try context.save()
    let new = try context.make("Person", ["id": 1, "name": "new"])
    try context.save()
    #expect(try context.all("Person") == [new, boss])
    #expect(old.isDeleted)
    #expect(try new.value("name") == "new")
    // What it says nothing of is as it was. A default is something that it says.
    #expect(try new.value("age") == 18)
    #expect(try new.object("boss") === boss && new.object("passport") === passport)
    #expect(try new.objects("notes").map { $0["text"] as? String } == ["kept"])
    context.delete(boss)
    let note = try context.make("Note", ["id": 3, "mood": "calm"])
    try context.save()
    #expect(note["text"] as? String == "kept")
    // Objects without a key are not all the same.
    for _ in 0..<2 { try context.make("Person") }
    try context.save()
    #expect(try context.count(for: FetchRequest(entityName: "Person")) == 3)
  }

  @Test("What can't be saved leaves the store and the edits as they were")
  func failure() throws {
    let stack = try Shop.stack()
    let context = stack.newBackgroundContext()
    let people = try (1...2).map { try context.make("Person", ["id": $0]) }
    try context.save()
    people[1]["id"] = 1
    people[0]["name"] = "edited"
    #expect(throws: (any Error).self) { try context.save() }
    #expect(context.updatedObjects.count == 2)
    #expect(try stack.newBackgroundContext().ids("Person") == [1, 2])
    people[1]["id"] = 3
    try context.save()
    #expect(try stack.newBackgroundContext().ids("Person") == [1, 3])
  }

  @Test("Edits of an object that another context has deleted are dropped")
  func deletedElsewhere() throws {
    let stack = try Shop.stack()
    let (context, other) = (stack.newBackgroundContext(), stack.newBackgroundContext())
    let people = try (1...2).map { try context.make("Person", ["id": $0]) }
    try context.save()
    for person in people { person["name"] = "edited" }
    other.delete(try #require(try other.all("Person").first))
    try other.save()
    try context.save()
    #expect(people[0].isDeleted)
    #expect(try context.all("Person").map { try $0.value("name") } == ["edited"])
  }

  @Test("An object of a context that is gone has its values and no relationships")
  func orphan() throws {
    var context: ManagedObjectContext? = try Shop.stack().newBackgroundContext()
    let person = try #require(try context?.make("Person", ["id": 1]))
    let note = try #require(try context?.make("Note", ["id": 1, "author": person]))
    try context?.save()
    context = nil
    #expect(note.managedObjectContext == nil)
    #expect(try note.value("id") == 1)
    #expect(note["author"] == nil)
  }
}
