import Foundation
import Observation
import Synchronization
import Testing

@testable import Sync

@Suite("Who reads a property is told when it changes, by whomever")
struct ObjectObservationTests {
  /// Whether somebody who reads is told of what a closure does.
  private func isTold(reading read: () -> Void, during change: () throws -> Void) rethrows -> Bool {
    let told = Told()
    withObservationTracking {
      read()
    } onChange: {
      told.count.withLock { $0 += 1 }
    }
    try change()
    return told.count.withLock { $0 } > 0
  }

  private final class Told: Sendable {
    let count = Mutex(0)
  }

  @Test func changes() throws {
    let stack = try Shop.stack()
    let (context, other) = (stack.newBackgroundContext(), stack.newBackgroundContext())
    let person = try context.make("Person", ["id": 1, "name": "A", "age": 1])
    let note = try context.make("Note", ["id": 1, "author": person])
    try context.save()
    let theirs = try #require(try other.all("Person").first)
    let readName = { _ = person["name"] }
    let readNotes = { _ = person["notes"] }
    #expect(isTold(reading: readName) { person["name"] = "B" })
    #expect(!isTold(reading: readName) { person["age"] = 2 })
    #expect(isTold(reading: readName) { context.rollback() })
    #expect(isTold(reading: readNotes) { note["author"] = nil })
    #expect(isTold(reading: readNotes) { context.rollback() })
    #expect(isTold(reading: readNotes) { context.delete(note) })
    #expect(isTold(reading: readNotes) { context.rollback() })
    #expect(
      try isTold(reading: readName) {
        theirs["name"] = "C"
        try other.save()
        context.processPendingChanges()
      })
    #expect(
      try isTold(reading: readNotes) {
        theirs["notes"] = nil
        try other.save()
        context.processPendingChanges()
      })
    #expect(
      try !isTold(reading: readName) {
        theirs["age"] = 50
        try other.save()
        context.processPendingChanges()
      })
    #expect(try person.value("age") == 50)
  }

  @Test("The main context takes in what others commit by itself")
  @MainActor func mainContext() async throws {
    let stack = try Shop.stack()
    let person = try stack.mainContext.make("Person", ["id": 1, "name": "A"])
    try stack.mainContext.save()
    let id = person.objectID
    try await stack.performInNewBackgroundContext { context in
      try context.existingObject(with: id)["name"] = "B"
      try context.save()
    }
    #expect(try person.value("name") == "B")
  }
}
