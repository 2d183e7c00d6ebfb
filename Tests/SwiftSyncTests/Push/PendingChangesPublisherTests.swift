import Foundation
import Observation
import Testing

@testable import SwiftSync

@MainActor
@Suite("12.6 PendingChangesPublisher")
struct PendingChangesPublisherTests {
  private let container: SyncContainer
  private var context: ModelContext { container.mainContext }

  init() throws {
    container = try errandContainer()
  }

  @Test("12.6 What is pending is there at once")
  func atOnce() async throws {
    let publisher = PendingChangesPublisher(Errand.self, in: container)
    #expect(publisher.pendingChanges.isEmpty)
    try context.addErrand("a")
    #expect(publisher.pendingChanges.inserts == ["a"])
    try await SwiftSync.withPendingChanges(for: Errand.self, in: context) { _ in [] }
    #expect(publisher.pendingChanges.isEmpty)
    let other = ModelContext(container.modelContainer)
    try other.editErrand("a") { $0.stars = 3 }
    #expect(publisher.pendingChanges.updates == ["a"])
    try await container.push(Errand.self) { _ in ["a": .rejected(reason: "no")] }
    #expect(publisher.pendingChanges.isEmpty)
    try await container.retry(try #require(container.pushInbox().first))
    #expect(publisher.pendingChanges.updates == ["a"])
  }

  @Test("12.6 Observers are told of what can make a difference, and of nothing else")
  func announced() async throws {
    let publisher = PendingChangesPublisher(Errand.self, in: container)
    let announcements = Announcements { _ = publisher.pendingChanges }
    try await container.sync(item: ["id": "s", "title": "t", "stars": 0], as: Errand.self)
    context.insert(ErrandRound(id: 1))
    try context.save()
    await settle()
    #expect(announcements.count == 0)
    try context.addErrand("a")
    await settle()
    #expect(announcements.count == 1)
    try await container.push(Errand.self) { _ in ["a": .applied] }
    await settle()
    #expect(announcements.count == 2 && publisher.pendingChanges.isEmpty)
  }

  @Test func modelThatIsNotEnabledShowsWhy() throws {
    let publisher = PendingChangesPublisher(Helper.self, in: container)
    #expect(publisher.pendingChanges.isEmpty)
    #expect(publisher.failure is SyncError)
  }

  @Test("A store without a history is no store with nothing pending: the failure says so, whichever is asked for first")
  func historyNotKept() throws {
    let container = try errandContainer(history: .off)
    try container.mainContext.addErrand("a")
    let publisher = PendingChangesPublisher(Errand.self, in: container)
    #expect(publisher.failure as? HistoryError == .notKept)
    #expect(publisher.pendingChanges.isEmpty)
  }

  @Test("Observers of the failure are told of it")
  func announcedFailure() async throws {
    let publisher = PendingChangesPublisher(Errand.self, in: container)
    let announcements = Announcements { _ = publisher.failure }
    try context.addErrand("a")
    container.modelContainer.close()
    await settle()
    #expect(announcements.count == 1 && publisher.failure is StoreError)
  }

  @Test func publisherThatIsGoneHearsNothing() async throws {
    var publisher: PendingChangesPublisher<Errand>? = PendingChangesPublisher(Errand.self, in: container)
    weak let reference = publisher
    publisher = nil
    #expect(reference == nil)
    try context.addErrand("a")
    await settle()
  }

  /// Lets the jobs that stand in the main actor's queue run.
  private func settle() async {
    for _ in 0..<3 { await Task { @MainActor in }.value }
  }
}
