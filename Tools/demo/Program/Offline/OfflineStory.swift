import DemoClient
import DemoHTTP
import DemoWire
import Foundation
import SwiftSync

/// Two people work on the same tasks, one of them without a network for a while: what that comes to, and whether everybody agrees in the
/// end. Each has a store of their own; the server is another process.
@MainActor struct OfflineStory {
  private let server: ServerProcess
  private let transport: HTTPTransport
  private let anna: DemoSyncEngine
  private let ben: DemoSyncEngine

  // Rows that the server begins with.
  private static let website = "C3E7A1B2-2001-4000-8000-000000000001"
  private static let ada = "C3E7A1B2-1001-4000-8000-000000000001"
  private static let fonts = "C3E7A1B2-3001-4000-8000-000000000001"
  private static let startPage = "C3E7A1B2-3001-4000-8000-000000000002"
  private static let pictures = "C3E7A1B2-3001-4000-8000-000000000003"
  private static let notFound = "C3E7A1B2-3001-4000-8000-000000000004"

  /// Begins with a new server and two new clients, in a folder that is emptied.
  init(in folder: URL) throws {
    try? FileManager.default.removeItem(at: folder)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    server = try ServerProcess(store: folder.appendingPathComponent("server.store"))
    let transport = HTTPTransport(base: server.address, timeoutSeconds: 60)
    self.transport = transport
    func engine(_ name: String) throws -> DemoSyncEngine {
      let container = try DemoSyncEngine.openContainer(at: folder.appendingPathComponent("\(name).store"))
      return DemoSyncEngine(container: container, transport: transport)
    }
    anna = try engine("anna")
    ben = try engine("ben")
  }

  /// Tells the story, and ends the server.
  /// - Throws: `DemoError.unexpected` where it does not go as it should.
  func tell() async throws {
    do {
      try await act()
      try server.stop()
    } catch {
      try? server.stop()
      throw error
    }
  }

  private func act() async throws {
    heading("A server at \(server.address), and two clients")
    for engine in [anna, ben] { try await engine.syncEverything() }
    try expect(try tasks(of: anna) == 12 && tasks(of: ben) == 12, "both have the server's 12 tasks")

    heading("Ben is offline, and goes on working")
    ben.isOffline = true
    try ben.createTask(title: "Ask for feedback", projectID: Self.website, authorID: Self.ada)
    try ben.updateTask(Self.fonts) { $0.title = "Choose two fonts" }
    try ben.updateTask(Self.startPage) { $0.title = String(repeating: "Write the start page, ", count: 5) }
    try ben.deleteTask(Self.notFound)
    let pending = try ben.pendingChangeCount()
    try expect(pending == 4, "4 of his changes wait, in his store")

    heading("Meanwhile Anna works with the server")
    // Two edits of a task in one millisecond would be a tie.
    try await _Concurrency.Task.sleep(for: .milliseconds(5))
    try anna.updateTask(Self.fonts) { $0.title = "Choose one font" }
    try anna.replaceReviewers(of: Self.pictures, with: [Self.ada])
    try describe(try await anna.pushPendingChanges(), of: "Anna")
    try await _Concurrency.Task.sleep(for: .milliseconds(5))
    try ben.setState(of: Self.pictures, to: "done")
    try await ben.syncEverything()
    try expect(
      try title(Self.fonts, of: ben) == "Choose two fonts", "Ben sees nothing of it yet, and his edits are safe")

    heading("Ben is online again")
    // Coming back begins to send; this joins in, and waits for the end.
    ben.isOffline = false
    let report = try await ben.pushPendingChanges()
    try describe(report, of: "Ben")
    let failures = try ben.failedChanges()
    for failure in failures { print("  rejected: \(failure.reason)") }
    try expect(failures.count == 1, "1 change was rejected, and held up none of the others")
    try expect(try title(Self.fonts, of: ben) == "Choose one font", "Anna's title was newer: Ben has taken it over")

    heading("Ben shortens the title, and it is sent")
    try ben.updateTask(Self.startPage) { $0.title = "Write a shorter start page" }
    try describe(try await ben.pushPendingChanges(), of: "Ben")
    try expect(try ben.failedChanges().isEmpty && ben.pendingChangeCount() == 0, "nothing is left to send")

    heading("Everybody fetches once more")
    for engine in [anna, ben] { try await engine.syncEverything() }
    let expected = try await serverTasks()
    for line in try lines(of: anna) { print("  \(line)") }
    try expect(try lines(of: anna) == expected, "Anna has what the server has")
    try expect(try lines(of: ben) == expected, "Ben has what the server has")
    try expect(
      expected.contains { $0.contains("done") && $0.contains("Make pictures smaller") && $0.contains("reviewed by 1") },
      "of the pictures' task Anna's reviewers and Ben's state are there: each sends what they have changed")
    try expect(expected.count == 12, "one task was added, and one deleted")
    try expect(expected.contains { $0.contains("Write a shorter start page") }, "the corrected title is everywhere")
    let again = [try await anna.pushPendingChanges(), try await ben.pushPendingChanges()]
    try expect(again.allSatisfy { $0?.isEmpty == true }, "another push has nothing to send")
  }

  // MARK: - What is there

  private func tasks(of engine: DemoSyncEngine) throws -> Int {
    try engine.context.fetchCount(FetchDescriptor<DemoClient.Task>())
  }

  private func title(_ id: String, of engine: DemoSyncEngine) throws -> String? {
    try engine.context.model(DemoClient.Task.self, id: id)?.title
  }

  private func lines(of engine: DemoSyncEngine) throws -> [String] {
    try engine.context.fetch(FetchDescriptor<DemoClient.Task>()).map { task in
      line(
        task.id, task.title, task.state, project: task.project?.id, reviewers: task.reviewers.map(\.id))
    }.sorted()
  }

  private func serverTasks() async throws -> [String] {
    let response = try await transport.send(Request(.get, Request.path("tasks")))
    guard let rows = try JSONSerialization.jsonObject(with: response.body) as? [[String: Any]] else {
      throw DemoError.unexpected("the server's tasks can be read")
    }
    return rows.map { row in
      let state = row["state"] as? [String: Any]
      return line(
        row["id"] as? String ?? "", row["title"] as? String ?? "", state?["id"] as? String ?? "",
        project: row["project_id"] as? String, reviewers: row["reviewer_ids"] as? [String] ?? [])
    }.sorted()
  }

  private func line(_ id: String, _ title: String, _ state: String, project: String?, reviewers: [String]) -> String {
    let people = reviewers.sorted().map { $0.suffix(1) }.joined(separator: ",")
    return "\(id.suffix(4))  \(state.padding(toLength: 10, withPad: " ", startingAt: 0))  \(title)"
      + " (project \(project?.suffix(1) ?? "-"), reviewed by \(people.isEmpty ? "nobody" : people))"
  }

  // MARK: - Telling

  private func heading(_ text: String) { print("\n== \(text) ==") }

  private func describe(_ report: SyncPushReport<SyncRowIdentity>?, of name: String) throws {
    guard let report else { throw DemoError.unexpected("\(name) is online") }
    print(
      "  \(name)'s push: \(report.applied.count) applied, \(report.stale.count) stale,"
        + " \(report.rejected.count) rejected, \(report.unanswered.count) unanswered")
  }

  private func expect(_ isTrue: Bool, _ sentence: String) throws {
    guard isTrue else { throw DemoError.unexpected(sentence) }
    print("  \(sentence)")
  }
}
