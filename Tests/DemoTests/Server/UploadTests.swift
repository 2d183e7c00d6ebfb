import DemoServer
import DemoWire
import Foundation
import Testing

@Suite("17.4: What the reference server does with uploaded changes")
struct UploadTests {
  /// Operations on one task, in the order in which they come, and what becomes of each.
  struct Story: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let steps: @Sendable () -> [(operation: [String: Any], outcome: String)]
    let title: String?
  }

  static let stories: [Story] = [
    Story(
      testDescription: "the newer change wins, and one of the same time loses",
      steps: {
        [
          (TestServer.upsert("t", at: 10, TestServer.task("a")), "applied"),
          (TestServer.upsert("t", at: 10, ["title": "b"]), "stale a"),
          (TestServer.upsert("t", at: 9, ["title": "b"]), "stale a"),
          (TestServer.upsert("t", at: 11, ["title": "b"]), "applied"),
        ]
      }, title: "b"),
    Story(
      testDescription: "a change that comes again is carried out once, also behind newer ones",
      steps: {
        [
          (TestServer.upsert("t", at: 1, key: "1", TestServer.task("a")), "applied"),
          (TestServer.upsert("t", at: 2, key: "2", ["title": "b"]), "applied"),
          (TestServer.upsert("t", at: 1, key: "1", TestServer.task("a")), "applied"),
          (TestServer.upsert("t", at: 2, key: "2", ["title": "b"]), "applied"),
        ]
      }, title: "b"),
    Story(
      testDescription: "a change that was refused is judged anew when it comes again",
      steps: {
        [
          (
            TestServer.upsert("t", at: 1, key: "1", TestServer.task("a").merging(["project_id": "p"]) { $1 }),
            "rejected rejected"
          ),
          (TestServer.upsert("p", at: 1, key: "2", ["name": "P"], type: "projects"), "applied"),
          (
            TestServer.upsert("t", at: 1, key: "1", TestServer.task("a").merging(["project_id": "p"]) { $1 }), "applied"
          ),
        ]
      }, title: "a"),
    Story(
      testDescription: "a deletion stays, unless something newer brings the task back",
      steps: {
        [
          (TestServer.upsert("t", at: 1, TestServer.task("a")), "applied"),
          (TestServer.delete("t", at: 1), "stale a"),
          (TestServer.delete("t", at: 2), "applied"),
          (TestServer.upsert("t", at: 2, ["title": "b"]), "stale -"),
          (TestServer.delete("t", at: 2), "stale -"),
          (TestServer.upsert("t", at: 3, ["title": "c"]), "applied"),
        ]
      }, title: "c"),
    Story(
      testDescription: "an unknown task can be deleted, and is not made by what is older",
      steps: {
        [
          (TestServer.delete("t", at: 5), "applied"),
          (TestServer.upsert("t", at: 4, TestServer.task("a")), "stale -"),
          (TestServer.upsert("t", at: 6, ["title": "b"]), "rejected rejected"),
        ]
      }, title: nil),
    Story(
      testDescription: "what can't be read is refused by its own code",
      steps: {
        [
          (["type": "tasks", "id": "t"], "rejected missing_operation"),
          (["operation": "merge", "type": "tasks", "id": "t"], "rejected unknown_operation"),
          (["operation": "upsert", "type": "users", "id": "t"], "rejected rejected"),
          (["operation": "upsert", "type": "tasks", "id": "t", "updatedAt": "yesterday"], "rejected rejected"),
          (["operation": "upsert", "type": "tasks", "id": "t", "updatedAt": TestServer.time(1)], "rejected rejected"),
          (TestServer.upsert("t", at: 1, ["title": "a"]), "rejected rejected"),
          (TestServer.upsert("t", at: 48 * 3600, TestServer.task("a")), "rejected rejected"),
          (TestServer.upsert("t", at: 1, TestServer.task(String(repeating: "x", count: 81))), "rejected rejected"),
          (
            TestServer.upsert("t", at: 1, TestServer.task("a").merging(["reviewer_ids": ["nobody"]]) { $1 }),
            "rejected rejected"
          ),
        ]
      }, title: nil),
  ]

  @Test("of one task", arguments: stories)
  func carriesOut(story: Story) throws {
    let server = try TestServer()
    for (number, step) in story.steps().enumerated() {
      #expect(try server.outcome(step.operation) == step.outcome, "step \(number)")
    }
    let (status, task) = try server.send(.get, "/tasks/t")
    #expect(status == (story.title == nil ? 404 : 200))
    #expect((task as? [String: Any])?["title"] as? String == story.title)
  }

  @Test("one bad operation does not keep the others of its upload from being carried out")
  func isolatesBadOperations() throws {
    let server = try TestServer()
    let results = try server.upload(
      "no object", TestServer.upsert("t1", at: 1, TestServer.task("")),
      TestServer.upsert("t2", at: 1, TestServer.task("b")))
    #expect(results.map { $0["status"] as? String } == ["rejected", "rejected", "applied"])
    #expect(results.last?["id"] as? String == "t2" && results.last?["operation"] as? String == "upsert")
    #expect(try server.send(.get, "/tasks/t1").status == 404)
    #expect(try server.row("/tasks/t2")["title"] as? String == "b")
  }

  @Test("a task is refused as a whole: what is right in it is not taken either")
  func refusesWhole() throws {
    let server = try TestServer()
    let data: [String: Any] = ["title": "Changed", "items": [["id": "i"]]]
    #expect(try server.outcome(TestServer.upsert(TestServer.task, at: 1, data)) == "rejected rejected")
    #expect(try server.row("/tasks/\(TestServer.task)")["title"] as? String == "Write the start page")
    #expect((try server.row("/tasks/\(TestServer.task)")["items"] as? [Any])?.count == 3)
  }

  @Test("a project goes when its tasks are gone, and tasks can't come into one that is gone")
  func keepsReferences() throws {
    let server = try TestServer()
    let upsert = TestServer.upsert("p", at: 1, ["name": "P"], type: "projects")
    var task = TestServer.task("a")
    task["project_id"] = "p"
    let results = try server.upload(
      upsert, TestServer.upsert("t", at: 1, task), TestServer.delete("p", at: 2, type: "projects"),
      TestServer.delete("t", at: 2), TestServer.delete("p", at: 2, type: "projects"),
      TestServer.upsert("t", at: 3, task), TestServer.upsert("t", at: 3, ["title": "b"]))
    #expect(
      results.map { $0["status"] as? String } == [
        "applied", "applied", "rejected", "applied", "applied", "rejected", "rejected",
      ])
    #expect(try server.rows("/projects").count == 3)
  }
}
