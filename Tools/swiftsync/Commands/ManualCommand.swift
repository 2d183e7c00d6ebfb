/// `swiftsync manual`: the tool's manual page.
struct ManualCommand: Command {
  static let syntax = CommandSyntax(
    name: "manual",
    summary: "Print the manual page, for man.",
    discussion: "Print the manual page of the tool in the format that man reads.",
    operands: [],
    options: [],
    examples: [Example(line: "swiftsync manual > swiftsync.1 && man ./swiftsync.1", purpose: "read it")])

  init(_ arguments: Arguments) throws(UsageError) {}

  var stores: [String] { [] }

  func run(output: StandardOutput) throws {
    try output.write(ManualPage(commands: Tool.commands.map { $0.syntax }).text)
  }
}
