import TestSupport
import Testing

@testable import StoreTool

/// What is made of the descriptions of commands for shells and for man.
@Suite struct CompletionTests {
  @Test(arguments: ["bash", "zsh", "fish"]) func everyCommandAndOptionIsThere(shell: String) throws {
    let script = try ToolRun("completions", shell)
    #expect(script.end == .exited(0) && script.messages == "")
    for command in Tool.commands.map({ $0.syntax }) {
      #expect(script.output.contains(command.name))
      for option in command.options {
        #expect(script.output.contains(shell == "fish" ? " -l \(option.name.dropFirst(2))" : option.name))
        for choice in option.choices { #expect(script.output.contains(choice)) }
      }
    }
  }

  @Test func bashReadsItsScript() throws {
    let folder = try TemporaryFolder()
    let script = try ToolRun("completions", "bash").output
    let check = """
      \(script)
      complete_line() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=(); _swiftsync; echo "${COMPREPLY[*]}"; }
      complete_line swiftsync du
      complete_line swiftsync dump s.store --format n
      complete_line swiftsync dump --li
      """
    let bash = try ChildProgram("/bin/bash", ["-c", check], output: folder["out"], messages: folder["messages"])
    #expect(try bash.wait() == .exited(0))
    #expect(try ToolRun.text(at: folder["messages"]).isEmpty)
    #expect(try ToolRun.text(at: folder["out"]) == "dump\nndjson\n--limit\n")
  }

  @Test func theManualHasEveryCommand() throws {
    let lines = try ToolRun("manual").output.split(separator: "\n")
    for command in Tool.commands.map({ $0.syntax }) {
      #expect(lines.contains { $0.hasPrefix(".SS \"swiftsync \(command.name.replacing("-", with: "\\-"))") })
    }
    let requests = Set(lines.filter { $0.hasPrefix(".") || $0.hasPrefix("'") }.map { String($0.prefix { $0 != " " }) })
    #expect(requests.isSubset(of: [".TH", ".SH", ".SS", ".B", ".I", ".TP", ".PP", ".nf", ".fi", ".RS", ".RE"]))
  }

  @Test func anotherShellIsAMistake() throws {
    #expect(
      try ToolRun("completions", "csh")
        == .failure(64, "The SHELL is to be bash, zsh or fish, not 'csh'; see 'swiftsync completions --help'."))
    #expect(
      try ToolRun("find", "s", "E", "--count=3")
        == .failure(64, "The option '--count' takes no value; see 'swiftsync find --help'."))
  }
}
