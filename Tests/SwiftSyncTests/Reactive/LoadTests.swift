import Foundation
import Testing

@testable import SwiftSync

private struct Described: LocalizedError {
  var errorDescription: String?
}

private struct Plain: Error {}

@MainActor
private final class Switch {
  var isOn: Bool

  init(isOn: Bool) {
    self.isOn = isOn
  }
}

/// Lets a test stand in the middle of a load.
@MainActor
private final class Door {
  private var waiting: [CheckedContinuation<Void, Never>] = []
  private var isOpen = false

  func pass() async {
    if isOpen { return }
    await withCheckedContinuation { waiting.append($0) }
  }

  func open() {
    isOpen = true
    for continuation in waiting { continuation.resume() }
    waiting = []
  }
}

@MainActor
@Suite("12.4 and 12.5 Publishers that load, and submissions")
struct LoadTests {
  @Test("12.4 load() runs once, again after a failure, and not while it runs; reload() runs it again after success")
  func phases() async throws {
    let container = try trackerWithTickets()
    let door = Door()
    var runs = 0
    let fails = Switch(isOn: true)
    let publisher = SyncedQueryPublisher(Project.self, in: container, sortBy: [SortDescriptor(\.id)]) {
      runs += 1
      await door.pass()
      if fails.isOn { throw Plain() }
      try await container.sync(item: ["id": 4, "name": "loaded \(runs)"], as: Project.self)
    }
    #expect(publisher.phase == .idle && publisher.rows.count == 3)
    let first = Task { await publisher.load() }
    while runs == 0 { await Task.yield() }
    #expect(publisher.phase == .loading)
    await publisher.load()
    await publisher.reload()
    #expect(runs == 1)
    door.open()
    await first.value
    #expect(publisher.phase == .failed(message: "Something went wrong. Please try again."))
    fails.isOn = false
    await publisher.load()
    #expect(publisher.phase == .loaded && runs == 2 && publisher.rows.last?.name == "loaded 2")
    await publisher.load()
    #expect(runs == 2)
    await publisher.reload()
    #expect(publisher.phase == .loaded && runs == 3 && publisher.rows.last?.name == "loaded 3")
  }

  @Test("12.4 Rows are live in every phase, and both are observed through the publisher")
  func liveRows() async throws {
    let container = try trackerWithTickets()
    let publisher = SyncedQueryPublisher(
      Ticket.self, relationship: \.project, relationshipID: 1, in: container, sortBy: [SortDescriptor(\.id)]
    ) { throw Plain() }
    let phases = Announcements { _ = publisher.phase }
    let rows = Announcements { _ = publisher.rows }
    await publisher.load()
    #expect(phases.count == 2 && rows.count == 0 && publisher.rows.map(\.id) == [11, 12, 13, 14])
    let ticket = try #require(try container.mainContext.model(Ticket.self, id: 11))
    ticket.project = nil
    try container.mainContext.save()
    #expect(phases.count == 2 && rows.count > 0 && publisher.rows.map(\.id) == [12, 13, 14])
    let model = SyncedModelPublisher(Project.self, id: 5, in: container) {
      try await container.sync(item: ["id": 5, "name": "five"], as: Project.self)
    }
    #expect(model.row == nil && model.phase == .idle)
    await model.load()
    #expect(model.row?.name == "five" && model.phase == .loaded && model.condition == .current)
  }

  @Test(
    "12.4 12.5 One rule for messages: an error's own text if it has one that is not blank",
    arguments: [
      (Described(errorDescription: "  No network.\n"), "No network."),
      (Described(errorDescription: " \n"), "fallback"),
      (Described(errorDescription: nil), "fallback"),
      (Plain(), "fallback"),
      (CancellationError(), "fallback"),
      (SyncError.invalidPayload(model: "Task", reason: "why"), "Invalid payload for Task: why"),
    ] as [(any Error & Sendable, String)])
  func messages(error: any Error & Sendable, message: String) async throws {
    let container = try trackerWithTickets()
    let loading = SyncedModelPublisher(Project.self, id: 1, in: container, fallbackMessage: "fallback") { throw error }
    await loading.load()
    #expect(loading.phase.failureMessage == message)
    let driver = SyncSubmissionDriver(fallbackMessage: "fallback")
    await driver.submit { throw error }
    #expect(driver.phase.failureMessage == message)
  }

  @Test("12.5 A submission is ignored while one runs; a failure can be dismissed, and submitted again")
  func submissions() async throws {
    let driver = SyncSubmissionDriver()
    #expect(driver.phase == .idle && driver.phase.failureMessage == nil)
    let door = Door()
    var runs = 0
    let first = Task {
      await driver.submit {
        runs += 1; await door.pass()
      }
    }
    while runs == 0 { await Task.yield() }
    #expect(driver.phase == .submitting)
    await driver.submit { runs += 1 }
    driver.dismissFailure()
    #expect(runs == 1 && driver.phase == .submitting)
    door.open()
    await first.value
    #expect(driver.phase == .idle)
    await driver.submit { throw Plain() }
    #expect(driver.phase == .failed(message: "Something went wrong. Please try again."))
    await driver.submit { runs += 1 }
    #expect(driver.phase == .idle && runs == 2)
    await driver.submit { throw Plain() }
    driver.dismissFailure()
    #expect(driver.phase == .idle)
  }
}
