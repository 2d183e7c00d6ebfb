import DemoServer
import DemoWire
import Foundation
import Synchronization
import Testing

/// A server in memory with a clock that is set by hand.
final class TestServer: Sendable {
  static let user = Seed.id(1, 0)
  static let otherUser = Seed.id(1, 1)
  static let project = Seed.id(2, 0)
  static let task = Seed.id(3, 1)

  /// 2025-06-01T12:00:00Z.
  private static let start = Timestamp(milliseconds: 1_748_779_200_000)

  let backend: Backend
  private let clock: SetClock

  init(at folder: URL? = nil) throws {
    let clock = SetClock(Self.start)
    backend = try Backend(at: folder) { clock.now.date }
    self.clock = clock
  }

  /// The moment some seconds after the beginning, as text.
  static func time(_ seconds: Int) -> String {
    Timestamp(milliseconds: start.milliseconds + seconds * 1000).text
  }

  var now: Date { clock.now.date }

  func advance(seconds: Int) { clock.advance(seconds: seconds) }

  func send(_ method: Request.Method, _ path: String, _ body: [String: Any]? = nil) throws -> (status: Int, value: Any?)
  {
    let data = try body.map { try JSONSerialization.data(withJSONObject: $0) } ?? Data()
    let response = backend.handle(Request(method, path, body: data))
    return (response.status, try? JSONSerialization.jsonObject(with: response.body))
  }

  /// The row at a path; fails unless the answer is one.
  func row(_ path: String) throws -> [String: Any] {
    let (status, value) = try send(.get, path)
    try #require(status == 200, "\(path): \(status)")
    return try #require(value as? [String: Any])
  }

  func rows(_ path: String) throws -> [[String: Any]] {
    let (status, value) = try send(.get, path)
    try #require(status == 200, "\(path): \(status)")
    return try #require(value as? [[String: Any]])
  }

  /// Uploads operations and returns their results.
  func upload(_ operations: Any...) throws -> [[String: Any]] {
    let (status, value) = try send(.post, "/sync/upload", ["operations": operations])
    try #require(status == 200, "\(String(describing: value))")
    return try #require((value as? [String: Any])?["results"] as? [[String: Any]])
  }

  /// Uploads one operation and returns what became of it: its status, and with it the code or the server's title.
  func outcome(_ operation: Any) throws -> String {
    let result = try #require(try upload(operation).first)
    let status = try #require(result["status"] as? String)
    switch status {
    case "rejected": return "rejected \(result["code"] as? String ?? "-")"
    case "stale": return "stale \((result["server"] as? [String: Any])?["title"] as? String ?? "-")"
    default: return status
    }
  }

  static func upsert(
    _ id: String, at seconds: Int, key: String? = nil, _ data: [String: Any], type: String = "tasks"
  ) -> [String: Any] {
    var operation: [String: Any] = [
      "operation": "upsert", "type": type, "id": id, "updatedAt": time(seconds), "data": data,
    ]
    operation["key"] = key
    return operation
  }

  static func delete(_ id: String, at seconds: Int, key: String? = nil, type: String = "tasks") -> [String: Any] {
    var operation: [String: Any] = ["operation": "delete", "type": type, "id": id, "updatedAt": time(seconds)]
    operation["key"] = key
    return operation
  }

  /// What a new task needs.
  static func task(_ title: String) -> [String: Any] {
    ["title": title, "state": ["id": "todo"], "project_id": project, "author_id": user]
  }
}

/// A clock that stands still until it is advanced.
private final class SetClock: Sendable {
  private let time: Mutex<Timestamp>

  init(_ start: Timestamp) { time = Mutex(start) }

  var now: Timestamp { time.withLock { $0 } }

  func advance(seconds: Int) { time.withLock { $0.milliseconds += seconds * 1000 } }
}
