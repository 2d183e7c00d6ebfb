/// Why a fetch could not be answered. Each case names the part of the predicate that is at fault.
public enum FetchError: Error, Equatable, Sendable {
  /// A value is unwrapped with `!` where there is none. Compare it without unwrapping, or say `?? …`.
  case forcedUnwrapOfNil(expression: String)
  /// A value is cast with `as!` to a type that it does not have.
  case failedCast(expression: String, type: String)
  /// The result is beyond what a number of its type can be.
  case arithmeticOverflow(expression: String)
  /// An integer is divided by zero.
  case divisionByZero(expression: String)
  /// The lower bound of a range is above the upper one.
  case invalidRange(expression: String)
  /// An element or slice is asked for that the collection does not have.
  case indexOutOfRange(expression: String)
  /// The objects of an enumeration were edited, which keeps them all in memory until they are saved. Say
  /// `allowEscapingMutations: true` if that is what is wanted.
  case editedWhileEnumerating(model: String)
}

extension FetchError: CustomStringConvertible {
  /// The error as a sentence.
  public var description: String {
    switch self {
    case .forcedUnwrapOfNil(let expression):
      "\(expression) is unwrapped, but is nil in one of the rows."
    case .failedCast(let expression, let type):
      "\(expression) is cast to \(type), which it is not in one of the rows."
    case .arithmeticOverflow(let expression):
      "The result of \(expression) is too large for its type in one of the rows."
    case .divisionByZero(let expression):
      "\(expression) divides by zero in one of the rows."
    case .invalidRange(let expression):
      "The lower bound of \(expression) is above its upper bound in one of the rows."
    case .indexOutOfRange(let expression):
      "\(expression) asks for elements that are not there in one of the rows."
    case .editedWhileEnumerating(let model):
      "Objects of \(model) were edited while they were enumerated, which keeps them in memory: save them in the closure, or "
        + "enumerate with allowEscapingMutations: true."
    }
  }
}
