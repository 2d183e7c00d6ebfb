import Foundation
import Testing

@testable import SwiftSync

@Suite("What @Syncable gives a class: statics, and making, changing and exporting objects by hand (1.7)")
struct MappedModelTests {
  @Test("1.7 The statics tell what the class is")
  func statics() {
    #expect(Ticket.syncIdentityPropertyName == "id" && Ticket.syncIdentity == \Ticket.id)
    #expect(Ticket.syncIdentityRemoteKeys == ["id", "remote_id", "remoteID"])
    #expect(
      Ticket.syncDefaultRefreshModelTypes.map { "\($0)" } == ["Project", "Person", "Label", "Watcher"])
    #expect(Ticket.syncDefaultRefreshModelTypeNames.contains(String(reflecting: Project.self)))
    #expect(Ticket.syncRelatedModelType(for: \.labels) == Label.self)
    #expect(Ticket.syncRelatedModelType(for: \.title) == nil)
    #expect(Ticket.syncRefreshModelTypes(for: [\.assignee, \.reviewer, \.title]).map { "\($0)" } == ["Person"])
    #expect(Ticket.syncRefreshModelTypeNames(for: [\.project]) == [String(reflecting: Project.self)])
    let descriptors = Ticket.syncRelationshipSchemaDescriptors
    #expect(descriptors.map(\.propertyName) == ["project", "assignee", "reviewer", "labels", "watchers"])
    #expect(descriptors.map(\.isToMany) == [false, false, false, true, true])
    #expect(descriptors.map(\.hasExplicitInverseAnchor) == [false, false, false, true, false])
    #expect(descriptors[0].relatedTypeName == String(reflecting: Project.self))
  }

  @Test("1.7 The predicates find by identity and by parent, and by an index")
  func predicates() throws {
    let context = ModelContext(try trackerContainer())
    let projects = (1...3).map { Project(id: $0, name: "p\($0)") }
    for project in projects { context.insert(project) }
    for id in 1...6 {
      context.insert(Ticket(id: id, title: "t", project: projects[id % 3], assignee: Person(id: "u\(id)", name: "")))
    }
    try context.save()

    func found<Model: PersistentModel>(_ predicate: Predicate<Model>?) throws -> Set<PersistentIdentifier> {
      let predicate = try #require(predicate)
      let plan = try FetchDescriptor(predicate: predicate).explain(in: context)
      #expect(!plan.contains("evaluate"), "\(plan)")
      return Set(try context.fetch(FetchDescriptor(predicate: predicate)).map(\.persistentModelID))
    }
    func tickets(_ ids: Int...) throws -> Set<PersistentIdentifier> {
      Set(try context.fetch(FetchDescriptor<Ticket>()).filter { ids.contains($0.id) }.map(\.persistentModelID))
    }
    #expect(try found(Ticket.syncIdentityPredicate(matching: 4)) == tickets(4))
    #expect(try found(Ticket.syncIdentityPredicate(matchingAny: [1, 5, 99])) == tickets(1, 5))
    #expect(try found(Person.syncIdentityPredicate(matchingAny: ["u1", "u2"])).count == 2)
    let parent = projects[0].persistentModelID
    #expect(try found(Ticket.syncParentPredicate(parentPersistentID: parent, relationship: \.project)) == tickets(3, 6))
    #expect(Ticket.syncParentPredicate(parentPersistentID: parent, relationship: \.labels) == nil)
    #expect(Ticket.syncParentPredicate(parentPersistentID: parent, relationship: \.title) == nil)
    let plan = try FetchDescriptor(predicate: Ticket.syncIdentityPredicate(matching: 4)).explain(in: context)
    #expect(plan.contains("index"), "\(plan)")
  }

  @Test("2.2-29, 4.3 make: what the payload lacks is nil, and what is required is not")
  func make() throws {
    let ticket = try Ticket.make(
      from: SyncPayload(values: ["id": "7", "title": 5, "state": ["id": "closed"], "estimate": NSNull()]))
    #expect(ticket.id == 7 && ticket.title == "5" && ticket.state == .closed && ticket.estimate == nil)
    #expect(ticket.descriptionText == nil && ticket.dueAt == nil && ticket.project == nil && ticket.labels.isEmpty)
    #expect(ticket.modelContext == nil && ticket.hasChanges)
    let incomplete: [[String: Any]] = [
      ["id": 7, "title": "a"], ["title": "a", "state.id": "open"], ["id": 7, "title": ["x"], "state.id": "open"],
      ["id": 7, "title": "a", "state.id": "ajar"], ["id": 7, "title": "a", "state.id": NSNull()],
    ]
    for values in incomplete {
      #expect(throws: SyncError.self) { try Ticket.make(from: SyncPayload(values: values)) }
    }
  }

  @Test("2.2-29, 4.1 apply: missing keys change nothing, null clears, equal values are no change")
  func apply() throws {
    let ticket = Ticket(id: 7, title: "a")
    ticket.estimate = 2
    func apply(_ values: [String: Any]) throws -> Bool { try ticket.apply(SyncPayload(values: values)) }
    #expect(try !apply([:]))
    #expect(try !apply(["id": 8, "title": "a", "estimate": "2", "project_id": 3]))
    #expect(ticket.id == 7)
    #expect(try apply(["title": NSNull(), "estimate": NSNull(), "description": "d"]))
    #expect(ticket.title == "" && ticket.estimate == nil && ticket.descriptionText == "d")
    #expect(throws: SyncError.self) { try apply(["description": "lost", "title": ["x"]]) }
    #expect(ticket.descriptionText == "d")
    #expect(try apply(["due_at": "junk", "description": 5]))
    #expect(ticket.dueAt == nil && ticket.descriptionText == "5")
  }

  @Test("2.2-29 Observers hear of what apply changes, and of nothing else")
  func observation() throws {
    let ticket = Ticket(id: 7, title: "a")
    let (title, estimate) = (Flag(), Flag())
    withObservationTracking {
      _ = ticket.title
    } onChange: {
      title.raise()
    }
    withObservationTracking {
      _ = ticket.estimate
    } onChange: {
      estimate.raise()
    }
    _ = try ticket.apply(SyncPayload(values: ["title": "b"]))
    #expect(title.isRaised && !estimate.isRaised)
  }

  @Test("2.2-29 An object that was made and changed by hand is saved like any other")
  func saved() throws {
    let container = try trackerContainer()
    let context = ModelContext(container)
    let ticket = try Ticket.make(from: SyncPayload(values: ["id": 7, "title": "a", "state.id": "open"]))
    context.insert(ticket)
    let payload = SyncPayload(values: [
      "project": ["id": 1, "name": "P", "ticket_ids": [7]], "assignee": ["id": "u", "name": "U"],
    ])
    #expect(try ticket.syncApplyGeneratedRelationships(payload, in: context))
    #expect(try !ticket.syncApplyGeneratedRelationships(payload, in: context))
    try context.save()
    ticket.syncMarkChanged()
    #expect(context.changedModelsArray.count == 1)
    try context.save()
    let stored = try #require(try ModelContext(container).fetch(FetchDescriptor<Ticket>()).first)
    #expect(stored.project?.name == "P" && stored.assignee?.name == "U" && stored.project?.tickets == [stored])
  }

  @Test("2.2-29, 11 export works on objects of no context, with the styles of the call")
  func export() throws {
    let ticket = Ticket(id: 7, title: "a", project: Project(id: 1, name: "P"))
    ticket.dueAt = Date(timeIntervalSince1970: 0)
    let formatter = DateFormatter.syncDefault()
    let object = ticket.export(keyStyle: .camelCase, dateFormatter: formatter)
    #expect(object["dueAt"] as? String == "1970-01-01T00:00:00.000Z")
    #expect((object["state"] as? [String: Any])?["id"] as? String == "open")
    #expect((object["project"] as? [String: Any])?["name"] as? String == "P")
    #expect(ticket.export(keyStyle: .snakeCase, dateFormatter: formatter)["due_at"] is String)
  }
}

/// Raised from a closure that must be sendable.
final class Flag: @unchecked Sendable {
  // Written and read by one test, on one thread.
  private(set) var isRaised = false

  func raise() { isRaised = true }
}
