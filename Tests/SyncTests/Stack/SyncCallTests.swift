import Foundation
import Testing

@testable import Sync

@Suite("CD-1.1 Every form of a sync does the same, and reports it")
@MainActor
struct SyncCallTests {
  private typealias Payload = [[String: Any]]

  private let people: Payload = [["id": 1, "name": "A"], ["id": 2, "name": "B"]]

  private func stack() throws -> DataStack {
    let stack = try Shop.stack()
    for id in [2, 3] { try stack.mainContext.make("Person", ["id": id, "name": "old"]) }
    try stack.mainContext.save()
    return stack
  }

  /// The names of all people by their ids.
  private func names(_ stack: DataStack) throws -> [Int: String] {
    var names: [Int: String] = [:]
    for person in try stack.mainContext.all("Person") {
      names[try #require(try person.value("id"))] = try person.value("name")
    }
    return names
  }

  @Test("CD-1.1 The forms with async")
  func asyncForms() async throws {
    let predicate = Key("id") > 2
    let json = try JSONSerialization.data(withJSONObject: people)
    let all = [1: "A", 2: "B"]
    let forms: [(expected: [Int: String], sync: @MainActor (DataStack, Payload) async throws -> SyncReport)] = [
      (all, { try await $0.sync($1, inEntityNamed: "Person") }),
      (all, { try await Sync.changes($1, inEntityNamed: "Person", dataStack: $0) }),
      (all, { stack, _ in try await stack.sync(json: json, inEntityNamed: "Person") }),
      (all, { try Sync.changes($1, inEntityNamed: "Person", inContext: $0.mainContext) }),
      (all, { try await $0.sync($1, inEntityNamed: "Person", predicate: predicate) }),
      (all, { try await Sync.changes($1, inEntityNamed: "Person", predicate: predicate, dataStack: $0) }),
      (
        [1: "A", 2: "B", 3: "old"], { try await $0.sync($1, inEntityNamed: "Person", operations: [.insert, .update]) }
      ),
      ([2: "old", 3: "old"], { try await Sync.changes($1, inEntityNamed: "Person", dataStack: $0, operations: []) }),
      (
        [1: "A", 2: "old"],
        { try await $0.sync($1, inEntityNamed: "Person", predicate: predicate, operations: [.insert, .delete]) }
      ),
    ]
    for (number, form) in forms.enumerated() {
      let stack = try stack()
      let kept = try #require(try stack.mainContext.fetch(2, inEntityNamed: "Person"))
      let report = try await form.sync(stack, people)
      // The main context has taken it in when the call returns, in the objects that it has.
      #expect(try kept.value("name") == form.expected[2], "\(number)")
      #expect(try names(stack) == form.expected, "\(number)")
      #expect(report.changedNothing == (form.expected[1] == nil), "\(number)")
    }
  }

  @Test("CD-4.5 Children of one object are synced, also of one that is not saved yet where its context is synced")
  func parents() async throws {
    let stack = try stack()
    let people = try stack.mainContext.all("Person")
    for (id, person) in zip([10, 11], people) { try stack.mainContext.make("Note", ["id": id, "author": person]) }
    try stack.mainContext.save()
    let notes: Payload = [["id": 12, "text": "x"]]
    try await stack.sync(notes, inEntityNamed: "Note", parent: people[0])
    #expect(try people[0].ids("notes") == [12])
    #expect(try stack.mainContext.ids("Note") == [11, 12])
    let foreign = try #require(try stack.newBackgroundContext().fetch(3, inEntityNamed: "Person"))
    try await Sync.changes(
      [["id": 13]], inEntityNamed: "Note", parent: foreign, parentRelationship: "author", dataStack: stack)
    #expect(try people[1].ids("notes") == [13])
    let new = try stack.mainContext.make("Person", ["id": 9])
    await #expect(throws: (any Error).self) { try await stack.sync(notes, inEntityNamed: "Note", parent: new) }
    try stack.mainContext.sync([["id": 14]], inEntityNamed: "Note", parent: new)
    #expect(try new.ids("notes") == [14] && !new.hasChanges)
    await #expect(throws: EntitySyncError.noParentRelationship(entity: "Note", parent: "Note")) {
      try await stack.sync(notes, inEntityNamed: "Note", parent: try #require(try stack.mainContext.all("Note").first))
    }
  }

  @Test("A class for an entity that the model does not have is told when the store is opened")
  func unknownClasses() throws {
    let stack = DataStack(model: try Shop.model(), storeType: .inMemory, classes: ["Nobody": ManagedObject.self])
    #expect(throws: ManagedObjectError.unknownEntity("Nobody")) { try stack.open() }
  }

  @Test("CD-1.1 The forms with completions, deprecated, deliver on the main queue")
  func completions() async throws {
    let stack = try stack()
    let person = try #require(try stack.mainContext.all("Person").first)
    let people = people
    func failure(_ begin: (@escaping DataStack.Completion) -> Void) async -> (any Error)? {
      await withCheckedContinuation { continuation in
        begin { error in
          MainActor.assertIsolated()
          continuation.resume(returning: error)
        }
      }
    }
    let calls: any CompletionCalls = stack
    let forms: any CompletionChanges.Type = Sync.self
    let (all, none) = (Sync.OperationOptions.all, nil as ObjectPredicate?)
    #expect(
      await failure {
        calls.sync(people, inEntityNamed: "Person", predicate: none, operations: all, completion: $0)
      } == nil)
    #expect(try names(stack) == [1: "A", 2: "B"])
    #expect(
      await failure {
        forms.changes([], inEntityNamed: "Note", predicate: none, dataStack: stack, operations: all, completion: $0)
      } == nil)
    #expect(
      await failure {
        calls.sync(
          [], inEntityNamed: "Note", predicate: none, parent: person, parentRelationship: nil, operations: all,
          completion: $0)
      } == nil)
    #expect(
      await failure {
        forms.changes(
          [], inEntityNamed: "Note", predicate: none, parent: person, parentRelationship: "author", dataStack: stack,
          operations: all, completion: $0)
      } == nil)
    #expect(
      await failure {
        calls.sync(people, inEntityNamed: "Nobody", predicate: none, operations: all, completion: $0)
      } is EntitySyncError)
    #expect(
      await failure {
        calls.sync([["id": Int.self]], inEntityNamed: "Person", predicate: none, operations: all, completion: $0)
      } != nil)
    #expect(await failure { calls.drop(completion: $0) } == nil)
    let result = await withCheckedContinuation { continuation in
      calls.sync(
        people, inEntityNamed: "Person", predicate: none, operations: all,
        reporting: { continuation.resume(returning: $0) })
    }
    #expect(try result.get().entities["Person"]?.inserted == 2)
    calls.sync([], inEntityNamed: "Person", predicate: none, operations: all, completion: nil)
  }

  @Test("CD-4.8 A sync that is cancelled, or fails, changes nothing; unsaved edits of contexts stay as they are")
  func atomicity() async throws {
    let stack = try stack()
    let person = try #require(try stack.mainContext.all("Person").first)
    person["age"] = 77
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await stack.sync([["id": 1]], inEntityNamed: "Person")
    }
    await #expect(throws: SyncError.cancelled) { try await task.value }
    await #expect(throws: (any Error).self) { try await stack.sync([["x": 1]], inEntityNamed: "Person") }
    #expect(try names(stack) == [2: "old", 3: "old"])
    try await stack.sync(people, inEntityNamed: "Person")
    #expect(try person.value("age") == 77 && person.value("name") == "B" && person.isUpdated)
    try stack.mainContext.save()
    #expect(try stack.newBackgroundContext().all("Person").map { try $0.value("age") } == [18, 77])
  }

  @Test("CD-8.3 Overlapping syncs of one entity make no duplicates")
  func overlapping() async throws {
    let stack = try stack()
    let json = try JSONSerialization.data(withJSONObject: (1...200).map { ["id": $0] })
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<4 { group.addTask { try await stack.sync(json: json, inEntityNamed: "Person") } }
      try await group.waitForAll()
    }
    #expect(try stack.mainContext.ids("Person") == (1...200).map { $0 })
  }
}

// What is deprecated warns where it is called by itself, and not where it is called as what a protocol asks for.

private protocol CompletionCalls {
  func sync(
    _ changes: [[String: Any]], inEntityNamed entityName: String, predicate: ObjectPredicate?,
    operations: Sync.OperationOptions, completion: DataStack.Completion?)
  func sync(
    _ changes: [[String: Any]], inEntityNamed entityName: String, predicate: ObjectPredicate?, parent: ManagedObject,
    parentRelationship: String?, operations: Sync.OperationOptions, completion: DataStack.Completion?)
  func sync(
    _ changes: [[String: Any]], inEntityNamed entityName: String, predicate: ObjectPredicate?,
    operations: Sync.OperationOptions, reporting outcome: @escaping DataStack.Outcome)
  func drop(completion: DataStack.Completion?)
}

private protocol CompletionChanges {
  static func changes(
    _ changes: [[String: Any]], inEntityNamed entityName: String, predicate: ObjectPredicate?, dataStack: DataStack,
    operations: Sync.OperationOptions, completion: DataStack.Completion?)
  static func changes(
    _ changes: [[String: Any]], inEntityNamed entityName: String, predicate: ObjectPredicate?, parent: ManagedObject,
    parentRelationship: String?, dataStack: DataStack, operations: Sync.OperationOptions,
    completion: DataStack.Completion?)
}

extension DataStack: CompletionCalls {}
extension Sync: CompletionChanges {}
