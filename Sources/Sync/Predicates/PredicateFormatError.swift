/// Why a text is no predicate. Each case says where, as the number of characters in front.
public enum PredicateFormatError: Error, Sendable, Hashable {
  /// Something stands where something else has to.
  case unexpected(position: Int, found: String, expected: String)
  /// A text in quotation marks doesn't end.
  case unterminatedText(position: Int)
  /// There are fewer arguments than places for them.
  case missingArgument(position: Int, specifier: String, number: Int)
  /// An argument is nothing that can stand in its place.
  case wrongArgument(position: Int, specifier: String, number: Int, type: String)
  /// There are more arguments than places for them.
  case unusedArguments(used: Int, given: Int)
  /// It is part of the format elsewhere, and the store can't look for it.
  case unsupported(position: Int, what: String)
  /// Brackets, negations or calculations are nested too deep.
  case tooDeep(position: Int, max: Int)

  /// Where in the text it is; nil for what is at no place.
  public var position: Int? {
    switch self {
    case .unexpected(let position, _, _), .unterminatedText(let position), .missingArgument(let position, _, _),
      .wrongArgument(let position, _, _, _), .unsupported(let position, _), .tooDeep(let position, _):
      position
    case .unusedArguments: nil
    }
  }
}

extension PredicateFormatError: CustomStringConvertible {
  /// The error as a sentence.
  public var description: String {
    switch self {
    case .unexpected(let position, let found, let expected):
      "At character \(position) of the predicate there is \(found), and should be \(expected)."
    case .unterminatedText(let position):
      "The text that begins at character \(position) of the predicate does not end."
    case .missingArgument(let position, let specifier, let number):
      "The \(specifier) at character \(position) of the predicate needs argument \(number), which is not given."
    case .wrongArgument(let position, let specifier, let number, let type):
      "Argument \(number) cannot stand for the \(specifier) at character \(position) of the predicate: it is of the type \(type)."
    case .unusedArguments(let used, let given):
      "The predicate has places for \(used) arguments, and \(given) are given."
    case .unsupported(let position, let what):
      "At character \(position) of the predicate there is \(what), which cannot be looked for here."
    case .tooDeep(let position, let max):
      "At character \(position) the predicate is nested deeper than \(max) levels."
    }
  }
}
