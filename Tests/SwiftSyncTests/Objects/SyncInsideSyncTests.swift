import Foundation
import SyncEngine
import Testing

@testable import SwiftSync

/// Its rows run what a test wants while their relationships are applied.
@Model final class Probe {
  @Attribute(.unique) var id: Int
  var value: Int
  var next: Probe?

  init(id: Int, value: Int) {
    self.id = id
    self.value = value
  }
}

extension Probe: SyncUpdatableModel {
  /// What a test wants, by the identity of the row.
  @TaskLocal static var action: (@Sendable (Int) async throws -> Void)?

  static var syncIdentity: KeyPath<Probe, Int> { \.id }

  static func make(from payload: SyncPayload) throws -> Probe {
    Probe(id: try payload.required(for: "id"), value: try payload.required(for: "value"))
  }

  func apply(_ payload: SyncPayload) throws -> Bool {
    guard let value: Int = payload.value(for: "value"), value != self.value else { return false }
    self.value = value
    return true
  }

  func applyRelationships(
    _ payload: SyncPayload, in context: ModelContext, operations: SyncRelationshipOperations,
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> Bool {
    try await Self.action?(id)
    return try SwiftSync.syncApplyToOneForeignKey(
      self, relationship: \.next, payload: payload, keys: ["next_id"], in: context, operations: operations)
  }
}

@MainActor
@Suite("7.5, 7.6: What a model's own code does in the middle of a sync")
struct SyncInsideSyncTests {
  let container: SyncContainer

  init() throws {
    container = try Self.probes()
    container.mainContext.insert(Probe(id: 1, value: 0))
    container.mainContext.insert(Probe(id: 7, value: 0))
    try container.mainContext.save()
  }

  private static func probes() throws -> SyncContainer {
    try SyncContainer(for: Probe.self, Tag.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
  }

  private func values(_ container: SyncContainer) throws -> [String] {
    try ModelContext(container.modelContainer).fetch(FetchDescriptor<Probe>(sortBy: [SortDescriptor(\.id)]))
      .map { "\($0.id):\($0.value)" + ($0.next.map { " to \($0.id)" } ?? "") }
  }

  private let payload: [[String: Int]] = [
    ["id": 1, "value": 1, "next_id": 3], ["id": 2, "value": 2], ["id": 3, "value": 3, "next_id": 1],
  ]

  @Test(
    "7.6: a sync of the same store is refused: it would wait for itself",
    arguments: ["the task", "a child task", "a group", "a task of its own"])
  func sameStore(_ place: String) async throws {
    let inner = container
    @Sendable func sync() async throws { try await inner.sync(item: ["id": 1, "name": "t"], as: Tag.self) }
    let action: @Sendable (Int) async throws -> Void = { _ in
      switch place {
      case "the task": try await sync()
      case "a child task":
        async let child: Void = sync()
        try await child
      case "a group":
        try await withThrowingTaskGroup(of: Void.self) { group in
          group.addTask { try await sync() }
          try await group.waitForAll()
        }
      default: try await _Concurrency.Task { try await sync() }.value
      }
    }
    await #expect(throws: SyncError.syncInsideSync(model: "Tag")) {
      try await Probe.$action.withValue(action) { try await container.sync(payload: payload, as: Probe.self) }
    }
    #expect(try values(container) == ["1:0", "7:0"])
    #expect(try container.mainContext.fetchCount(FetchDescriptor<Tag>()) == 0)
    // What was refused within a sync works behind it.
    try await container.sync(payload: payload, as: Probe.self)
    try await sync()
    #expect(try values(container) == ["1:1 to 3", "2:2", "3:3 to 1"])
  }

  @Test("7.6: the same by a context of the store, and by way of another store's sync")
  func detours() async throws {
    let (inner, other) = (container, try Self.probes())
    let byContext: @Sendable (Int) async throws -> Void = { _ in
      try await ModelContext(inner.modelContainer).sync(item: ["id": 1, "name": "t"], as: Tag.self)
    }
    // In the other store's sync, which this store's asks for, one of this store again.
    let byOther: @Sendable (Int) async throws -> Void = { _ in
      try await inner.sync(item: ["id": 1, "name": "t"], as: Tag.self)
    }
    await #expect(throws: SyncError.syncInsideSync(model: "Tag")) {
      try await Probe.$action.withValue(byContext) { try await container.sync(payload: payload, as: Probe.self) }
    }
    let bothStores: @Sendable (Int) async throws -> Void = { _ in
      try await Probe.$action.withValue(byOther) {
        _ = try await other.sync(item: ["id": 100, "value": 0], as: Probe.self)
      }
    }
    await #expect(throws: SyncError.syncInsideSync(model: "Tag")) {
      try await Probe.$action.withValue(bothStores) { try await container.sync(payload: payload, as: Probe.self) }
    }
    #expect(try values(container) == ["1:0", "7:0"] && values(other).isEmpty)
  }

  @Test("7.6: a sync of another store, and one that a detached task or a later turn asks for, are none of it")
  func allowed() async throws {
    let (inner, other) = (container, try Self.probes())
    let (later, continuation) = AsyncStream<_Concurrency.Task<Void, any Error>>.makeStream()
    let (done, doneContinuation) = AsyncStream<Void>.makeStream()
    let action: @Sendable (Int) async throws -> Void = { id in
      guard id == 2 else { return }
      try await other.sync(item: ["id": 1, "name": "other"], as: Tag.self)
      continuation.yield(.detached { try await inner.sync(item: ["id": 1, "name": "detached"], as: Tag.self) })
      // This one inherits where it comes from, but asks when that is over.
      continuation.yield(
        _Concurrency.Task {
          for await _ in done {}
          try await inner.sync(item: ["id": 2, "name": "later"], as: Tag.self)
        })
      continuation.finish()
    }
    try await Probe.$action.withValue(action) { _ = try await container.sync(payload: payload, as: Probe.self) }
    doneContinuation.finish()
    for await task in later { try await task.value }
    #expect(try container.mainContext.fetchCount(FetchDescriptor<Tag>()) == 2)
    #expect(try values(container).count == 3)
  }

  @Test(
    "7.5: a task that is cancelled at any of the points at which the models' code suspends throws, and leaves nothing",
    arguments: [1, 2, 3], [true, false])
  func cancelledWithin(_ row: Int, _ suspends: Bool) async throws {
    let action: @Sendable (Int) async throws -> Void = { id in
      guard id == row else { return }
      withUnsafeCurrentTask { $0?.cancel() }
      if suspends { await _Concurrency.Task.yield() } else { try _Concurrency.Task.checkCancellation() }
    }
    let (container, payload) = (container, payload)
    let sync = _Concurrency.Task {
      try await Probe.$action.withValue(action) { _ = try await container.sync(payload: payload, as: Probe.self) }
    }
    await #expect(throws: SyncError.cancelled) { try await sync.value }
    #expect(try values(container) == ["1:0", "7:0"])
    #expect(!container.mainContext.hasChanges)
    try await container.sync(payload: payload, as: Probe.self)
    #expect(try values(container) == ["1:1 to 3", "2:2", "3:3 to 1"])
  }

  @Test("B-14: cancelled in a given context, only the sync's own edits are undone", arguments: [1, 2, 3])
  func cancelledInAContext(_ row: Int) async throws {
    let context = container.mainContext
    let tag = Tag(id: 9, name: "unsaved")
    context.insert(tag)
    let action: @Sendable (Int) async throws -> Void = { id in
      if id == row { withUnsafeCurrentTask { $0?.cancel() } }
    }
    let payload = payload
    let sync = _Concurrency.Task { @MainActor in
      try await Probe.$action.withValue(action) { _ = try await context.sync(payload: payload, as: Probe.self) }
    }
    await #expect(throws: SyncError.cancelled) { try await sync.value }
    #expect(context.insertedModelsArray.count == 1 && context.changedModelsArray.isEmpty && tag.name == "unsaved")
    #expect(try values(container) == ["1:0", "7:0"])
  }
}
