/// One command of the tool. Each is a type in a file of its own in `Commands`, listed in `Tool.commands`.
protocol Command: Sendable {
  /// What the command is called and what may follow it on the line. Parsing and help are both made from it.
  static var syntax: CommandSyntax { get }

  /// Takes the command's operands and options out of a parsed line.
  init(_ arguments: Arguments) throws(UsageError)

  /// The stores that the command reads, as they were named on the line.
  ///
  /// A damaged page can end the process that reads it, so a command that names a store runs in a child process whose end
  /// the tool survives, see `Supervisor`.
  var stores: [String] { get }

  /// Does the work. Data goes to the output and nothing else does; whatever goes wrong is thrown.
  func run(output: StandardOutput) throws
}

extension Command {
  static var name: String { syntax.name }
}
