import Glibc
import TestSupport

@testable import KeyValueStore

/// Faults that a test switches on and off while a store is open.
final class Faults: Sendable {
  private struct State {
    var operation = FileOperation.write
    var file = ""
    /// Only writes to this place of the file.
    var offset: Int?
    /// How many calls go well before.
    var skip = 0
    var failuresLeft = 0
    var errno: Int32 = EIO
    var gate: Gate?
    var hits = 0
  }

  private let monitor = Monitor(State())

  /// How many calls have failed or been held up.
  var hits: Int { monitor.withLock { $0.hits } }

  /// Lets calls fail on files whose names begin with `file`: after `skip` that go well, `count` of them.
  func fail(
    _ operation: FileOperation, _ file: String, at offset: Int? = nil, skip: Int = 0, count: Int = .max,
    with errno: Int32 = EIO
  ) {
    monitor.withLock {
      $0 = State(
        operation: operation, file: file, offset: offset, skip: skip, failuresLeft: count, errno: errno)
    }
  }

  /// Holds one call up until the gate is open, and lets it fail then if it has an error.
  func hold(_ operation: FileOperation, _ file: String, at gate: Gate, failing errno: Int32 = 0) {
    monitor.withLock {
      $0 = State(operation: operation, file: file, failuresLeft: 1, errno: errno, gate: gate)
    }
  }

  /// Lets everything go well from now on.
  func heal() {
    monitor.withLock { $0.failuresLeft = 0 }
  }

  /// The system's files with these faults.
  func files(tearingWrites isTearing: Bool = false) -> FaultyFiles {
    FaultyFiles(
      isTearingWrites: isTearing,
      beforeWrite: { [self] (path, offset) throws(FileError) in try check(.write, path, offset) },
      { [self] (_, operation, path) throws(FileError) in
        if operation != .write { try check(operation, path, nil) }
      })
  }

  private func check(_ operation: FileOperation, _ path: String, _ offset: Int?) throws(FileError) {
    let (gate, errno): (Gate?, Int32) = monitor.withLock { state in
      let isMeant =
        state.failuresLeft > 0 && state.operation == operation
        && path.split(separator: "/").last?.hasPrefix(state.file) == true
        && (state.offset == nil || state.offset == offset)
      guard isMeant else { return (nil, 0) }
      if state.skip > 0 {
        state.skip -= 1
        return (nil, 0)
      }
      state.failuresLeft -= 1
      state.hits += 1
      return (state.gate, state.errno)
    }
    gate?.pass()
    if errno != 0 { throw FileError(operation, path, errno: errno) }
  }
}
