import Testing

@testable import StoreTool

/// Lines that make no sense, and the texts that explain those that do.
@Suite struct UsageTests {
  static let mistakes: [(line: [String], message: String)] = [
    ([], "Which command? See 'swiftsync --help'."),
    (["frobnicate"], "There is no command or option 'frobnicate'; see 'swiftsync --help'."),
    (["--frobnicate"], "There is no command or option '--frobnicate'; see 'swiftsync --help'."),
    (["info"], "'info' needs a STORE; see 'swiftsync info --help'."),
    (["info", "a", "b"], "'info' has no place for 'b'; see 'swiftsync info --help'."),
    (["info", "--", "--a", "b"], "'info' has no place for 'b'; see 'swiftsync info --help'."),
    (["info", "a", "--entity", "E"], "'info' has no option '--entity'; see 'swiftsync info --help'."),
    (
      ["info", "a", "--format", "ndjson"],
      "The option '--format' expects text or json, not 'ndjson'; see 'swiftsync info --help'."
    ),
    (["dump", "a", "--entity"], "The option '--entity' needs a value; see 'swiftsync dump --help'."),
    (
      ["dump", "a", "--entity=A", "--entity", "B"],
      "The option '--entity' is given twice; see 'swiftsync dump --help'."
    ),
    (
      ["dump", "a", "--format="],
      "The option '--format' expects text, json or ndjson, not ''; see 'swiftsync dump --help'."
    ),
    (
      ["dump", "a", "--limit", "0"],
      "The option '--limit' expects a number from 1, not '0'; see 'swiftsync dump --help'."
    ),
    (
      ["dump", "a", "--limit=many\nrows"],
      "The option '--limit' expects a number from 1, not 'many rows'; see 'swiftsync dump --help'."
    ),
    (["sync", "a", "b", "--model", "m"], "'sync' needs the option '--entity'; see 'swiftsync sync --help'."),
    (["export", "a", "-q"], "'export' has no option '-q'; see 'swiftsync export --help'."),
  ]

  @Test(arguments: mistakes.indices) func mistakesAreOneLine(_ index: Int) throws {
    let (line, message) = Self.mistakes[index]
    #expect(try ToolRun(line) == .failure(64, message))
  }

  @Test func helpListsTheCommands() throws {
    for line in [["--help"], ["-h"]] {
      let run = try ToolRun(line)
      #expect(run.end == .exited(0))
      #expect(run.messages == "")
      for command in Tool.commands { #expect(run.output.contains("  \(command.name) ")) }
      #expect(run.output.contains("swiftsync info app.store"))
    }
  }

  @Test(arguments: Tool.commands.indices) func everyCommandHasHelp(_ index: Int) throws {
    let syntax = Tool.commands[index].syntax
    for line in [[syntax.name, "--help"], [syntax.name, "a", "b", "c", "-h"]] {
      let run = try ToolRun(line)
      #expect(run.end == .exited(0))
      #expect(run.messages == "")
      #expect(run.output.contains("Usage: swiftsync \(syntax.name)"))
      for operand in syntax.operands { #expect(run.output.contains(operand.help)) }
      for option in syntax.options { #expect(run.output.contains("  \(option.name) \(option.placeholder)")) }
      let example = try #require(syntax.examples.first)
      #expect(run.output.contains("  \(example.line)\n"))
      // A terminal is 80 columns wide, and the texts are written for not much more.
      #expect(run.output.split(separator: "\n").allSatisfy { $0.count <= 120 && $0.last != " " })
    }
  }

  @Test func versionIsPrinted() throws {
    let run = try ToolRun("--version")
    #expect(run == ToolRun(end: .exited(0), output: "swiftsync \(Tool.version)\n", messages: ""))
  }
}
