import Foundation
import Testing

@testable import SwiftSync

@MainActor
@Suite("12.7 observeContinuously")
struct ContinuousObservationTests {
  /// Returns when what stands in the main actor's queue is through.
  private func turn() async {
    await Task { @MainActor in }.value
    await Task { @MainActor in }.value
  }

  @Test("12.7 It runs at once, and once more after each turn that changed something it read")
  func runs() async throws {
    let container = try trackerWithTickets()
    let publisher = SyncQueryPublisher(Project.self, in: container, sortBy: [SortDescriptor(\.id)])
    var seen: [[String]] = []
    SwiftSync.observeContinuously { seen.append(publisher.rows.map(\.name)) }
    #expect(seen.count == 1)
    publisher.rows[0].name = "a"
    publisher.rows[1].name = "b"
    try container.mainContext.save()
    #expect(seen.count == 1)
    await turn()
    #expect(seen == [["Project 1", "Project 2", "Project 3"], ["a", "b", "Project 3"]])
    container.mainContext.delete(publisher.rows[2])
    try container.mainContext.save()
    await turn()
    #expect(seen.last == ["a", "b"] && seen.count == 3)
  }

  @Test("12.7 stop() ends it, also for what has changed already, and lets go of what it refers to")
  func stops() async throws {
    final class Screen {
      var runs = 0
    }
    let driver = SyncSubmissionDriver()
    var screen: Screen? = Screen()
    weak let released = screen
    let observation = SwiftSync.observeContinuously { [screen] in
      _ = driver.phase
      screen?.runs += 1
    }
    await driver.submit {}
    await turn()
    let runs = released?.runs ?? 0
    #expect(runs > 1)
    await driver.submit {}
    observation.stop()
    await turn()
    #expect(released?.runs == runs && observation.isStopped)
    screen = nil
    #expect(released == nil)
  }
}
