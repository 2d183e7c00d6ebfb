/// A line that the tool cannot make sense of. The tool exits with 64 then, and has done nothing.
enum UsageError: Error, Equatable {
  case noCommand
  case unknownCommand(String)
  case unknownOption(String, command: String)
  case repeatedOption(String, command: String)
  case valueMissing(option: String, command: String)
  case valueSurplus(option: String, command: String)
  case valueUnreadable(String, option: String, command: String, expectation: String)
  case optionMissing(String, command: String)
  case operandUnreadable(String, placeholder: String, command: String, expectation: String)
  case operandMissing(String, command: String)
  case operandSurplus(String, command: String)
}

extension UsageError: CustomStringConvertible {
  var description: String {
    switch self {
    case .noCommand:
      "Which command? See 'swiftsync --help'."
    case .unknownCommand(let name):
      "There is no command or option '\(name)'; see 'swiftsync --help'."
    case .unknownOption(let option, let command):
      "'\(command)' has no option '\(option)'\(help(for: command))"
    case .repeatedOption(let option, let command):
      "The option '\(option)' is given twice\(help(for: command))"
    case .valueMissing(let option, let command):
      "The option '\(option)' needs a value\(help(for: command))"
    case .valueSurplus(let option, let command):
      "The option '\(option)' takes no value\(help(for: command))"
    case .valueUnreadable(let value, let option, let command, let expectation):
      "The option '\(option)' expects \(expectation), not '\(value)'\(help(for: command))"
    case .optionMissing(let option, let command):
      "'\(command)' needs the option '\(option)'\(help(for: command))"
    case .operandUnreadable(let value, let placeholder, let command, let expectation):
      "The \(placeholder) is to be \(expectation), not '\(value)'\(help(for: command))"
    case .operandMissing(let placeholder, let command):
      "'\(command)' needs a \(placeholder)\(help(for: command))"
    case .operandSurplus(let word, let command):
      "'\(command)' has no place for '\(word)'\(help(for: command))"
    }
  }

  private func help(for command: String) -> String {
    "; see 'swiftsync \(command) --help'."
  }
}
