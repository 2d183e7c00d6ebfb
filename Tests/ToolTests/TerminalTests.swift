import Foundation
import Glibc
import TestSupport
import Testing

@testable import StoreTool

/// What is written for eyes only: colours and progress, at a terminal and nowhere else.
@Suite struct TerminalTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try TrackerStore.make(at: folder["s"])
  }

  @Test func terminalsHaveColours() throws {
    let lines = try shown(["dump", folder["s"], "--entity", "User"])
    #expect(lines.first == "\u{1b}[1mUser row 1\u{1b}[0m")
    #expect(try shown(["verify", folder["s"]]).contains("\u{1b}[32mThe store is sound.\u{1b}[0m"))
    let failure = try shown(["get", folder["s"], "User", "4"])
    #expect(failure == ["\u{1b}[31mswiftsync:\u{1b}[0m There is no User with the id '4'."])
  }

  @Test("Whoever wants no colours gets none", arguments: [["NO_COLOR": "1"], ["TERM": "dumb"]])
  func colourless(_ variables: [String: String]) throws {
    #expect(try shown(["dump", folder["s"], "--entity", "User"], variables).first == "User row 1")
    let failure = try shown(["get", folder["s"], "User", "4"], variables)
    #expect(failure == ["swiftsync: There is no User with the id '4'."])
  }

  @Test func dataForProgramsHasNone() throws {
    for line in [["export"], ["dump", "--format", "ndjson"], ["info", "--format", "json"]] {
      let output = try shown([line[0], folder["s"]] + line.dropFirst()).joined(separator: "\n")
      #expect(!output.contains("\u{1b}"), "\(line)")
    }
  }

  @Test(
    "A line of progress says how much is done, in the terminal's width",
    arguments: [
      (0, 10, 80, "[------------------------------]   0% Reading A\\u{1b}"),
      (5, 10, 80, "[###############---------------]  50% Reading A\\u{1b}"),
      (999, 1000, 80, "[#############################-]  99% Reading A\\u{1b}"),
      (10, 10, 80, "[##############################] 100% Reading A\\u{1b}"),
      (11, 10, 80, "[##############################] 100% Reading A\\u{1b}"),
      (-1, 10, 80, "[------------------------------]   0% Reading A\\u{1b}"),
      (0, 0, 80, "[------------------------------]   0% Reading A\\u{1b}"),
      (.max, .max, 10, "[########"), (1, 2, 1, ""), (1, 2, 0, ""),
    ])
  func progressLines(_ done: Int, _ total: Int, _ columnCount: Int, _ expected: String) {
    #expect(ProgressLine.text("Reading A\u{1b}", done, of: total, columnCount: columnCount) == expected)
  }

  @Test func progressIsWrittenOverAndTakenAway() throws {
    let path = folder["line"]
    let descriptor = open(path, O_WRONLY | O_CREAT, 0o600)
    try #require(descriptor >= 0)
    defer { close(descriptor) }
    var silent = ProgressLine("Nothing", descriptor: descriptor, patience: .seconds(3600))
    silent.show(1, of: 2)
    silent.clear()
    #expect(try ToolRun.text(at: path).isEmpty)
    var line = ProgressLine("Work", descriptor: descriptor, patience: .zero)
    line.show(1, of: 2)
    line.clear()
    line.clear()
    #expect(
      try ToolRun.text(at: path)
        == "\r[###############---------------]  50% Work\u{1b}[K" + "\r\u{1b}[K")
  }

  /// The lines that the tool writes to a terminal.
  private func shown(_ words: [String], _ variables: [String: String] = [:]) throws -> [String] {
    let terminal = try PseudoTerminal()
    var environment = ProcessInfo.processInfo.environment
    environment["NO_COLOR"] = nil
    environment["TERM"] = "xterm"
    environment.merge(variables) { $1 }
    let process = try ChildProgram(
      ChildProgram.built("swiftsync"), words, output: terminal.path, messages: terminal.path, environment: environment)
    let text = try terminal.text { try process.hasEnded() }
    _ = try process.wait()
    return text.replacing("\r\n", with: "\n").split(separator: "\n").map(String.init)
  }
}
