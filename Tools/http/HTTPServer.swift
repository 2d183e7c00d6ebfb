import CMicroHTTPD
import Foundation

/// An HTTP server on the machine's loopback address, which nobody else can reach: it hands requests to a closure and sends back what
/// that returns.
///
/// libmicrohttpd does the HTTP.
package final class HTTPServer {
  /// Who answers.
  package enum Threads: Sendable {
    /// Requests are answered one after another, on one thread.
    case one
    /// Every connection has a thread, so that an answer can wait for something.
    case eachConnection
  }

  /// The port that it listens on.
  package let port: UInt16

  private let daemon: OpaquePointer
  private let answering: Answering

  /// Of a request, everything in front of its body.
  private static let headBytesMax = 32 << 10

  /// - Parameters:
  ///   - port: where to listen; 0 for any free port.
  ///   - threads: who answers.
  ///   - connectionsMax: how many connections there can be at a time; further ones are closed at once.
  ///   - bodyBytesMax: what a longer body is refused for, with status 413, and not kept.
  ///   - timeoutSeconds: after a silence of this length a connection is closed.
  ///   - handler: answers requests.
  /// - Throws: `HTTPServerError` when the port can't be listened on.
  package init(
    port: UInt16 = 0, threads: Threads = .one, connectionsMax: Int = 64, bodyBytesMax: Int, timeoutSeconds: UInt32 = 30,
    answeringWith handler: @escaping @Sendable (HTTPRequest) -> HTTPResponse
  ) throws(HTTPServerError) {
    let answering = Answering(bodyBytesMax: bodyBytesMax, handler: handler)
    let context = Unmanaged.passUnretained(answering).toOpaque()
    guard
      let daemon = microhttpd_start_on_loopback(
        port, threads == .eachConnection, UInt32(connectionsMax), timeoutSeconds, Self.headBytesMax, answerCallback,
        endCallback, context)
    else { throw .notListening(port: port, errno: errno) }
    self.daemon = daemon
    self.answering = answering
    self.port = microhttpd_port(daemon)
  }

  /// The server ends with its object: connections are closed, and a request that is being answered is waited for.
  deinit {
    MHD_stop_daemon(daemon)
  }
}

/// Why there is no server.
package enum HTTPServerError: Error, CustomStringConvertible {
  /// The system does not let it listen.
  case notListening(port: UInt16, errno: Int32)

  package var description: String {
    switch self {
    case .notListening(let port, let errno): "Port \(port) can't be listened on: \(String(cString: strerror(errno)))."
    }
  }
}
