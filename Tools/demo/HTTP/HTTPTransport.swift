import DemoWire
import Foundation
import FoundationNetworking

/// The way to a server by HTTP.
package struct HTTPTransport: Transport {
  private let base: String
  private let session: URLSession

  /// - Parameters:
  ///   - base: where the server is, `http://127.0.0.1:8080`.
  ///   - timeoutSeconds: after a silence of this length the server counts as unreachable.
  package init(base: String, timeoutSeconds: Double = 10) {
    self.base = base
    let configuration = URLSessionConfiguration.ephemeral
    configuration.timeoutIntervalForRequest = timeoutSeconds
    session = URLSession(configuration: configuration)
  }

  package func send(_ request: Request) async throws -> Response {
    guard let url = URL(string: base + request.path) else { throw TransportError.unreachable(reason: "no URL") }
    var message = URLRequest(url: url)
    message.httpMethod = request.method.rawValue
    if !request.body.isEmpty {
      message.httpBody = request.body
      message.setValue("application/json", forHTTPHeaderField: "Content-Type")
    }
    let (body, head): (Data, URLResponse)
    do {
      (body, head) = try await session.data(for: message)
    } catch {
      throw TransportError.unreachable(reason: error.localizedDescription)
    }
    guard let head = head as? HTTPURLResponse else { throw TransportError.unreadable(path: request.path) }
    return Response(status: head.statusCode, body: body)
  }
}
