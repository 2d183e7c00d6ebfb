import DemoServer
import DemoWire
import Foundation
import TestSupport
import Testing

@Suite("Whatever is sent to the reference server, it answers, and an error has changed nothing")
struct BadRequestTests {
  @Test(
    "requests that can't be carried out have the status that says why",
    arguments: [
      ("GET", "/", "", 404), ("GET", "/nothing", "", 404), ("GET", "/tasks/none", "", 404),
      ("GET", "/tasks/%zz%", "", 404), ("GET", "/projects/none/tasks", "", 404),
      ("DELETE", "/projects", "", 405), ("POST", "/users", "{}", 405), ("PATCH", "/sync/upload", "{}", 405),
      ("POST", "/sync/upload", "", 400), ("POST", "/sync/upload", "[]", 400), ("POST", "/sync/upload", "{\"a\":", 400),
      ("POST", "/sync/upload", "{}", 422), ("POST", "/sync/upload", "{\"operations\":{}}", 422),
      ("POST", "/tasks", "\"text\"", 400), ("POST", "/tasks", "{\"title\":7}", 422),
      ("POST", "/tasks", "{\"items\":[1]}", 422), ("POST", "/tasks", "{\"reviewer_ids\":[{}]}", 422),
      ("DELETE", "/tasks/none", "", 404), ("PUT", "/tasks/none/watchers", "{}", 404),
    ])
  func answersErrors(method: String, path: String, body: String, status: Int) throws {
    let server = try TestServer()
    let request = Request(try #require(Request.Method(rawValue: method)), path, body: Data(body.utf8))
    let response = server.backend.handle(request)
    #expect(response.status == status)
    let answer = try #require(try JSONSerialization.jsonObject(with: response.body) as? [String: String])
    #expect(answer["error"]?.isEmpty == false)
  }

  @Test("what is too large is refused: bodies, lists of operations, nesting")
  func refusesLarge() throws {
    let server = try TestServer()
    let long = Request(.post, "/sync/upload", body: Data(repeating: 0x20, count: Backend.bodyBytesMax + 1))
    #expect(server.backend.handle(long).status == 413)
    let many = ["operations": Array(repeating: 1, count: 501)]
    #expect(try server.send(.post, "/sync/upload", many).status == 422)
    let deep = String(repeating: "[", count: 100_000)
    #expect(server.backend.handle(Request(.post, "/tasks", body: Data(deep.utf8))).status == 400)
  }

  @Test("random bodies never end the server, and it goes on working", arguments: 1...20)
  func survivesNoise(seed: UInt64) throws {
    let server = try TestServer()
    var random = SplitMix64(seed: seed)
    let whole = try JSONSerialization.data(
      withJSONObject: ["operations": [TestServer.upsert("t", at: 1, key: "k", TestServer.task("a"))]])
    for _ in 0..<50 {
      var body = whole
      for _ in 0...random.below(4) { body[random.below(body.count)] = UInt8(random.below(256)) }
      let response = server.backend.handle(Request(.post, "/sync/upload", body: body))
      #expect([200, 400, 422].contains(response.status))
    }
    #expect(try server.rows("/users").count == 6)
  }

  @Test("moments are read as they are written, and nothing else is", arguments: 1...5)
  func readsMoments(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    for _ in 0..<200 {
      let moment = Timestamp(milliseconds: random.below(8_000_000_000_000) - 4_000_000_000_000)
      #expect(Timestamp(moment.text) == moment)
    }
    for text in ["2025-02-30T00:00:00Z", "2025-01-01T00:00:00.Z", "2025-01-01T00:00:00.-1Z", "2025-01-01", "Z", ""] {
      #expect(Timestamp(text) == nil, "\(text)")
    }
    #expect(Timestamp("2025-01-01T00:00:00Z")?.text == "2025-01-01T00:00:00.000Z")
    #expect(Timestamp("2025-01-01T00:00:00.5Z")?.text == "2025-01-01T00:00:00.500Z")
  }
}
