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

  /// Gives the evidence a place of its own, because it is looked at while the worker goes on, and returns that.
  func putAsideEvidence(_ number: Int) throws -> String {
    let place = "\(path(Self.evidence))-\(number)"
    guard rename(path(Self.evidence), place) == 0 else {
      throw HarnessError("the evidence can't be kept: error \(errno)")
    }
    return place
  }
}
