import Foundation
import TestSupport
import Testing

/// The story that `Tools/demo/run` tells, with a server that is a process of its own. It checks itself on its way.
@Suite("The demo program")
struct DemoProgramTests {
  @Test("two clients and a server, one client offline for a while, come to agree")
  func tellsOfflineStory() throws {
    let folder = try TemporaryFolder()
    let (exitCode, output) = try run("offline", folder["stores"], output: folder["output"])
    #expect(exitCode == 0, "\(output)")
    #expect(output.contains("Ben has what the server has") && output.contains("nothing to send"), "\(output)")
  }

  @Test("words that it doesn't know are answered with those that it does")
  func saysItsUsage() throws {
    let folder = try TemporaryFolder()
    let (exitCode, output) = try run("onlnie", folder["stores"], output: folder["output"])
    #expect(exitCode == 1 && output.contains("usage: demo"), "\(output)")
  }

  /// Runs the program, which is built into the folder that the tests are built into, to its end.
  private func run(_ words: String..., output: String) throws -> (exitCode: Int32, output: String) {
    let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    let process = Process()
    process.executableURL = URL(filePath: tests).deletingLastPathComponent().appending(path: "demo")
    process.arguments = words
    process.standardInput = FileHandle.nullDevice
    #expect(FileManager.default.createFile(atPath: output, contents: nil))
    let file = try #require(FileHandle(forWritingAtPath: output))
    process.standardOutput = file
    process.standardError = file
    try process.run()
    process.waitUntilExit()
    return (process.terminationStatus, try String(contentsOfFile: output, encoding: .utf8))
  }
}
