import Foundation
import Testing

@testable import SwiftSync

@MainActor
@Suite("13.4 Passing what is pending, all or nothing")
struct PassingChangesTests {
  private let container: SyncContainer
  private var context: ModelContext { container.mainContext }

  init() throws {
    container = try errandContainer()
  }

  private var bookmark: DefaultHistoryToken? {
    get throws {
      try container.modelContainer.historyConsumers().first { $0.name == OfflineModel.bookmark(of: "Errand") }?.token
    }
  }

  @Test("13.4 With nothing pending the closure is not called and the bookmark stays")
  func nothing() async throws {
    var calls = 0
    let failures = try await SwiftSync.withPendingChanges(for: Errand.self, in: context) { _ in
      calls += 1
      return []
    }
    #expect(failures.isEmpty && calls == 0)
    #expect(try bookmark == nil)
  }

  @Test("13.4 Success settles the batch, and moves the bookmark to where it was read")
  func success() async throws {
    try context.addErrand("a")
    let token = try container.modelContainer.lastHistoryToken()
    try await SwiftSync.withPendingChanges(for: Errand.self, in: context) { changes in
      #expect(changes.text == "+a")
      return []
    }
    #expect(try context.pendingText() == "")
    #expect(try bookmark == token)
  }

  @Test("13.4 One failure leaves the whole batch pending, and is returned as it is, whatever it names")
  func failure() async throws {
    try context.addErrand("a")
    try context.addErrand("b")
    for id in ["b", "unknown"] {
      let failures = try await SwiftSync.withPendingChanges(for: Errand.self, in: context) { _ in
        [SyncPendingChangesFailure(id: id, error: ServerRefusal())]
      }
      #expect(failures.map(\.id) == [id] && failures.first?.error as? ServerRefusal == ServerRefusal())
      #expect(try context.pendingText() == "+a,b")
      #expect(try bookmark == nil)
    }
  }

  @Test("13.4 An error of the closure ends it, and leaves everything pending")
  func thrown() async throws {
    try context.addErrand("a")
    await #expect(throws: ServerRefusal.self) {
      try await SwiftSync.withPendingChanges(for: Errand.self, in: context) { _ in throw ServerRefusal() }
    }
    #expect(try context.pendingText() == "+a")
    #expect(try bookmark == nil)
  }

  @Test("13.4 What is saved while the closure runs stays pending")
  func meanwhile() async throws {
    try context.addErrand("a")
    try context.addErrand("b")
    try context.addErrand("c")
    try await SwiftSync.withPendingChanges(for: Errand.self, in: context) { changes in
      #expect(changes.text == "+a,b,c")
      try context.editErrand("a") { $0.title = "later" }
      try context.deleteErrand("b")
      try context.addErrand("d")
      return []
    }
    #expect(try context.pendingText() == "+d ~a -b")
    #expect(try SwiftSync.pendingChangeSet(for: Errand.self, in: context)["a"]?.changedProperties == ["title"])
  }

  @Test("A row that was sent and not answered for is deleted there when it is deleted here")
  func deletedAfterALostAnswer() async throws {
    try context.addErrand("a")
    await #expect(throws: ServerRefusal.self) {
      try await SwiftSync.withPendingChanges(for: Errand.self, in: context) { _ in throw ServerRefusal() }
    }
    try context.deleteErrand("a")
    #expect(try context.pendingText() == "-a")
    try context.addErrand("a")
    #expect(try context.pendingText() == "+a")
  }

  @Test("A cancelled closure leaves everything pending; one that has succeeded is settled all the same")
  func cancelled() async throws {
    try context.addErrand("a")
    let task = Task {
      try await SwiftSync.withPendingChanges(for: Errand.self, in: context) { _ in
        withUnsafeCurrentTask { $0?.cancel() }
        try Task.checkCancellation()
        return []
      }
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try context.pendingText() == "+a")
    let other = Task {
      try await SwiftSync.withPendingChanges(for: Errand.self, in: context) { _ in
        withUnsafeCurrentTask { $0?.cancel() }
        return []
      }
    }
    #expect(try await other.value.isEmpty)
    #expect(try context.pendingText() == "")
  }

  @Test("Two pushes at once send twice, with the same keys, and settle once")
  func atOnce() async throws {
    try context.addErrand("a")
    var keys: [String] = []
    try await container.push(Errand.self) { outer in
      keys += outer.changes.map(\.idempotencyKey)
      try await container.push(Errand.self) { inner in
        keys += inner.changes.map(\.idempotencyKey)
        return ["a": .applied]
      }
      try context.editErrand("a") { $0.title = "later" }
      return ["a": .applied]
    }
    #expect(keys.count == 2 && Set(keys).count == 1)
    #expect(try context.pendingText() == "~a")
  }

  // MARK: Draining

  @Test("13.5 A drain passes again what comes while it sends")
  func drain() async throws {
    try context.addErrand("a")
    var passes: [String] = []
    var afterPasses = 0
    let failures = try await SwiftSync.drainPendingChanges(for: Errand.self, in: context) { changes in
      passes.append(changes.text)
      if passes.count == 1 { try context.addErrand("b") }
      return []
    } afterPass: { failures in
      #expect(failures.isEmpty)
      afterPasses += 1
    }
    #expect(failures.isEmpty && passes == ["+a", "+b"] && afterPasses == 2)
  }

  @Test("13.5 A drain stops after a pass with failures, and after an error")
  func drainStops() async throws {
    try context.addErrand("a")
    var afterPasses: [[String]] = []
    let failures = try await SwiftSync.drainPendingChanges(for: Errand.self, in: context) { _ in
      [SyncPendingChangesFailure(id: "a", error: ServerRefusal())]
    } afterPass: { failures in
      afterPasses.append(failures.map(\.id))
    }
    #expect(failures.map(\.id) == ["a"] && afterPasses == [["a"]])
    await #expect(throws: ServerRefusal.self) {
      try await SwiftSync.drainPendingChanges(for: Errand.self, in: context) { _ in
        throw ServerRefusal()
      } afterPass: { _ in
        afterPasses.append([])
      }
    }
    #expect(afterPasses.count == 1)
    #expect(try context.pendingText() == "+a")
  }

  @Test("13.5 With nothing pending only the end of a pass is told; its error ends the drain")
  func drainOfNothing() async throws {
    var calls = 0
    try await SwiftSync.drainPendingChanges(for: Errand.self, in: context) { _ in
      Issue.record("There is nothing to send.")
      return []
    } afterPass: { _ in
      calls += 1
    }
    #expect(calls == 1)
    await #expect(throws: ServerRefusal.self) {
      try await SwiftSync.drainPendingChanges(for: Errand.self, in: context) { _ in
        []
      } afterPass: { _ in
        throw ServerRefusal()
      }
    }
  }
}
