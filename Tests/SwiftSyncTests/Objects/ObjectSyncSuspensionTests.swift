import Foundation
import SyncEngine
import Testing

@testable import SwiftSync

@MainActor
@Suite("7.5, 7.6: Syncs of objects that suspend: queues, cancellation, and what is undone")
struct ObjectSyncSuspensionTests {
  let container: SyncContainer

  init() throws {
    container = try recordShop()
    let context = container.mainContext
    context.insert(Track(code: "a", title: "old"))
    try context.save()
  }

  private func titles() throws -> [String] {
    try ModelContext(container.modelContainer).fetch(FetchDescriptor<Track>()).map(\.title)
  }

  @Test("7.5 A task that is cancelled while it is parked throws, and leaves nothing")
  func cancelledWhileParked() async throws {
    let gate = Gate()
    let task = Gate.$current.withValue(gate) {
      Task { try await container.sync(payload: [["id": "a", "title": "new"]], as: Track.self) }
    }
    await gate.somebodyIsHeld()
    task.cancel()
    await gate.open()
    await #expect(throws: SyncError.cancelled) { try await task.value }
    #expect(try titles() == ["old"])
  }

  @Test("7.6 A sync that comes while another is parked waits for it; final values are the second's")
  func secondSyncWaits() async throws {
    let gate = Gate()
    let first = Gate.$current.withValue(gate) {
      Task { try await container.sync(payload: [["id": "a", "title": "first"]], as: Track.self) }
    }
    await gate.somebodyIsHeld()
    let second = Task { try await container.sync(item: ["id": "a", "title": "second"], as: Track.self) }
    // One of a mapped model waits too: it would be between the first sync's reading and writing.
    let third = Task { try await container.sync(payload: [["id": 1, "name": "third"]], as: Tag.self) }
    while container.modelContainer.core.syncGate.waiterCount < 2 { await Task.yield() }
    #expect(try titles() == ["old"])
    await gate.open()
    _ = try await (first.value, second.value, third.value)
    #expect(try titles() == ["second"])
  }

  @Test("7.6 A caller that is cancelled while it waits for another's sync stops waiting")
  func cancelledWhileWaiting() async throws {
    let gate = Gate()
    let first = Gate.$current.withValue(gate) {
      Task { try await container.sync(payload: [["id": "a", "title": "first"]], as: Track.self) }
    }
    await gate.somebodyIsHeld()
    let second = Task { try await container.sync(item: ["id": "a", "title": "second"], as: Track.self) }
    while container.modelContainer.core.syncGate.waiterCount < 1 { await Task.yield() }
    second.cancel()
    await #expect(throws: SyncError.cancelled) { try await second.value }
    await gate.open()
    _ = try await first.value
    #expect(try titles() == ["first"])
  }

  @Test("7.5 A task that is cancelled before it starts reads and writes nothing")
  func cancelledBefore() async throws {
    let sync = Task { @MainActor in
      withUnsafeCurrentTask { $0?.cancel() }
      return try await container.sync(payload: [["id": "a", "title": "new"]], as: Track.self)
    }
    await #expect(throws: SyncError.cancelled) { try await sync.value }
    #expect(try titles() == ["old"])
  }

  @Test("B-14 In a given context the edits of the sync are undone, also those after a suspension; earlier ones stay")
  func givenContext() async throws {
    let context = container.mainContext
    let track = try #require(try context.fetch(FetchDescriptor<Track>()).first)
    track.length = 3
    let tag = Tag(id: 9, name: "unsaved")
    context.insert(tag)
    let request = ObjectSyncRequest(
      rows: [
        ["id": "a", "title": "new", "tags": [["id": 1, "name": "t"]]],
        ["id": "b", "title": "B", "album": ["id": 1]],
      ], isCollection: true)
    // The second row's album has no title.
    await #expect(throws: SyncError.self) { try await ObjectSync(request, of: Track.self, in: context).run() }
    #expect(track.title == "old" && track.length == 3 && track.tags.isEmpty)
    #expect(context.insertedModelsArray.count == 1 && context.changedModelsArray.count == 1)
    #expect(tag.modelContext == context)
    #expect(try titles() == ["old"])
    try context.save()
    #expect(try context.fetchCount(FetchDescriptor<Tag>()) == 1)
  }

  @Test("1.8 In a given context a sync finds what is unsaved there, and saves it along")
  func unsavedObjects() async throws {
    let context = container.mainContext
    context.insert(Tag(id: 9, name: "unsaved"))
    let request = ObjectSyncRequest(
      rows: [["id": "a", "tag_ids": [9]]], isCollection: false)
    let report = try await ObjectSync(request, of: Track.self, in: context).run()
    #expect(report.entities["Track"]?.description == "1 updated, 1 linked")
    #expect(!context.hasChanges)
    #expect(try ModelContext(container.modelContainer).fetch(FetchDescriptor<Track>()).first?.tags.first?.id == 9)
  }
}
