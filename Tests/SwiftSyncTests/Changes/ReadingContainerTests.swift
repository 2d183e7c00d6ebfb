import Foundation
import SwiftSync
import TestSupport
import Testing

/// Classes of programs that read what another one, with `Memo` and `Folder`, has written.
private enum Contained {
  @Model final class Folder {
    var name: String
    init(name: String) { self.name = name }
  }

  @Model final class Memo {
    var id: String
    var rank: Int16?
    init(id: String) { self.id = id }
  }
}

private enum Different {
  @Model final class Memo {
    var id: Int
    var price: Decimal
    var colour: String?
    var text: [Shelf]
    var related: Memo?
    init(id: Int, price: Decimal) {
      self.id = id
      self.price = price
      text = []
    }
  }

  @Model final class Shelf {
    init() {}
  }
}

@Suite("Containers that only read", .timeLimit(.minutes(20)))
struct ReadingContainerTests {
  private let folder: TemporaryFolder
  private var url: URL { URL(fileURLWithPath: folder["store"]) }

  init() throws {
    folder = try TemporaryFolder()
  }

  private func reading(_ types: any PersistentModel.Type...) throws -> ModelContainer {
    try ModelContainer(for: Schema(types), configurations: [ModelConfiguration(url: url, allowsSave: false)])
  }

  private func writing(history: HistoryPolicy = .standard) throws -> ModelContainer {
    try ModelContainer(for: Memo.self, Folder.self, configurations: ModelConfiguration(url: url, history: history))
  }

  @Test("everything can be read, and nothing written")
  func readsOnly() async throws {
    let writer = try writing()
    try writer.commit(3)
    writer.close()
    let container = try reading(Memo.self, Folder.self)
    let context = ModelContext(container)
    let folders = try context.fetch(FetchDescriptor<Folder>())
    #expect(folders.count == 3)
    #expect(try context.fetchHistory().count == 3)
    try context.save()

    let refusal = StoreError.readOnly(path: url.path)
    folders[0].name = "edited"
    #expect(throws: refusal) { try context.save() }
    #expect(context.hasChanges)
    context.rollback()
    #expect(folders[0].name == "f")
    context.delete(folders[0])
    #expect(throws: refusal) { try context.save() }
    context.rollback()
    #expect(throws: refusal) { try context.transaction { context.insert(Folder(name: "g")) } }
    #expect(throws: refusal) { try context.deleteHistory() }
    #expect(throws: refusal) { try container.advanceHistoryConsumer("me", to: container.lastHistoryToken()) }
    context.insert(Folder(name: "g"))
    context.autosaveEnabled = true
    context.processPendingChanges()
    #expect(throws: refusal) { try context.fetch(FetchDescriptor<Folder>()) }
    await #expect(throws: StoreError.readOnly(path: url.path)) { try await container.flush() }
    #expect(try ModelContext(container).fetchCount(FetchDescriptor<Folder>()) == 3)
  }

  @Test("a sync is refused", arguments: [true, false])
  @MainActor func sync(inContext: Bool) async throws {
    let configuration = ModelConfiguration(url: url)
    try ModelContainer(for: LooseNote.self, configurations: configuration).close()
    let container = try SyncContainer(
      for: LooseNote.self, recoverOnFailure: true, configurations: ModelConfiguration(url: url, allowsSave: false))
    await #expect(throws: StoreError.readOnly(path: url.path)) {
      if inContext {
        try await container.mainContext.sync(payload: [["id": 1, "text": "a"]], as: LooseNote.self)
      } else {
        try await container.sync(payload: [["id": 1, "text": "a"]], as: LooseNote.self)
      }
    }
  }

  @Test("the classes may have less than the store")
  func containedSchema() throws {
    let writer = try writing()
    try writer.commit(1)
    let context = ModelContext(writer)
    context.insert(Memo(id: "m"))
    try context.save()
    writer.close()
    let container = try reading(Contained.Memo.self)
    let memo = try #require(try ModelContext(container).fetch(FetchDescriptor<Contained.Memo>()).first)
    #expect(memo.id == "m" && memo.rank == -3)
    container.close()
    let other = try reading(Contained.Folder.self)
    #expect(try ModelContext(other).fetch(FetchDescriptor<Contained.Folder>()).map(\.name) == ["f"])
  }

  @Test("what the store has not is said, all of it, and nothing is changed")
  func differentSchema() throws {
    try writing().close()
    let found = #expect(throws: RecordError.self) { try reading(Different.Memo.self) }
    guard case .schemaNotStored(url.path, let differences) = found else {
      Issue.record("\(String(describing: found))")
      return
    }
    #expect(
      differences == [
        .attributeTypeChanged(entity: "Memo", attribute: "id", stored: .string, given: .int64),
        .propertyOptional(entity: "Memo", property: "price"),
        .propertyNotStored(entity: "Memo", property: "colour"),
        .attributeBecameRelationship(entity: "Memo", property: "text"),
        .cardinalityChanged(entity: "Memo", relationship: "related", isToManyInStore: true),
        .entityNotStored(entity: "Shelf"),
      ])
    #expect("\(try #require(found))".contains("Memo.colour is not in the store."))
    #expect(try reading(Memo.self).schema.modelTypes.count == 1)
  }

  @Test("a store that is not there is not made, and no damaged one moved aside")
  func missingStore() throws {
    #expect(throws: StoreError.noSuchStore(path: url.path)) { try reading(Memo.self) }
    let configuration = ModelConfiguration(isStoredInMemoryOnly: true, allowsSave: false)
    #expect(throws: StoreError.noSuchStore(path: "/dev/null")) {
      try ModelContainer(for: Memo.self, configurations: configuration)
    }
    try writing().close()
    try Data(repeating: 0xA5, count: 64).write(to: url.appendingPathComponent("checkpoint"))
    #expect(throws: StoreError.self) {
      try SyncContainer(
        for: LooseNote.self, recoverOnFailure: true, configurations: ModelConfiguration(url: url, allowsSave: false))
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["store"])
  }

  @Test("it follows a container that saves in the same process, also one without a history", arguments: [true, false])
  @MainActor func sameProcess(hasHistory: Bool) async throws {
    let writer = try writing(history: hasHistory ? .standard : .off)
    try writer.commit(1)
    let reader = try reading(Memo.self, Folder.self)
    let shown = try #require(try reader.mainContext.fetch(FetchDescriptor<Folder>()).first)
    var changes = reader.changes.makeAsyncIterator()
    let context = ModelContext(writer)
    let folder = try #require(try context.fetch(FetchDescriptor<Folder>()).first)
    folder.name = "renamed"
    try context.save()
    #expect(
      try await changes.next(1)
        == (hasHistory ? [.commit(2, updated: [["name"]])] : [.resynchronize(.historyNotKept, nil)]))
    reader.mainContext.processPendingChanges()
    #expect(shown.name == "renamed")
    // What a fetch shows, objects show.
    for turn in 0..<50 {
      folder.name = "\(turn)"
      try context.save()
      let name = "\(turn)"
      #expect(
        try reader.mainContext.fetch(FetchDescriptor<Folder>(predicate: #Predicate { $0.name == name })).count == 1)
      #expect(shown.name == name)
    }
    // The two share what is open, so the process goes on as the store's writer until both are closed.
    writer.close()
    try writing().commit(1)
  }

  @Test("a process that has opened a store for reading does not become its writer")
  func readerFirst() throws {
    try writing().close()
    let reader = try reading(Memo.self)
    #expect(throws: StoreError.openForReadingOnly(path: url.path)) { try writing() }
    reader.close()
    try writing().close()
  }

  @Test("a store whose schema goes on under it ends the stream, and says so")
  func schemaChange() async throws {
    try ModelContainer(for: Contained.Memo.self, configurations: ModelConfiguration(url: url)).close()
    let url = url
    let container = try reading(Contained.Memo.self)
    var changes = container.changes.makeAsyncIterator()
    await #expect(processExitsWith: .success) { [url = url as URL] in
      let writer = try ModelContainer(for: Memo.self, Folder.self, configurations: ModelConfiguration(url: url))
      try writer.commit(1)
    }
    await #expect(throws: RecordError.schemaChanged(path: url.path)) { _ = try await changes.next() }
    #expect(try await changes.next() == nil)
  }
}
