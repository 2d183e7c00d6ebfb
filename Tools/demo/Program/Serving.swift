import DemoHTTP
import DemoServer
import Foundation
import HTTPServing

/// Runs the tracker's server, on a free port of the loopback address, until standard input ends.
struct Serving {
  /// What the line with the address begins with, for whoever has started the server.
  static let announcement = "listening on "

  let store: URL

  func run() throws {
    let backend = try Backend(at: store)
    let server = try HTTPServer(bodyBytesMax: Backend.bodyBytesMax) { backend.handle($0) }
    FileHandle.standardOutput.write(Data("\(Self.announcement)http://127.0.0.1:\(server.port)\n".utf8))
    // Whoever starts it holds the other end: the server doesn't outlive it.
    while try FileHandle.standardInput.read(upToCount: 4096)?.isEmpty == false {}
  }
}
