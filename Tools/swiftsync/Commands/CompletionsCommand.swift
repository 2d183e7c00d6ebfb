/// `swiftsync completions`: a script that completes the tool's lines in a shell.
struct CompletionsCommand: Command {
  static let shell = Operand(placeholder: "SHELL", help: "bash, zsh or fish.")

  static let syntax = CommandSyntax(
    name: "completions",
    summary: "Print a script that completes lines in a shell.",
    discussion: "Print a script that lets a shell complete the commands and options of the tool.",
    operands: [shell],
    options: [],
    examples: [
      Example(line: "source <(swiftsync completions bash)", purpose: "try it in this shell"),
      Example(
        line: "swiftsync completions fish > ~/.config/fish/completions/swiftsync.fish", purpose: "keep it for fish"),
    ])

  let shell: ShellCompletions.Shell

  init(_ arguments: Arguments) throws(UsageError) {
    let word = try arguments.operand(Self.shell)
    guard let shell = ShellCompletions.Shell(argument: word) else {
      throw .operandUnreadable(
        word, placeholder: Self.shell.placeholder, command: Self.name, expectation: ShellCompletions.Shell.expectation)
    }
    self.shell = shell
  }

  var stores: [String] { [] }

  func run(output: StandardOutput) throws {
    try output.write(ShellCompletions(commands: Tool.commands.map { $0.syntax }).script(for: shell))
  }
}
