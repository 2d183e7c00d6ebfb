import Foundation

extension PredicateExpression {
  /// The tokens that the expression can compare a transaction's with: those that its constant parts come to, wherever these
  /// stand, alone or in a collection or range.
  var constantTokens: [DefaultHistoryToken] {
    guard isConstant else { return (self as? any PredicateNode)?.parts.flatMap(\.constantTokens) ?? [] }
    // One that cannot be computed is an error only if it is needed, and evaluating the predicate throws it then.
    return (try? Evaluation(row: nil).evaluator(of: self)()).map(DefaultHistoryToken.all) ?? []
  }
}

extension DefaultHistoryToken {
  /// The tokens that a value of any type is or has.
  fileprivate static func all(in value: Any) -> [DefaultHistoryToken] {
    switch value {
    case let token as DefaultHistoryToken: [token]
    case let tokens as any Sequence<DefaultHistoryToken>: Array(tokens)
    case let range as any ConstantRange: [range.lower, range.upper].compactMap { $0 as? DefaultHistoryToken }
    default: []
    }
  }
}
