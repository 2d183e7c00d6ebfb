import Dispatch
import Foundation
import HTTPServing
import Records
import SyncEngine
import Synchronization

/// Answers the requests of a browser about one store.
///
/// Every answer is made from one snapshot, which is open for no longer than that takes. docs/browse.md describes the requests.
final class Browsing: Sendable {
  static let connectionsMax = 256
  static let bodyBytesMax = 1 << 20
  /// Longer than a request for changes waits.
  static let connectionSeconds: UInt32 = 60
  /// How long an argument of a request may be.
  static let argumentBytesMax = 8 << 10
  /// How many answers are made at a time: more make nothing faster, and each needs a place for its snapshot.
  private static let readersMax = 4

  let store: RecordStore
  let changes: LiveChanges
  let isWriting: Bool
  /// The secret that the path of every request begins with.
  let token: String
  private let gate: RequestGate
  private let readers = DispatchSemaphore(value: readersMax)

  init(store: RecordStore, changes: LiveChanges, isWriting: Bool) {
    self.store = store
    self.changes = changes
    self.isWriting = isWriting
    var random = SystemRandomNumberGenerator()
    let words = (0..<2).map { _ in String(random.next() as UInt64 | 1 << 63, radix: 16) }
    token = words.joined()
    gate = RequestGate(token: token)
  }

  /// Says where the server listens: requests that were meant for another are refused.
  func serve(at port: UInt16) { gate.open(at: port) }

  /// What to open in the browser.
  var address: String { "http://\(gate.host)/\(token)/" }

  func response(to request: HTTPRequest) -> HTTPResponse {
    let path: String
    switch gate.path(of: request) {
    case .success(let inner): path = inner
    case .failure(let refusal): return refusal.response
    }
    do {
      if let file = PageFile(path: path) {
        guard request.method == "GET" else { throw BrowseError.wrongMethod }
        return Self.response(200, file.type, file.contents)
      }
      let json = try request.method == "GET" ? answer(path, request) : change(path, request)
      return Self.response(200, "application/json", Data(json.bytes))
    } catch let error as BrowseError {
      return Self.failure(error.status, "\(error)")
    } catch {
      // What is asked for may make no sense, the store may not allow a change or be damaged: the sentence says what is wrong.
      return Self.failure(error is any RequestMistake ? 400 : request.method == "POST" ? 409 : 500, "\(error)")
    }
  }

  private func answer(_ path: String, _ request: HTTPRequest) throws -> JSONWriter {
    let arguments = try BrowseArguments(request.arguments)
    if path == "api/changes" {
      let news = changes.wait(since: try arguments.number("since") ?? 0)
      if news.isRefused { throw BrowseError.busy }
      return json(news)
    }
    readers.wait()
    defer { readers.signal() }
    // From before the snapshot: what it does not show is newer for the page.
    let version = changes.news.version
    return try store.read { snapshot in
      switch path {
      case "api/store": return try BrowseOverview(self, snapshot, version: version).json()
      case "api/rows": return try BrowseRows(arguments, snapshot).json()
      case "api/row": return try BrowseRow(arguments, snapshot).json()
      case "api/members": return try BrowseMembers(arguments, snapshot).json()
      case "api/history": return try BrowseHistory(arguments, snapshot).json()
      case "api/statistics": return try BrowseStatistics(store, snapshot).json()
      default: throw BrowseError.noSuchPage
      }
    }
  }

  private func change(_ path: String, _ request: HTTPRequest) throws -> JSONWriter {
    guard request.method == "POST" else { throw BrowseError.wrongMethod }
    guard isWriting else { throw BrowseError.readOnly }
    // A form of another page can't have this type, and scripts of other pages are refused by their origin.
    guard request.headers["content-type"] == "application/json" else { throw BrowseError.notJSON }
    try RowEdit(path: path, json: request.body).apply(to: store)
    return json(changes.news)
  }

  private func json(_ news: LiveChanges.News) -> JSONWriter {
    var json = JSONWriter()
    json.beginObject()
    json.writeMember("version", news.version)
    json.writeKey("gone")
    json.write(news.isGone)
    json.endObject()
    return json
  }

  // MARK: Responses

  static func failure(_ status: Int, _ sentence: String) -> HTTPResponse {
    var json = JSONWriter()
    json.beginObject()
    json.writeMember("error", sentence)
    json.endObject()
    return response(status, "application/json", Data(json.bytes))
  }

  private static func response(_ status: Int, _ type: String, _ body: Data) -> HTTPResponse {
    HTTPResponse(
      status: status,
      headers: [
        ("Content-Type", type), ("Cache-Control", "no-store"), ("X-Content-Type-Options", "nosniff"),
        ("Referrer-Policy", "no-referrer"), ("Cross-Origin-Resource-Policy", "same-origin"),
        ("Cross-Origin-Opener-Policy", "same-origin"), ("Content-Security-Policy", policy),
      ], body: body)
  }

  /// The page loads its own files and asks its own server; nothing else can be loaded, run or asked, whatever is in a row.
  private static let policy = """
    default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; \
    form-action 'none'; frame-ancestors 'none'
    """
}
