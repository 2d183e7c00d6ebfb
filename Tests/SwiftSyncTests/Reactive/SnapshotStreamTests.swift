import Foundation
import Testing

@testable import SwiftSync

@Suite("12.2 Values one after the other, for programs without a screen")
struct SnapshotStreamTests {
  @MainActor
  @Test("The first value is the present one, each commit brings the next, and it ends with the publisher")
  func ofPublisher() async throws {
    let container = try trackerWithTickets()
    var publisher: SyncQueryPublisher<Project>? = SyncQueryPublisher(
      Project.self, in: container, sortBy: [SortDescriptor(\.id)])
    var iterator = try #require(publisher).snapshots.makeAsyncIterator()
    #expect(await iterator.next()?.rows.map(\.id) == [1, 2, 3])
    let writer = OtherWriter(container.modelContainer)
    for id in 4...20 {
      try await writer.write { $0.insert(Project(id: id, name: "n")) }
      #expect(await iterator.next()?.rows.last?.id == id)
    }
    publisher = nil
    #expect(await iterator.next() == nil)
  }

  @MainActor
  @Test("A slow consumer gets the newest value and misses those between, and never the last one")
  func slowConsumer() async throws {
    let container = try trackerWithTickets()
    let publisher = SyncModelPublisher(Project.self, id: 1, in: container)
    var iterator = publisher.snapshots.makeAsyncIterator()
    let first = try #require(await iterator.next())
    for number in 1...500 {
      publisher.row?.name = "\(number)"
      try container.mainContext.save()
    }
    let last = try #require(await iterator.next())
    #expect(last.row?.name == "500" && last.version == first.version + 500)
    let waiting = Task {
      var iterator = publisher.snapshots.makeAsyncIterator()
      _ = await iterator.next()
      return await iterator.next()?.version
    }
    waiting.cancel()
    #expect(await waiting.value == nil)
  }

  @MainActor
  @Test("A cancelled task ends its loop, and the query goes with it")
  func cancelled() async throws {
    let container = try trackerWithTickets()
    let context = container.mainContext
    var seen = 0
    let loop = Task {
      for await _ in try context.snapshots(of: SyncQueryShape(Project.self)) { seen += 1 }
    }
    while seen == 0 { await Task.yield() }
    loop.cancel()
    try await loop.value
    #expect(seen == 1)
    weak var query: LiveRows<Project>?
    do {
      let sequence = try context.snapshots(of: FetchDescriptor<Project>(sortBy: [SortDescriptor(\.name)]))
      query = sequence.query
      #expect(query != nil)
    }
    #expect(query == nil)
  }

  @MainActor
  @Test("A store that is closed ends the sequences, after their last value, which says so")
  func closedStore() async throws {
    let container = try trackerWithTickets()
    let publisher = SyncModelPublisher(Project.self, id: 1, in: container)
    var ofPublisher = publisher.snapshots.makeAsyncIterator()
    let other = ModelContext(container.modelContainer)
    var ofContext = try other.snapshots(of: SyncQueryShape(Project.self)).makeAsyncIterator()
    #expect(await ofPublisher.next()?.rows.count == 1)
    #expect(await ofContext.next()?.rows.count == 3)
    publisher.row?.name = "last"
    try container.mainContext.save()
    other.processPendingChanges()
    container.modelContainer.close()
    #expect(await ofPublisher.next()?.row?.name == "last")
    let end = await ofPublisher.next()
    #expect(end?.row?.name == "last" && end?.failure is StoreError)
    let endOfContext = await ofContext.next()
    #expect(endOfContext?.rows.contains { $0.name == "last" } == true && endOfContext?.failure is StoreError)
    #expect(await ofPublisher.next() == nil)
    #expect(await ofContext.next() == nil)
    #expect(publisher.row?.name == "last" && publisher.failure is StoreError)
  }

  @Test("In a model actor, and on any other actor with a context of its own, values come without polling")
  func otherActors() async throws {
    let container = try trackerContainer()
    let writer = OtherWriter(container)
    let modelActor = Watching(modelContainer: container)
    let plain = PlainWatcher(container)
    async let first = modelActor.names(count: 5)
    async let second = plain.names(count: 5)
    for number in 1...5 {
      try await writer.write { $0.insert(Project(id: number, name: "\(number)")) }
    }
    #expect(try await first == ["1", "2", "3", "4", "5"])
    #expect(try await second == ["1", "2", "3", "4", "5"])
  }
}

@ModelActor private actor Watching {
  func names(count: Int) async throws -> [String] {
    for await snapshot in try modelContext.snapshots(of: SyncQueryShape(Project.self, sortBy: [SortDescriptor(\.id)]))
    where snapshot.rows.count == count {
      return snapshot.rows.map(\.name)
    }
    return []
  }
}

private actor PlainWatcher {
  private let context: ModelContext

  init(_ container: ModelContainer) {
    context = ModelContext(container)
  }

  func names(count: Int) async throws -> [String] {
    for await snapshot in try context.snapshots(of: SyncQueryShape(Project.self, sortBy: [SortDescriptor(\.id)]))
    where snapshot.rows.count == count {
      return snapshot.rows.map(\.name)
    }
    return []
  }
}
