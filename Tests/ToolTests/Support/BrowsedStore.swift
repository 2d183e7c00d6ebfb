import Foundation
import HTTPServing
import Records
import TestSupport
import Testing

@testable import StoreTool

/// A store and what answers the requests of its page, without a server between them.
final class BrowsedStore {
  static let port: UInt16 = 8080

  let folder: TemporaryFolder
  let store: RecordStore
  let changes = LiveChanges()
  let browsing: Browsing
  private let follower: ChangeFollower

  init(isWriting: Bool = false, fill: (String) throws -> Void = TrackerStore.make) throws {
    let folder = try TemporaryFolder()
    try fill(folder["s"])
    store = try isWriting ? RecordStore(at: folder["s"], schema: .tracker) : RecordStore(readingAt: folder["s"])
    self.folder = folder
    follower = try ChangeFollower(store) { [changes] in changes.add($0) }
    browsing = Browsing(store: store, changes: changes, isWriting: isWriting)
    browsing.serve(at: Self.port)
  }

  deinit {
    store.close()
  }

  func response(
    _ path: String, _ arguments: [String: String] = [:], method: String = "GET",
    headers: [String: String] = [:], body: String = ""
  ) -> HTTPResponse {
    var request = HTTPRequest(method, "/\(browsing.token)/\(path)", arguments: arguments, body: Data(body.utf8))
    request.headers = ["host": "127.0.0.1:\(Self.port)"].merging(headers) { $1 }
    return browsing.response(to: request)
  }

  /// The answer as JSON.
  func json(_ path: String, _ arguments: [String: String] = [:]) throws -> [String: Any] {
    let response = response(path, arguments)
    try #require(response.status == 200, "\(String(decoding: response.body, as: UTF8.self))")
    return try #require(try JSONSerialization.jsonObject(with: response.body) as? [String: Any])
  }

  /// What a refusal says.
  static func sentence(_ response: HTTPResponse) throws -> String {
    let json = try JSONSerialization.jsonObject(with: response.body) as? [String: String]
    return try #require(json?["error"])
  }

  func edit(_ path: String, _ body: String) -> HTTPResponse {
    response(path, method: "POST", headers: ["content-type": "application/json"], body: body)
  }
}
