/// The description of a command, from which its line is parsed and its help is written.
struct CommandSyntax: Sendable {
  let name: String
  /// One line, shown in the list of commands.
  let summary: String
  /// Paragraphs of the command's own help.
  let discussion: String
  let operands: [Operand]
  let options: [any OptionSyntax]
  let examples: [Example]
}

/// A word on the line that is meant by its position.
struct Operand: Sendable {
  /// What the help calls it, in capitals. Distinct among the operands of a command.
  let placeholder: String
  let help: String
  /// Whether the line may end before it. Only the last operands can be left out.
  var isOptional = false

  /// The store that a command reads.
  static let store = Operand(placeholder: "STORE", help: "The folder of the store.")
}

/// A line that can be typed as it stands, and what it is for.
struct Example: Sendable {
  let line: String
  let purpose: String
}

/// What the parser and the help need to know of an option, whatever the type of its value.
protocol OptionSyntax: Sendable {
  /// With its two dashes.
  var name: String { get }
  /// What the help writes behind the name.
  var placeholder: String { get }
  var help: String { get }
  /// Whether a value follows.
  var takesValue: Bool { get }
  var choices: [String] { get }
}

/// An option that takes a value. A command keeps its options as constants and asks the parsed line for their values.
struct Option<Value: ArgumentValue>: OptionSyntax {
  let name: String
  let placeholder: String
  let help: String
  var takesValue: Bool { true }
  /// The words that the value can be, if they are few: for completions.
  var choices: [String] { Value.choices }
}

/// An option that is there or not.
struct Flag: OptionSyntax {
  let name: String
  let help: String
  var placeholder: String { "" }
  var takesValue: Bool { false }
  var choices: [String] { [] }
}
