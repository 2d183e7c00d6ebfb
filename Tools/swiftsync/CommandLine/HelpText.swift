/// The texts that `--help` prints, made from the descriptions that the parser uses.
enum HelpText {
  static func tool(_ commands: [CommandSyntax]) -> String {
    """
    Look into a store of SwiftSync, whatever application wrote it and whether or not it is running, or sync a payload into one.

    Usage: swiftsync COMMAND …

    Commands:
    \(columns(commands.map { ($0.name, $0.summary) }))

    Options:
    \(columns([help, ("--version", "Print the version.")]))

    Data goes to standard output, messages go to standard error.
    Exit codes: 0 fine, 1 a problem, 64 a line that makes no sense.

    Example: show what a store holds
      swiftsync info app.store

    """
  }

  static func command(_ syntax: CommandSyntax) -> String {
    let usage =
      ["swiftsync", syntax.name] + syntax.operands.map { $0.isOptional ? "[\($0.placeholder)]" : $0.placeholder }
      + syntax.options.map { "[\(title($0))]" }
    let examples = syntax.examples.map { "  # \($0.purpose)\n  \($0.line)" }
    return """
      \(syntax.discussion)

      \(wrapped(["Usage:"] + usage))

      \(operands(syntax))Options:
      \(columns(syntax.options.map { (title($0), $0.help) } + [help]))

      \(examples.count == 1 ? "Example:" : "Examples:")
      \(examples.joined(separator: "\n"))

      """
  }

  private static func operands(_ syntax: CommandSyntax) -> String {
    syntax.operands.isEmpty ? "" : "Operands:\n\(columns(syntax.operands.map { ($0.placeholder, $0.help) }))\n\n"
  }

  /// Words in lines that a terminal can show, all but the first indented.
  private static func wrapped(_ words: [String]) -> String {
    var lines: [String] = []
    for word in words {
      if let last = lines.last, last.count + word.count < 100 {
        lines[lines.count - 1] = "\(last) \(word)"
      } else {
        lines.append(lines.isEmpty ? word : "    \(word)")
      }
    }
    return lines.joined(separator: "\n")
  }

  private static let help = ("--help", "Print this text.")

  private static func title(_ option: any OptionSyntax) -> String {
    option.takesValue ? "\(option.name) \(option.placeholder)" : option.name
  }

  private static func columns(_ rows: [(String, String)]) -> String {
    var table = TextTable(indentation: 2)
    for (left, right) in rows { table.add([left, right]) }
    return table.lines.joined(separator: "\n")
  }
}
