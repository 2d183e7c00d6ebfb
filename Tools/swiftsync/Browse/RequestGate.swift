import HTTPServing
import Synchronization

/// Decides which requests are for the page: those of this machine's browser, by somebody who knows the secret.
///
/// Another site can point its name to this machine and have a browser ask for it (DNS rebinding), and can have a browser send
/// requests here. Neither knows the secret; and the first shows in the header `Host`, the second in `Origin`.
final class RequestGate: Sendable {
  enum Refusal: Error {
    case wrongHost, wrongOrigin, wrongToken

    var response: HTTPResponse {
      switch self {
      case .wrongHost: Browsing.failure(403, "This server is for 127.0.0.1 and localhost only.")
      case .wrongOrigin: Browsing.failure(403, "Other pages may not ask this server.")
      case .wrongToken: Browsing.failure(404, "There is nothing here.")
      }
    }
  }

  private let token: [UInt8]
  private let port = Atomic<UInt16>(0)

  init(token: String) {
    self.token = Array(token.utf8)
  }

  func open(at port: UInt16) { self.port.store(port, ordering: .relaxed) }

  /// Where the server is, without the secret.
  var host: String { "127.0.0.1:\(port.load(ordering: .relaxed))" }

  /// The path of a request behind the secret.
  func path(of request: HTTPRequest) -> Result<String, Refusal> {
    let hosts = [host, "localhost:\(port.load(ordering: .relaxed))"]
    guard let named = request.headers["host"], hosts.contains(named) else { return .failure(.wrongHost) }
    if let origin = request.headers["origin"], origin != "http://\(named)" { return .failure(.wrongOrigin) }
    // What a browser says of who asks; `none` is the address that was typed in.
    if let site = request.headers["sec-fetch-site"], !["same-origin", "none"].contains(site) {
      return .failure(.wrongOrigin)
    }
    let parts = request.path.dropFirst().split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard request.path.hasPrefix("/"), parts.count == 2, isToken(parts[0]) else { return .failure(.wrongToken) }
    return .success(String(parts[1]))
  }

  /// Takes the same time wherever the difference is.
  private func isToken(_ text: Substring) -> Bool {
    let bytes = Array(text.utf8)
    guard bytes.count == token.count else { return false }
    return zip(bytes, token).reduce(0 as UInt8) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
