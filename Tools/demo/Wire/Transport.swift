/// The way to a server.
package protocol Transport: Sendable {
  /// Sends a request and waits for the response.
  /// - Throws: `TransportError` when there is none; whether the server has got the request is then unknown.
  func send(_ request: Request) async throws -> Response
}

/// Why there was no response, or not the one that was hoped for.
package enum TransportError: Error, CustomStringConvertible {
  /// The user wants no network, or there is none.
  case offline
  /// The server can't be reached, or was silent for too long.
  case unreachable(reason: String)
  /// The server answered with an error.
  case refused(status: Int, message: String)
  /// The server answered with something else than was agreed on.
  case unreadable(path: String)

  package var description: String {
    switch self {
    case .offline: "There is no network."
    case .unreachable(let reason): "The server can't be reached: \(reason)."
    case .refused(let status, let message): "The server answered \(status): \(message)"
    case .unreadable(let path): "The server's answer for \(path) can't be read."
    }
  }
}
