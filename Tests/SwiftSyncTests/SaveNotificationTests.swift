import Foundation
import SwiftSync
import Synchronization
import Testing

@Suite("Notifications of saves name exactly what was written (contract, 2.2-22 and 2.2-23)")
struct SaveNotificationTests {
  @Test("didSave lists inserted, updated and deleted rows with lasting identifiers, under both sets of keys")
  func identifiers() throws {
    let context = ModelContext(try trackerContainer())
    let saves = Saves(of: context)
    let project = Project(id: 1, name: "p", tickets: [Ticket(id: 1, title: "t")])
    let temporary = project.persistentModelID
    context.insert(project)
    try context.save()
    let ticket = project.tickets[0]
    let first = try #require(saves.all.last)
    #expect(Set(first.inserted) == [project.persistentModelID, ticket.persistentModelID])
    #expect(first.updated.isEmpty && first.deleted.isEmpty && !first.inserted.contains(temporary))

    ticket.title = "u"
    try context.save()
    #expect(saves.all.last == Save(updated: [ticket.persistentModelID]))

    let identifiers = [project.persistentModelID, ticket.persistentModelID]
    context.delete(project)
    try context.save()
    let last = try #require(saves.all.last)
    #expect(Set(last.deleted) == Set(identifiers) && last.inserted.isEmpty && last.updated.isEmpty)
    try context.save()
    #expect(saves.all.count == 3)
  }

  @Test("A change of membership lists the owner; a new object that becomes a stored row is an update of it")
  func ownersAndUpserts() throws {
    let context = ModelContext(try trackerContainer())
    let project = Project(id: 1, name: "p")
    let ticket = Ticket(id: 1, title: "t")
    context.insert(project)
    context.insert(ticket)
    try context.save()
    let saves = Saves(of: context)
    ticket.project = project
    try context.save()
    #expect(Set(try #require(saves.all.last).updated) == [project.persistentModelID, ticket.persistentModelID])
    ticket.watchers = [Watcher(address: "a")]
    try context.save()
    #expect(saves.all.last?.updated == [ticket.persistentModelID])
    let identifier = project.persistentModelID
    context.insert(Project(id: 1, name: "again"))
    try context.save()
    #expect(saves.all.last?.updated.contains(identifier) == true && saves.all.last?.inserted == [])
  }

  @Test("An equal value that was written is an update (2.2-35)")
  func equalValue() throws {
    let context = ModelContext(try trackerContainer())
    let project = Project(id: 1, name: "p")
    context.insert(project)
    try context.save()
    let saves = Saves(of: context)
    project.name = "p"
    try context.save()
    #expect(saves.all == [Save(updated: [project.persistentModelID])])
  }

  @Test("willSave comes first, and what its observers edit is saved too; a failing save posts no didSave")
  func willSave() throws {
    let context = ModelContext(try trackerContainer())
    let project = Project(id: 1, name: "p")
    context.insert(project)
    let center = NotificationCenter.default
    // The observer runs where the save runs.
    nonisolated(unsafe) let edited = project
    let token = center.addObserver(forName: ModelContext.willSave, object: context, queue: nil) { _ in
      edited.name = "stamped"
    }
    try context.save()
    center.removeObserver(token)
    #expect(try ModelContext(context.container).fetch(FetchDescriptor<Project>()).map(\.name) == ["stamped"])

    context.insert(Project(id: 2, name: "q"))
    try context.save()
    let saves = Saves(of: context)
    project.id = 2
    #expect(throws: RecordError.self) { try context.save() }
    #expect(saves.all.isEmpty)
  }
}

private struct Save: Equatable {
  var inserted: [PersistentIdentifier] = []
  var updated: [PersistentIdentifier] = []
  var deleted: [PersistentIdentifier] = []
}

/// What a context's notifications said.
private final class Saves {
  private let log = Log()
  private let token: any NSObjectProtocol

  var all: [Save] { log.state.withLock { $0 } }

  init(of context: ModelContext) {
    token = NotificationCenter.default.addObserver(forName: ModelContext.didSave, object: context, queue: nil) {
      [log] notification in
      let lists = [
        ("inserted", ModelContext.NotificationKey.insertedIdentifiers),
        ("updated", .updatedIdentifiers), ("deleted", .deletedIdentifiers),
      ].map { word, key in
        let list = notification.userInfo?[word] as? [PersistentIdentifier]
        #expect(list != nil && notification.userInfo?[key.rawValue] as? [PersistentIdentifier] == list)
        return list ?? []
      }
      log.state.withLock { $0.append(Save(inserted: lists[0], updated: lists[1], deleted: lists[2])) }
    }
  }

  deinit {
    NotificationCenter.default.removeObserver(token)
  }

  private final class Log: Sendable {
    let state = Mutex<[Save]>([])
  }
}
