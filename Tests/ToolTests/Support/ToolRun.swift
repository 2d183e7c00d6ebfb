import FoundationEssentials
import Glibc
import TestSupport
import Testing

/// A finished run of the tool.
struct ToolRun: Equatable {
  var end: ChildProgram.End
  var output: String
  var messages: String

  /// Runs the tool with its output and its messages going to files.
  init(_ arguments: String...) throws {
    try self.init(arguments)
  }

  init(_ arguments: [String], of program: String = "swiftsync") throws {
    let folder = try TemporaryFolder()
    let process = try ChildProgram(
      ChildProgram.built(program), arguments, output: folder["output"], messages: folder["messages"])
    end = try process.wait()
    output = try ToolRun.text(at: folder["output"])
    messages = try ToolRun.text(at: folder["messages"])
  }

  init(end: ChildProgram.End, output: String, messages: String) {
    self.end = end
    self.output = output
    self.messages = messages
  }

  static func text(at path: String) throws -> String {
    try String(decoding: Data(contentsOf: URL(filePath: path)), as: UTF8.self)
  }

  /// A run that did nothing but say one sentence.
  static func failure(_ exitCode: Int32, _ message: String) -> ToolRun {
    ToolRun(end: .exited(exitCode), output: "", messages: "swiftsync: \(message)\n")
  }
}
