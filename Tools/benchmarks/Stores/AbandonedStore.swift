import Foundation

/// A store whose process is killed while its log holds commits that are in no checkpoint.
struct AbandonedStore {
  /// The command by which this program makes one. Not one for users, because the process kills itself.
  static let command = "abandon-store"

  var path: String
  var rowCount: Int
  var commitCount: Int

  /// That the process was meant to be killed, and was not.
  struct ChildSurvived: Error, CustomStringConvertible {
    let status: Int32

    var description: String { "The process that was to leave a store behind ended with status \(status)." }
  }

  init(path: String, rowCount: Int, commitCount: Int) {
    self.path = path
    self.rowCount = rowCount
    self.commitCount = commitCount
  }

  /// What the command line of the child says; nil if it makes no sense.
  init?(_ arguments: [String]) {
    guard arguments.count == 3, let rowCount = Int(arguments[1]), let commitCount = Int(arguments[2]) else {
      return nil
    }
    self.init(path: arguments[0], rowCount: rowCount, commitCount: commitCount)
  }

  /// Has another process of this program make it.
  func makeInChild() throws {
    let child = Process()
    child.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    child.arguments = [Self.command, path, "\(rowCount)", "\(commitCount)"]
    try child.run()
    child.waitUntilExit()
    guard child.terminationReason == .uncaughtSignal, child.terminationStatus == SIGKILL else {
      throw ChildSurvived(status: child.terminationStatus)
    }
  }

  /// Makes it, and kills the process.
  func make() throws {
    let rows = RowSource(rowCount: rowCount)
    var updates = rows.updates(seed: 0)
    do {
      // Lengthens the log's files, so that all the commits that follow lie between two checkpoints.
      let store = try StoreRows(at: path, durability: .relaxed, filledWith: rows)
      for _ in 0..<(3 * commitCount) { try store.update(updates.next()) }
    }
    let store = try StoreRows(at: path, durability: .relaxed)
    for _ in 0..<commitCount { try store.update(updates.next()) }
    kill(getpid(), SIGKILL)
  }
}
