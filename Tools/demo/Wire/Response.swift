import Foundation

/// What the server answers: an HTTP status, and JSON text.
package struct Response: Sendable {
  package var status: Int
  package var body: Data

  package init(status: Int, body: Data) {
    self.status = status
    self.body = body
  }

  package var isSuccess: Bool { (200..<300).contains(status) }
}
