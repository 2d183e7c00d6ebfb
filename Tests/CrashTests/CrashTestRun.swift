import FoundationEssentials
import TestSupport
import Testing

/// A finished run of the tool `crashtest`. It is a program of its own, because it replaces the C library's file calls.
struct CrashTestRun {
  let exitCode: Int32
  let output: String

  var lines: [Substring] { output.split(separator: "\n") }

  /// Runs the tool with the words of a line. What fails is kept in a folder that is gone after the run.
  init(_ line: String) throws {
    let folder = try TemporaryFolder()
    let words = line.split(separator: " ").map(String.init) + ["--failures", folder["failures"]]
    exitCode = try Self.run(words, output: folder["output"])
    output = try String(decoding: Data(contentsOf: URL(filePath: folder["output"])), as: UTF8.self)
  }

  /// The exit code; the signal's number, negative, if one has ended it.
  private static func run(_ words: [String], output: String) throws -> Int32 {
    switch try ChildProgram(ChildProgram.built("crashtest"), words, output: output, environment: [:]).wait() {
    case .exited(let code): code
    case .killed(let signal): -signal
    }
  }
}
