/// A command line that makes no sense.
enum UsageError: Error, Equatable, CustomStringConvertible {
  case noCommand
  case unknownCommand(String)
  case unknownOption(String)
  case unknownCase(String)
  case missingFile
  case missingValue(option: String)
  case notANumber(option: String, text: String)

  var description: String {
    switch self {
    case .noCommand: "A command is missing."
    case .unknownCommand(let word): "There is no command '\(word)'."
    case .unknownOption(let option): "There is no option '\(option)' here."
    case .unknownCase(let name): "There is no case '\(name)'; 'benchmarks list' shows all."
    case .missingFile: "The file with a report is missing."
    case .missingValue(let option): "The option '\(option)' needs a value."
    case .notANumber(let option, let text): "The option '\(option)' expects a number from 1, not '\(text)'."
    }
  }
}
