import Glibc
import TestSupport
import Testing

/// Outputs that end early.
@Suite struct InterruptionTests {
  /// A reader that goes away, as `head` does, is no problem.
  @Test func closedPipeIsQuiet() throws {
    try withRunReadingOneByte { run in
      run.closeReader()
      return ToolRun(end: .exited(0), output: "", messages: "")
    }
  }

  /// The tool ends by the signal that it was sent, and its child with it.
  @Test(arguments: [SIGTERM, SIGINT, SIGHUP]) func signalsEndTheTool(_ signal: Int32) throws {
    try withRunReadingOneByte { run in
      kill(run.process.id, signal)
      return ToolRun(end: .killed(signal: signal), output: "", messages: "")
    }
  }

  @Test func fullDiskIsReported() throws {
    let folder = try TemporaryFolder()
    try TrackerStore.make(at: folder["store"])
    let process = try ChildProgram(
      ChildProgram.built("swiftsync"), ["export", folder["store"]], output: "/dev/full", messages: folder["messages"])
    #expect(try process.wait() == .exited(1))
    #expect(
      try ToolRun.text(at: folder["messages"])
        == "swiftsync: The output could not be written: No space left on device.\n")
  }

  /// Runs an export that is longer than a pipe can hold, reads its first byte, does something to it, and expects the end.
  private func withRunReadingOneByte(_ body: (PipedRun) throws -> ToolRun) throws {
    let folder = try TemporaryFolder()
    try LargeStore.make(at: folder["store"])
    let run = try PipedRun(["export", folder["store"]], in: folder)
    let expected = try body(run)
    #expect(try run.process.wait() == expected.end)
    #expect(try ToolRun.text(at: folder["messages"]) == expected.messages)
  }
}

/// A run of the tool that waits for somebody to read its output.
private final class PipedRun {
  let process: ChildProgram
  private var reader: Int32?

  init(_ arguments: [String], in folder: TemporaryFolder) throws {
    try #require(mkfifo(folder["pipe"], 0o600) == 0)
    // Opened before there is a writer, which only works without waiting for one, and not for the tools that other tests
    // start meanwhile, which would be readers too.
    let reader = open(folder["pipe"], O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    try #require(reader >= 0)
    self.reader = reader
    process = try ChildProgram(
      ChildProgram.built("swiftsync"), arguments, output: folder["pipe"], messages: folder["messages"])
    try #require(fcntl(reader, F_SETFL, 0) == 0)
    var poll = pollfd(fd: reader, events: Int16(POLLIN), revents: 0)
    while Glibc.poll(&poll, 1, -1) < 0 { try #require(errno == EINTR) }
    var byte: UInt8 = 0
    try #require(read(reader, &byte, 1) == 1)
    #expect(byte == UInt8(ascii: "{"))
  }

  deinit {
    closeReader()
  }

  func closeReader() {
    if let reader { close(reader) }
    reader = nil
  }
}
