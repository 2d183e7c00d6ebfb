import DemoServer
import DemoWire
import Foundation
import TestSupport
import Testing

@Suite("17.4: What the reference server's endpoints give and change")
struct EndpointTests {
  @Test("rows are listed in order, with what belongs to them, and without what is deleted")
  func lists() throws {
    let server = try TestServer()
    #expect(try server.rows("/projects").map { $0["task_count"] as? Int } == [5, 4, 3])
    #expect(try server.rows("/users").count == 6)
    #expect(try server.rows("/task-state-options").map { $0["label"] as? String } == ["To Do", "In Progress", "Done"])
    let tasks = try server.rows("/projects/\(TestServer.project)/tasks")
    #expect(tasks.map { $0["title"] as? String }.first == "Choose the fonts" && tasks.count == 5)
    let task = try server.row("/tasks/\(TestServer.task)")
    #expect((task["state"] as? [String: String]) == ["id": "inProgress", "label": "In Progress"])
    #expect((task["items"] as? [[String: Any]])?.map { $0["position"] as? Int } == [0, 1, 2])
    #expect(task["created_at"] as? String == "2025-01-01T00:01:00.000Z")
    #expect(task["description"] is NSNull)
    #expect(try server.send(.delete, "/tasks/\(TestServer.task)").status == 204)
    #expect(try server.send(.get, "/tasks/\(TestServer.task)").status == 404)
    #expect(try server.rows("/projects/\(TestServer.project)/tasks").count == 4)
    #expect(try server.rows("/projects").first?["task_count"] as? Int == 4)
  }

  @Test("a task is made, changed, given other people, and always newer than before")
  func edits() throws {
    let server = try TestServer()
    var body = TestServer.task("  New  ")
    body["id"] = "t"
    body["items"] = [["id": "i1", "title": "One"], ["id": "i2", "title": "Two"]]
    let made = try server.send(.post, "/tasks", body)
    #expect(made.status == 201 && (made.value as? [String: Any])?["title"] as? String == "New")
    #expect(try server.send(.post, "/tasks", body).status == 409)

    // Absent is kept, null is cleared, items are matched by their ids.
    let patch: [String: Any] = [
      "assignee_id": TestServer.user, "items": [["id": "i2"], ["id": "i3", "title": "Three"]],
    ]
    #expect(try server.send(.patch, "/tasks/t", patch).status == 200)
    var task = try server.row("/tasks/t")
    #expect(task["assignee_id"] as? String == TestServer.user && task["title"] as? String == "New")
    #expect((task["items"] as? [[String: Any]])?.map { $0["title"] as? String } == ["Two", "Three"])
    let first = try #require(task["updated_at"] as? String)

    #expect(try server.send(.put, "/tasks/t", ["title": "x", "state": ["id": "done"]]).status == 422)
    let whole: [String: Any] = [
      "title": "Other", "description": NSNull(), "state": ["id": "done"], "assignee_id": NSNull(),
    ]
    #expect(try server.send(.put, "/tasks/t", whole).status == 200)
    let ids = [TestServer.otherUser, TestServer.user, TestServer.user]
    #expect(try server.send(.put, "/tasks/t/reviewers", ["reviewer_ids": ids]).status == 200)
    #expect(try server.send(.put, "/tasks/t/watchers", ["watcher_ids": ["nobody"]]).status == 422)
    task = try server.row("/tasks/t")
    #expect(task["assignee_id"] is NSNull && task["title"] as? String == "Other")
    #expect(task["reviewer_ids"] as? [String] == [TestServer.user, TestServer.otherUser])
    #expect(try #require(task["updated_at"] as? String) > first)
  }

  @Test("what was stored is there when the server starts again, and is not seeded twice")
  func restarts() throws {
    let folder = try TemporaryFolder()
    let url = URL(fileURLWithPath: folder["server.store"])
    do {
      let server = try TestServer(at: url)
      #expect(
        try server.outcome(TestServer.upsert(TestServer.task, at: 1, key: "k", ["title": "Changed"])) == "applied")
    }
    let server = try TestServer(at: url)
    #expect(try server.rows("/tasks").count == 12)
    #expect(try server.row("/tasks/\(TestServer.task)")["title"] as? String == "Changed")
    #expect(try server.outcome(TestServer.upsert(TestServer.task, at: 1, key: "k", ["title": "Changed"])) == "applied")
  }
}
