import DemoHTTP
import DemoServer
import DemoWire
import Foundation
import Glibc
import HTTPServing
import Testing

@Suite("The reference server over HTTP")
struct HTTPServerTests {
  /// Longer than a loaded machine may keep either side waiting: what is too slow here is not what these tests are about.
  private static let timeoutSeconds = 3600

  private func withServer(_ body: (HTTPServer, HTTPTransport) async throws -> Void) async throws {
    let backend = try Backend()
    let server = try HTTPServer(
      bodyBytesMax: Backend.bodyBytesMax, timeoutSeconds: UInt32(Self.timeoutSeconds)
    ) { backend.handle($0) }
    let base = "http://127.0.0.1:\(server.port)"
    try await body(server, HTTPTransport(base: base, timeoutSeconds: Double(Self.timeoutSeconds)))
  }

  @Test("requests and responses arrive as they are")
  func passesOn() async throws {
    try await withServer { _, transport in
      let projects = try await transport.send(Request(.get, Request.path("projects")))
      #expect(projects.status == 200)
      #expect((try JSONSerialization.jsonObject(with: projects.body) as? [Any])?.count == 3)
      // A slash within an identity stays within it.
      let missing = try await transport.send(Request(.get, Request.path("tasks", "a/b ü%")))
      #expect(missing.status == 404 && String(decoding: missing.body, as: UTF8.self).contains("no task a/b ü%"))
      let body = Data("{\"title\":\"Changed\"}".utf8)
      let changed = try await transport.send(Request(.patch, Request.path("tasks", TestServer.task), body: body))
      #expect(changed.status == 200 && String(decoding: changed.body, as: UTF8.self).contains("Changed"))
      let gone = try await transport.send(Request(.delete, Request.path("tasks", TestServer.task)))
      #expect(gone.status == 204 && gone.body.isEmpty)
    }
  }

  @Test("a long body arrives whole, and one that is too long is refused")
  func takesBodies() async throws {
    try await withServer { _, transport in
      for (byteCount, status) in [(1 << 20, 422), (Backend.bodyBytesMax + 1, 413)] {
        let padding = String(repeating: "x", count: byteCount)
        let body = Data("{\"title\":\"\(padding)\"}".utf8)
        let response = try await transport.send(Request(.post, "/tasks", body: body))
        #expect(response.status == status)
      }
    }
  }

  @Test("bytes that are no HTTP, unknown methods and broken connections do no harm")
  func survivesNoise() async throws {
    try await withServer { server, transport in
      for text in [
        "hello\r\n\r\n", "BREW /tasks HTTP/1.1\r\nHost: a\r\n\r\n",
        "POST /tasks HTTP/1.1\r\nContent-Length: 9\r\n\r\nabc",
      ] {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        try #require(descriptor >= 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = server.port.bigEndian
        address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
        let connected = withUnsafePointer(to: &address) {
          $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
          }
        }
        try #require(connected == 0)
        // The server may have hung up already.
        _ = text.utf8CString.withUnsafeBytes {
          send(descriptor, $0.baseAddress, $0.count - 1, Int32(MSG_NOSIGNAL))
        }
        close(descriptor)
      }
      #expect(try await transport.send(Request(.get, "/users")).status == 200)
    }
  }

  @Test("a port that is taken is an error that says so")
  func refusesTakenPort() async throws {
    try await withServer { server, _ in
      let port = server.port
      #expect(throws: HTTPServerError.self) {
        _ = try HTTPServer(port: port, bodyBytesMax: 1) { _ in Response(status: 200, body: Data()) }
      }
    }
  }
}
