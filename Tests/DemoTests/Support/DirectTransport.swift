import DemoServer
import DemoWire
import Foundation
import Synchronization

/// A way to a server in this process, which can be closed, and counts uploads.
final class DirectTransport: Transport {
  private let backend: Backend
  /// How many requests get through from now on; nil for all.
  private let left = Mutex<Int?>(nil)
  private let uploads = Mutex<[Request]>([])

  init(_ backend: Backend) {
    self.backend = backend
  }

  var uploadCount: Int { uploads.withLock { $0.count } }

  /// The operations of the last upload.
  func lastOperations() throws -> [[String: Any]] {
    guard let request = uploads.withLock({ $0.last }) else { return [] }
    let body = try JSONSerialization.jsonObject(with: request.body) as? [String: Any]
    return body?["operations"] as? [[String: Any]] ?? []
  }

  /// Lets so many requests through, and no more.
  func close(after count: Int) { left.withLock { $0 = count } }

  func open() { left.withLock { $0 = nil } }

  func send(_ request: Request) async throws -> Response {
    let isOpen = left.withLock { left in
      guard let count = left else { return true }
      left = max(0, count - 1)
      return count > 0
    }
    guard isOpen else { throw TransportError.unreachable(reason: "it is closed") }
    if request.path == "/sync/upload" { uploads.withLock { $0.append(request) } }
    // Others get a turn meanwhile, as they do with a real network.
    await _Concurrency.Task.yield()
    return backend.handle(request)
  }
}
