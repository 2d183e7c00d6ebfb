import DemoClient
import DemoServer
import DemoWire
import Foundation
import SwiftSync
import Testing

@MainActor @Suite("17.2: The demo's engine between its store and the server")
struct EngineTests {
  private let server: TestServer
  private let way: DirectTransport
  private let engine: DemoSyncEngine

  init() throws {
    server = try TestServer()
    way = DirectTransport(server.backend)
    engine = DemoSyncEngine(
      container: try DemoSyncEngine.openContainer(at: nil), transport: way
    ) { [server] in server.now }
  }

  private func title(_ id: String = TestServer.task) throws -> String? {
    try engine.context.model(DemoClient.Task.self, id: id)?.title
  }

  @Test("a pull brings what the server has: links, states, reviewers, items")
  func pulls() async throws {
    try await engine.syncProjectTasks(projectID: TestServer.project)
    let task = try #require(try engine.context.model(DemoClient.Task.self, id: TestServer.task))
    #expect(task.project?.id == TestServer.project && task.project?.taskCount == 5)
    #expect(task.state == "inProgress" && task.stateLabel == "In Progress" && task.author?.displayName == "Ada")
    #expect(task.reviewers.count == 1 && task.watchers.count == 2 && task.items.count == 3)
    #expect(try engine.pendingChangeCount() == 0)
  }

  @Test("offline nothing is sent and nothing thrown; coming back sends what waits")
  func comesBack() async throws {
    try await engine.syncEverything()
    engine.isOffline = true
    try engine.updateTask(TestServer.task) { $0.title = "Offline" }
    #expect(try await engine.pushPendingChanges() == nil)
    try await engine.syncEverything()
    #expect(try title() == "Offline" && engine.pendingChangeCount() == 1 && way.uploadCount == 0)
    engine.isOffline = false
    // The push that has begun in the background, or its result.
    try await engine.pushPendingChanges()
    #expect(try engine.pendingChangeCount() == 0 && way.uploadCount == 1)
    #expect(try server.row("/tasks/\(TestServer.task)")["title"] as? String == "Offline")
  }

  @Test("an update sends what has changed and when, an insert all of it, a deletion nothing")
  func sendsPatches() async throws {
    try await engine.syncEverything()
    server.advance(seconds: 60)
    try engine.setState(of: TestServer.task, to: "done")
    let id = try engine.createTask(title: "New", projectID: TestServer.project, authorID: TestServer.user)
    try engine.replaceItems(of: id, with: ["One", "Two"])
    try engine.deleteTask(Seed.id(3, 0))
    try await engine.pushPendingChanges()
    let operations = try way.lastOperations()
    #expect(operations.map { $0["operation"] as? String } == ["upsert", "upsert", "delete"])
    let patch = try #require(operations[0]["data"] as? [String: Any])
    #expect(Set(patch.keys) == ["id", "state", "updated_at"], "\(patch.keys.sorted())")
    let row = try server.row("/tasks/\(id)")
    #expect(row["title"] as? String == "New" && row["author_id"] as? String == TestServer.user)
    #expect((row["items"] as? [[String: Any]])?.map { $0["title"] as? String } == ["One", "Two"])
    #expect(try server.row("/tasks/\(TestServer.task)")["updated_at"] as? String == TestServer.time(60))
    #expect(try server.send(.get, "/tasks/\(Seed.id(3, 0))").status == 404)
  }

  @Test("an edit is newer than the row that it changes, also where the client's clock is behind")
  func outrunsServerClock() async throws {
    let ahead = TestServer.upsert(TestServer.task, at: 3600, ["title": "From the future"])
    #expect(try server.outcome(ahead) == "applied")
    try await engine.syncEverything()
    try engine.updateTask(TestServer.task) { $0.title = "Mine" }
    try await engine.pushPendingChanges()
    #expect(try server.row("/tasks/\(TestServer.task)")["title"] as? String == "Mine")
  }

  @Test("those who push at the same time share one upload")
  func joins() async throws {
    try await engine.syncEverything()
    try engine.updateTask(TestServer.task) { $0.title = "Once" }
    let engine = engine
    let pushes = (0..<5).map { _ in
      _Concurrency.Task { try await engine.pushPendingChanges()?.applied.count }
    }
    for push in pushes { #expect(try await push.value == 1) }
    #expect(way.uploadCount == 1 && !engine.isSyncing)
  }

  @Test("without an answer everything waits, and the reason is shown until a push gets through")
  func showsFailure() async throws {
    try await engine.syncEverything()
    try engine.updateTask(TestServer.task) { $0.title = "Later" }
    way.close(after: 0)
    await #expect(throws: TransportError.self) { try await engine.pushPendingChanges() }
    #expect(engine.pushFailure != nil && !engine.isSyncing)
    #expect(try engine.pendingChangeCount() == 1)
    way.open()
    try await engine.pushPendingChanges()
    #expect(engine.pushFailure == nil)
    #expect(try engine.pendingChangeCount() == 0)
  }

  @Test("of many changes those that were answered are not sent again when the network breaks")
  func sendsInParts() async throws {
    try await engine.syncEverything()
    for number in 0..<150 {
      try engine.createTask(title: "Task \(number)", projectID: TestServer.project, authorID: TestServer.user)
    }
    way.close(after: 1)
    let report = try await engine.pushPendingChanges()
    #expect(report?.applied.count == 100 && report?.unanswered.count == 50)
    way.open()
    try await engine.pushPendingChanges()
    #expect(try way.lastOperations().count == 50)
    #expect(try server.rows("/tasks").count == 162)
  }

  @Test("what the server has in a newer form is taken over, and what it has deleted goes")
  func adopts() async throws {
    try await engine.syncEverything()
    try engine.updateTask(TestServer.task) { $0.title = "Mine" }
    try engine.updateTask(Seed.id(3, 0)) { $0.title = "Mine" }
    server.advance(seconds: 10)
    #expect(try server.send(.patch, "/tasks/\(TestServer.task)", ["title": "Newer"]).status == 200)
    #expect(try server.send(.delete, "/tasks/\(Seed.id(3, 0))").status == 204)
    let report = try await engine.pushPendingChanges()
    #expect(report?.stale.count == 2)
    #expect(try title() == "Newer")
    #expect(try title(Seed.id(3, 0)) == nil)
    #expect(try engine.pendingChangeCount() == 0)
  }

  @Test("a rejected change is shown with its reason, and can be corrected or given up")
  func showsRejections() async throws {
    try await engine.syncEverything()
    let tooLong = String(repeating: "x", count: 81)
    let new = try engine.createTask(title: tooLong, projectID: TestServer.project, authorID: TestServer.user)
    try engine.updateTask(TestServer.task) { $0.title = tooLong }
    try engine.updateTask(Seed.id(3, 0)) { $0.title = tooLong }
    try await engine.pushPendingChanges()
    let failures = try engine.failedChanges()
    #expect(failures.count == 3)
    #expect(failures.allSatisfy { $0.reason.contains("80 characters or fewer") })
    #expect(try engine.pendingChangeCount() == 0)

    // Corrected by an edit, given up with the server's row, and given up without one.
    try engine.updateTask(TestServer.task) { $0.title = "Short" }
    for failure in try engine.failedChanges() { try await engine.discardFailedChange(failure) }
    #expect(try title(new) == nil)
    #expect(try title(Seed.id(3, 0)) == "Choose the fonts")
    #expect(try title() == "Short" && engine.pendingChangeCount() == 1)
    try await engine.pushPendingChanges()
    #expect(try server.row("/tasks/\(TestServer.task)")["title"] as? String == "Short")
  }

  @Test("projects and tasks made and deleted offline go in an order that the server can take")
  func ordersModels() async throws {
    try await engine.syncEverything()
    let project = try engine.createProject(name: "Offline")
    let task = try engine.createTask(title: "In it", projectID: project, authorID: TestServer.user)
    #expect(try await engine.pushPendingChanges()?.applied.count == 2)
    #expect(try server.row("/tasks/\(task)")["project_id"] as? String == project)
    server.advance(seconds: 1)
    try engine.deleteProject(project)
    #expect(try await engine.pushPendingChanges()?.applied.count == 2)
    #expect(try server.rows("/projects").count == 3)
  }
}
