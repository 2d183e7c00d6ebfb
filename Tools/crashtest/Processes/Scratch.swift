import Glibc

/// A folder for one worker, in memory where there is a file system in memory.
struct Scratch: Sendable {
  /// The name of what a worker puts down before each test, for whoever looks at it if the worker dies.
  static let evidence = "evidence"

  let folder: String

  static func root() -> String {
    let memory = "/dev/shm"
    let place = access(memory, W_OK) == 0 ? memory : "/tmp"
    return "\(place)/crashtest-\(getpid())"
  }

  func path(_ name: String) -> String { "\(folder)/\(name)" }
}
