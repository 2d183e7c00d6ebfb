import Foundation

/// What a client asks of the tracker's server, whatever brings it there.
package struct Request: Sendable {
  package enum Method: String, Sendable {
    case get = "GET"
    case post = "POST"
    case put = "PUT"
    case patch = "PATCH"
    case delete = "DELETE"
  }

  package var method: Method
  /// The path as it stands in a URL, with percent signs where they are needed: see `Request.path(_:)`.
  package var path: String
  package var body: Data

  package init(_ method: Method, _ path: String, body: Data = Data()) {
    self.method = method
    self.path = path
    self.body = body
  }

  /// A path of some segments, each of which may hold anything.
  package static func path(_ segments: String...) -> String {
    segments.map {
      "/" + ($0.addingPercentEncoding(withAllowedCharacters: .alphanumerics.union(.init(charactersIn: "-_."))) ?? "")
    }
    .joined()
  }
}
