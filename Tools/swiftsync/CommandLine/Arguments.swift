/// What follows a command on the line, sorted into operands and options.
///
/// Words are checked against the command's syntax when they are taken apart, values when the command asks for them.
struct Arguments: Sendable {
  private let syntax: CommandSyntax
  private var operands: [String: String] = [:]
  private var values: [String: String] = [:]

  init(_ words: [String], syntax: CommandSyntax) throws(UsageError) {
    self.syntax = syntax
    var rest = words[...]
    while let word = rest.popFirst() {
      if word == "--" {
        for operand in rest { try take(operand: operand) }
        return
      }
      // A single dash by itself is a word like any other.
      if word.hasPrefix("-"), word != "-" {
        try take(option: word, &rest)
      } else {
        try take(operand: word)
      }
    }
  }

  func operand(_ operand: Operand) throws(UsageError) -> String {
    guard let value = operands[operand.placeholder] else {
      throw .operandMissing(operand.placeholder, command: syntax.name)
    }
    return value
  }

  /// An operand that may be left out.
  func optional(_ operand: Operand) -> String? { operands[operand.placeholder] }

  func contains(_ flag: Flag) -> Bool { values[flag.name] != nil }

  /// The option's value; nil when the line does not have the option.
  func value<Value>(of option: Option<Value>) throws(UsageError) -> Value? {
    guard let word = values[option.name] else { return nil }
    guard let value = Value(argument: word) else {
      throw .valueUnreadable(word, option: option.name, command: syntax.name, expectation: Value.expectation)
    }
    return value
  }

  /// The value of an option that the line must have.
  func required<Value>(_ option: Option<Value>) throws(UsageError) -> Value {
    guard let value = try value(of: option) else { throw .optionMissing(option.name, command: syntax.name) }
    return value
  }

  private mutating func take(operand word: String) throws(UsageError) {
    guard operands.count < syntax.operands.count else { throw .operandSurplus(word, command: syntax.name) }
    operands[syntax.operands[operands.count].placeholder] = word
  }

  /// Takes `--name value` or `--name=value`.
  private mutating func take(option word: String, _ rest: inout ArraySlice<String>) throws(UsageError) {
    let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(parts[0])
    guard let option = syntax.options.first(where: { $0.name == name }) else {
      throw .unknownOption(name, command: syntax.name)
    }
    if parts.count == 2, !option.takesValue { throw .valueSurplus(option: name, command: syntax.name) }
    guard let value = parts.count == 2 ? String(parts[1]) : option.takesValue ? rest.popFirst() : "" else {
      throw .valueMissing(option: name, command: syntax.name)
    }
    guard values.updateValue(value, forKey: name) == nil else {
      throw .repeatedOption(name, command: syntax.name)
    }
  }
}
