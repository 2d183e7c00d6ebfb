import DemoWire
import Foundation
import HTTPServing

extension HTTPServer {
  /// A server for the requests of the tracker.
  package convenience init(
    port: UInt16 = 0, bodyBytesMax: Int, timeoutSeconds: UInt32 = 30, handler: @escaping @Sendable (Request) -> Response
  ) throws(HTTPServerError) {
    try self.init(port: port, bodyBytesMax: bodyBytesMax, timeoutSeconds: timeoutSeconds) { request in
      guard let method = Request.Method(rawValue: request.method) else {
        return HTTPResponse(status: 405, json: Data(#"{"error":"The method is unknown."}"#.utf8))
      }
      let response = handler(Request(method, request.path, body: request.body))
      return HTTPResponse(status: response.status, json: response.body)
    }
  }
}
