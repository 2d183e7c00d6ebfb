/// A line that the tool doesn't understand.
enum UsageError: Error, CustomStringConvertible {
  case unknownCampaign(String)
  case unknownOption(String)
  case valueMissing(String)
  case noNumber(String, option: String)
  case unknownChoice(String, option: String, choices: [String])

  var description: String {
    switch self {
    case .unknownCampaign(let word): "There is no campaign '\(word)'."
    case .unknownOption(let word): "There is no option '\(word)'."
    case .valueMissing(let option): "\(option) needs a value."
    case .noNumber(let word, let option): "'\(word)' is not a number, which \(option) needs."
    case .unknownChoice(let word, let option, let choices):
      "'\(word)' is not one of the choices for \(option): \(choices.joined(separator: ", "))."
    }
  }
}
