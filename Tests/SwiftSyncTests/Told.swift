import Synchronization

/// What observers have been told, by name.
final class Told: Sendable {
  private let state = Mutex<[String]>([])

  var names: [String] { state.withLock { $0.sorted() } }

  func note(_ name: String) {
    state.withLock { $0.append(name) }
  }
}
