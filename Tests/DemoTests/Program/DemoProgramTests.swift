import Foundation
import TestSupport
import Testing

/// The story that `Tools/demo/run` tells, with a server that is a process of its own. It checks itself on its way.
@Suite("The demo program")
struct DemoProgramTests {
  @Test("two clients and a server, one client offline for a while, come to agree")
  func tellsOfflineStory() throws {
    let folder = try TemporaryFolder()
    let (end, output) = try run("offline", folder["stores"], output: folder["output"])
    #expect(end == .exited(0), "\(output)")
    #expect(output.contains("Ben has what the server has") && output.contains("nothing to send"), "\(output)")
  }

  @Test("words that it doesn't know are answered with those that it does")
  func saysItsUsage() throws {
    let folder = try TemporaryFolder()
    let (end, output) = try run("onlnie", folder["stores"], output: folder["output"])
    #expect(end == .exited(1) && output.contains("usage: demo"), "\(output)")
  }

  /// Runs the program to its end.
  private func run(_ words: String..., output: String) throws -> (end: ChildProgram.End, output: String) {
    let end = try ChildProgram(ChildProgram.built("demo"), words, output: output).wait()
    return (end, try String(contentsOfFile: output, encoding: .utf8))
  }
}
