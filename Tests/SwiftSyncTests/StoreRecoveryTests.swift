import Foundation
import SwiftSync
import TestSupport
import Testing

@Suite("Recovery: a store that cannot be used is moved aside where that is wanted (contract, section 14.2 and B-29)")
struct StoreRecoveryTests {
  private let folder: TemporaryFolder
  private var url: URL { URL(fileURLWithPath: folder["app.store"]) }

  init() throws {
    folder = try TemporaryFolder()
  }

  private func open(recoverOnFailure: Bool) throws -> SyncContainer {
    try SyncContainer(
      for: LooseNote.self, recoverOnFailure: recoverOnFailure, configurations: ModelConfiguration(url: url))
  }

  private func fill() async throws {
    let container = try open(recoverOnFailure: false)
    try await container.sync(payload: [["id": 1, "text": "kept"]], as: LooseNote.self)
    container.modelContainer.close()
  }

  private func damage() throws {
    try Data(repeating: 0xA5, count: 64).write(to: url.appendingPathComponent("checkpoint"))
  }

  private var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() }
  }

  @Test("A damaged store is moved aside whole, and the new one works")
  func damagedStore() async throws {
    try await fill()
    try damage()
    try Data("other".utf8).write(to: URL(fileURLWithPath: folder["app.store.notes"]))

    let container = try open(recoverOnFailure: true)
    let recovery = try #require(container.recovery)
    #expect(recovery.movedTo.path == url.path + ".damaged-1")
    guard case StoreError.damaged = recovery.cause else {
      Issue.record("\(recovery.cause)")
      return
    }
    #expect(try names == ["app.store", "app.store.damaged-1", "app.store.notes"])
    try await container.sync(payload: [["id": 2, "text": "new"]], as: LooseNote.self)
    #expect(try ModelContext(container.modelContainer).fetchCount(FetchDescriptor<LooseNote>()) == 1)
  }

  @Test("Nothing is touched unless it is asked for")
  func withoutRecovery() async throws {
    try await fill()
    try damage()
    #expect(throws: StoreError.self) { try open(recoverOnFailure: false) }
    #expect(try names == ["app.store"])
  }

  @Test("A sound store is opened as it is")
  func soundStore() async throws {
    try await fill()
    let container = try open(recoverOnFailure: true)
    #expect(container.recovery == nil)
    #expect(try ModelContext(container.modelContainer).fetch(FetchDescriptor<LooseNote>()).map(\.text) == ["kept"])
    #expect(try names == ["app.store"])
  }

  @Test("A schema that the store cannot follow is a reason too; the old store opens where it is then")
  func otherSchema() async throws {
    do {
      let container = try SyncContainer(for: First.Entry.self, configurations: ModelConfiguration(url: url))
      let context = ModelContext(container.modelContainer)
      context.insert(First.Entry())
      try context.save()
      container.modelContainer.close()
    }
    let container = try SyncContainer(
      for: Second.Entry.self, recoverOnFailure: true, configurations: ModelConfiguration(url: url))
    let recovery = try #require(container.recovery)
    guard case RecordError.schemaMismatch = recovery.cause else {
      Issue.record("\(recovery.cause)")
      return
    }
    let old = try ModelContainer(for: First.Entry.self, configurations: ModelConfiguration(url: recovery.movedTo))
    #expect(try ModelContext(old).fetchCount(FetchDescriptor<First.Entry>()) == 1)
  }

  enum First {
    @Model final class Entry {
      var when: String
      init() { when = "now" }
    }
  }

  enum Second {
    @Model final class Entry {
      var when: Date
      init() { when = Date(timeIntervalSince1970: 0) }
    }
  }

  @Test("What is no store of ours is left alone")
  func foreignFile() throws {
    try Data("mine".utf8).write(to: url)
    #expect(throws: StoreError.notADirectory(path: url.path)) { try open(recoverOnFailure: true) }
    #expect(try Data(contentsOf: url) == Data("mine".utf8))
  }

  @Test("A store with something else in its folder is neither used nor moved, and the error says both")
  func mixedFolder() async throws {
    try await fill()
    try damage()
    try Data("mine".utf8).write(to: url.appendingPathComponent("photo.jpg"))
    #expect {
      try open(recoverOnFailure: true)
    } throws: { error in
      guard case SyncError.containerInitialization(let reason) = error else { return false }
      return reason.contains("damaged") && reason.contains("photo.jpg")
    }
    #expect(try names == ["app.store"])
  }
}
