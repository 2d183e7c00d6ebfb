import Foundation
import Testing

@testable import SwiftSync

/// What becomes of rows by what a server says of each.
@MainActor
@Suite struct PushOutcomeTests {
  private let container: SyncContainer
  private var context: ModelContext { container.mainContext }

  init() throws {
    container = try errandContainer()
  }

  private func pull(_ id: String, title: String, stars: Int = 0) async throws {
    try await container.sync(item: ["id": id, "title": title, "stars": stars], as: Errand.self)
  }

  private static func server(_ id: String, title: String, stars: Int = 0) throws -> SyncJSON {
    try SyncJSON(dictionary: ["id": id, "title": title, "stars": stars])
  }

  private func push(_ outcomes: [String: SyncPushOutcome]) async throws -> SyncPushReport<String> {
    try await container.push(Errand.self) { _ in outcomes }
  }

  @Test func settledRowsAreNotSentAgainWhateverBecomesOfTheOthers() async throws {
    for id in ["a", "b", "c"] { try context.addErrand(id) }
    var sent: [[String]] = []
    let first = try await container.push(Errand.self) { changes in
      sent.append(changes.inserts)
      return ["a": .applied, "b": .rejected(reason: "no")]
    }
    #expect(first.applied == ["a"] && first.rejected == ["b"] && first.unanswered == ["c"] && first.stale.isEmpty)
    let second = try await container.push(Errand.self) { changes in
      sent.append(changes.inserts)
      return ["c": .applied]
    }
    #expect(sent == [["a", "b", "c"], ["c"]] && second.applied == ["c"])
    #expect(try await push([:]).isEmpty)
    #expect(try context.pendingText() == "")
  }

  @Test func staleRowGivesWayToTheServersRow() async throws {
    try await pull("a", title: "first")
    try context.editErrand("a") { $0.title = "mine" }
    let report = try await push(["a": .stale(Self.server("a", title: "theirs", stars: 4))])
    #expect(report.stale == ["a"] && report.editedMeanwhile.isEmpty)
    let errand = try #require(try context.errand("a"))
    #expect(errand.title == "theirs" && errand.stars == 4)
    #expect(try context.pendingText() == "")
  }

  @Test func staleRowThatWasEditedMeanwhileStaysAndIsPending() async throws {
    try await pull("a", title: "first")
    try context.editErrand("a") { $0.title = "mine" }
    let report = try await container.push(Errand.self) { _ in
      try context.editErrand("a") { $0.title = "mine again" }
      return ["a": .stale(try Self.server("a", title: "theirs"))]
    }
    #expect(report.stale == ["a"] && report.editedMeanwhile == ["a"])
    #expect(try context.errand("a")?.title == "mine again")
    #expect(try context.pendingText() == "~a")
  }

  @Test func staleDeletionBringsTheServersRowBack() async throws {
    try await pull("a", title: "first")
    try context.deleteErrand("a")
    _ = try await push(["a": .stale(Self.server("a", title: "theirs"))])
    #expect(try context.errand("a")?.title == "theirs")
    #expect(try context.pendingText() == "")
  }

  @Test func rowThatWasMadeAgainWhileItsDeletionWasStaleStays() async throws {
    try await pull("a", title: "first")
    try context.deleteErrand("a")
    let report = try await container.push(Errand.self) { _ in
      try context.addErrand("a", title: "again")
      return ["a": .stale(try Self.server("a", title: "theirs"))]
    }
    #expect(report.editedMeanwhile == ["a"])
    #expect(try context.errand("a")?.title == "again")
    #expect(try context.pendingText() == "~a")
  }

  @Test func rowThatIsGoneOnTheServerIsDeleted() async throws {
    try await pull("a", title: "first")
    try await pull("b", title: "first")
    try context.editErrand("a") { $0.title = "mine" }
    try context.deleteErrand("b")
    _ = try await push(["a": .stale(nil), "b": .stale(nil)])
    #expect(try context.errand("a") == nil && context.errand("b") == nil)
    #expect(try context.pendingText() == "")
  }

  @Test("A server's row that can't be stored stands in nobody's way, and waits with the reason")
  func unstorableServerRow() async throws {
    try await pull("a", title: "first")
    try await pull("b", title: "first")
    for id in ["a", "b"] { try context.editErrand(id) { $0.title = "mine" } }
    let bad = try SyncJSON(dictionary: ["id": "a", "title": NSNull()])
    let container = SyncContainer(self.container.modelContainer, unreadableValues: .reject)
    let report = try await container.push(Errand.self) { _ in
      ["a": .stale(bad), "b": .stale(try Self.server("b", title: "theirs"))]
    }
    #expect(report.rejected == ["a"] && report.stale == ["b"])
    #expect(try context.errand("b")?.title == "theirs" && context.errand("a")?.title == "mine")
    #expect(try container.pushInbox().map(\.code) == [PushAdoption.refusalCode])
  }

  @Test func answersForRowsThatWereNotSentSettleNothing() async throws {
    try context.addErrand("a")
    await #expect(throws: SyncPushError.unknownIdentities(model: "Errand", ["x", "y"])) {
      try await container.push(Errand.self) { _ in ["a": .applied, "y": .applied, "x": .rejected(reason: "no")] }
    }
    #expect(try context.pendingText() == "+a")
    #expect(try container.pushInbox().isEmpty)
  }

  @Test func errorAndCancellationLeaveEverythingPending() async throws {
    try context.addErrand("a")
    await #expect(throws: ServerRefusal.self) { try await container.push(Errand.self) { _ in throw ServerRefusal() } }
    await #expect(throws: CancellationError.self) {
      try await container.push(Errand.self) { _ in throw CancellationError() }
    }
    #expect(try context.pendingText() == "+a")
  }

  @Test func editsWhileItIsSentStayPendingAndAreReported() async throws {
    for id in ["a", "b", "c"] { try context.addErrand(id) }
    let report = try await container.push(Errand.self) { _ in
      try context.editErrand("a") { $0.title = "later" }
      try context.deleteErrand("b")
      try context.editErrand("c") { $0.title = "later" }
      return ["a": .applied, "b": .applied, "c": .rejected(reason: "no")]
    }
    #expect(report.applied == ["a", "b"] && report.rejected == ["c"])
    #expect(report.editedMeanwhile == ["a", "b", "c"])
    #expect(try context.pendingText() == "+c ~a -b")
    #expect(try container.pushInbox().isEmpty)
  }

  @Test("Keys are the same for each try, and others after an edit")
  func idempotencyKeys() async throws {
    try context.addErrand("a")
    try context.addErrand("b")
    func keys() throws -> [String] {
      try SwiftSync.pendingChangeSet(for: Errand.self, in: context).changes.map(\.idempotencyKey)
    }
    let first = try keys()
    #expect(Set(first).count == 2 && first.allSatisfy { $0.count <= 80 && $0.allSatisfy(\.isASCII) })
    _ = try await push([:])
    #expect(try keys() == first)
    try context.editErrand("a") { $0.stars = 1 }
    #expect(try keys()[0] != first[0] && keys()[1] == first[1])
  }

  @Test func drainEndsWithWhatHasNoOutcome() async throws {
    for id in ["a", "b"] { try context.addErrand(id) }
    var passes: [[String]] = []
    var reports: [[String]] = []
    let report = try await container.drain(Errand.self) { changes in
      passes.append(changes.inserts)
      switch passes.count {
      case 1:
        try context.addErrand("c")
        return ["a": .applied, "b": .rejected(ServerRefusal())]
      default: return [:]
      }
    } afterPass: {
      reports.append($0.applied)
    }
    #expect(passes == [["a", "b"], ["c"]] && reports == [["a"], []])
    #expect(report.unanswered == ["c"])
    let last = try await container.drain(Errand.self) { _ in ["c": .applied] }
    #expect(last.applied == ["c"])
    #expect(try await container.drain(Errand.self) { _ in [:] }.isEmpty)
  }

  @Test func bookmarkMovesOnlyOverSettledWork() async throws {
    let model = container.modelContainer
    var bookmark: DefaultHistoryToken? {
      get throws { try model.historyConsumers().first { $0.name == OfflineModel.bookmark(of: "Errand") }?.token }
    }
    try context.addErrand("a")
    let a = try model.lastHistoryToken()
    try context.addErrand("b")
    let b = try model.lastHistoryToken()
    try context.addErrand("c")
    let c = try model.lastHistoryToken()
    _ = try await push(["c": .applied])
    #expect(try bookmark == nil)
    _ = try await push(["a": .applied])
    #expect(try bookmark == a)
    _ = try await push(["b": .rejected(reason: "no")])
    #expect(try bookmark == c && b < c)
  }
}
