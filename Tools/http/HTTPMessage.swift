import Foundation

/// A request as it has come, whole.
package struct HTTPRequest: Sendable {
  package var method: String
  /// The path as it stands in the line, with percent signs.
  package var path: String
  /// The arguments behind the question mark, decoded. Of a name that comes twice the last counts.
  package var arguments: [String: String]
  /// By their names in small letters. Of a header that comes twice the values are joined with commas.
  package var headers: [String: String]
  package var body: Data

  package init(
    _ method: String, _ path: String, arguments: [String: String] = [:], headers: [String: String] = [:],
    body: Data = Data()
  ) {
    self.method = method
    self.path = path
    self.arguments = arguments
    self.headers = headers
    self.body = body
  }
}

/// What is answered.
package struct HTTPResponse: Sendable {
  package var status: Int
  package var headers: [(name: String, value: String)]
  package var body: Data

  package init(status: Int, headers: [(name: String, value: String)], body: Data) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// JSON text.
  package init(status: Int, json body: Data) {
    self.init(status: status, headers: [("Content-Type", "application/json")], body: body)
  }
}
