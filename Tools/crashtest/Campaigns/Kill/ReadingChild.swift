import Glibc
import KeyValueStore

/// A process that reads one snapshot after the other, while others write and die, until its standard input ends.
struct ReadingChild {
  /// What it says when it has opened the store.
  static let openLine = "open"

  let path: String

  func run() throws {
    guard let environment = try open() else { return }
    defer { environment.close() }
    Output.line(Self.openLine)
    var snapshots = 0
    var last: StoreState?
    while !isInputEnded {
      let tables = try environment.tableNames().compactMap { try environment.tableIfPresent($0) }
      let state = try environment.read { try StoreState.read($0, tables) }
      if let last { try check(state, after: last) }
      last = state
      snapshots += 1
    }
    Output.line("snapshots\t\(snapshots)")
  }

  /// Opens the store as soon as there is one; nil if the input ends before.
  private func open() throws -> Environment? {
    while !isInputEnded {
      do {
        return try Environment(at: path, options: .init(access: .readOnly, mapBytesInitial: 1 << 30))
      } catch StoreError.noSuchStore {
        usleep(500)
      }
    }
    return nil
  }

  /// What a process has seen doesn't go away while it lives.
  private func check(_ state: StoreState, after last: StoreState) throws {
    for number in last.lanes.keys where state.commit(of: number) < last.commit(of: number) {
      throw Finding(
        "a reader has seen lane \(number) go back from \(last.commit(of: number)) to \(state.commit(of: number))")
    }
  }

  private var isInputEnded: Bool {
    var request = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
    return poll(&request, 1, 0) > 0
  }
}
