import Foundation

/// Another process of this program, which does something where nothing else has been: so its memory is its own.
///
/// These commands are not for users.
enum PeerChild: String {
  /// Makes a workload: a folder and the number of tasks.
  case makeWorkload = "make-workload"
  /// Fills a peer's new store: the peer, whether it is indexed, the workload's folder, the store's folder.
  case fillStore = "fill-store"
  /// Does an operation and writes its turn as JSON: operation, peer, the workload's folder, the store's folder.
  case takeTurn = "take-turn"

  /// A child has failed, and says why.
  struct Failure: Error, CustomStringConvertible {
    let arguments: [String]
    let status: Int32

    var description: String { "'benchmarks \(arguments.joined(separator: " "))' ended with status \(status)." }
  }

  /// Has another process do it, and returns what it wrote.
  @discardableResult
  func run(_ arguments: String...) throws -> Data {
    let child = Process()
    let output = Pipe()
    child.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    child.arguments = [rawValue] + arguments
    child.standardOutput = output
    try child.run()
    let written = try output.fileHandleForReading.readToEnd() ?? Data()
    child.waitUntilExit()
    guard child.terminationReason == .exit, child.terminationStatus == EXIT_SUCCESS else {
      throw Failure(arguments: [rawValue] + arguments, status: child.terminationStatus)
    }
    return written
  }

  /// Does in this process what a command line of such a child says; false if it is none.
  static func serve(_ arguments: [String]) async throws -> Bool {
    guard let command = arguments.first.flatMap(PeerChild.init) else { return false }
    let rest = Array(arguments.dropFirst())
    switch (command, rest.count) {
    case (.makeWorkload, 2):
      guard let count = Int(rest[1]) else { return false }
      try TrackerWorkload(path: rest[0]).make(taskCount: count)
    case (.fillStore, 4):
      guard let peer = Peer(rawValue: rest[0]) else { return false }
      try await peer.fill(
        rest[3], with: TrackerWorkload(path: rest[2]), isIndexed: rest[1] == "\(true)")
    case (.takeTurn, 4):
      guard let operation = PeerOperation(rawValue: rest[0]), let peer = Peer(rawValue: rest[1]) else { return false }
      let run = PeerRun(
        operation: operation, peer: peer, workload: TrackerWorkload(path: rest[2]), store: rest[3])
      FileHandle.standardOutput.write(try await JSONEncoder().encode(run.run()))
    default: return false
    }
    return true
  }
}
