/// What a line asks the tool to do.
enum Invocation {
  case run(any Command)
  /// A text to print: a help, or the version.
  case print(String)

  init(_ words: [String]) throws(UsageError) {
    guard let first = words.first else { throw .noCommand }
    switch first {
    case let option where Invocation.isHelp(option):
      self = .print(HelpText.tool(Tool.commands.map { $0.syntax }))
    case "--version":
      self = .print("swiftsync \(Tool.version)\n")
    case let option where option.hasPrefix("-"):
      throw .unknownCommand(option)
    default:
      guard let command = Tool.commands.first(where: { $0.name == first }) else { throw .unknownCommand(first) }
      // Whoever asks for help need not know how to write the rest of the line.
      if words.prefix(while: { $0 != "--" }).contains(where: Invocation.isHelp) {
        self = .print(HelpText.command(command.syntax))
      } else {
        self = .run(try command.init(Arguments(Array(words.dropFirst()), syntax: command.syntax)))
      }
    }
  }

  private static func isHelp(_ word: String) -> Bool {
    word == "--help" || word == "-h"
  }
}
