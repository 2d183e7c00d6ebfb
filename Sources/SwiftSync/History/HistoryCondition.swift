import Foundation

/// What can be told of a predicate on transactions without evaluating it.
struct HistoryCondition {
  /// Only transactions behind this number can match.
  var after: Int64?
  /// Only transactions up to this number can match.
  var through: Int64?
  /// Whether it asks for nothing but tokens and timestamps, and so for stretches of the history, whoever wrote.
  var isOfTime = true

  /// Of an expression that nothing is known of.
  static let unknown = HistoryCondition(isOfTime: false)

  /// Of a part of an expression.
  static func of(_ expression: Any) -> HistoryCondition {
    (expression as? any HistoryExpression)?.condition ?? .unknown
  }

  init(after: Int64? = nil, through: Int64? = nil, isOfTime: Bool = true) {
    self.after = after
    self.through = through
    self.isOfTime = isOfTime
  }

  init(_ predicate: Predicate<DefaultHistoryTransaction>?) {
    self = predicate.map { HistoryCondition.of($0.expression) } ?? HistoryCondition()
  }

  func and(_ other: HistoryCondition) -> HistoryCondition {
    var result = or(other)
    result.after = [after, other.after].compactMap { $0 }.max()
    result.through = [through, other.through].compactMap { $0 }.min()
    return result
  }

  /// Either of two conditions: it says nothing of where the transactions lie.
  func or(_ other: HistoryCondition) -> HistoryCondition {
    HistoryCondition(isOfTime: isOfTime && other.isOfTime)
  }
}

/// A part of a predicate's expression of which something can be told.
private protocol HistoryExpression {
  var condition: HistoryCondition { get }
  /// Whether it is the transaction's token.
  var isToken: Bool { get }
  /// The token that it stands for, if it is a constant.
  var constantToken: DefaultHistoryToken? { get }
}

extension HistoryExpression {
  var isToken: Bool { false }
  var constantToken: DefaultHistoryToken? { nil }
}

extension PredicateExpressions.KeyPath: HistoryExpression {
  var isToken: Bool { keyPath == \DefaultHistoryTransaction.token }
  var condition: HistoryCondition {
    isToken || keyPath == \DefaultHistoryTransaction.timestamp ? HistoryCondition() : .unknown
  }
}

extension PredicateExpressions.Value: HistoryExpression {
  var constantToken: DefaultHistoryToken? { value as? DefaultHistoryToken }
  var condition: HistoryCondition { HistoryCondition() }
}

extension PredicateExpressions.Conjunction: HistoryExpression {
  var condition: HistoryCondition { .of(lhs).and(.of(rhs)) }
}

extension PredicateExpressions.Disjunction: HistoryExpression {
  var condition: HistoryCondition { .of(lhs).or(.of(rhs)) }
}

extension PredicateExpressions.Negation: HistoryExpression {
  var condition: HistoryCondition {
    HistoryCondition(isOfTime: HistoryCondition.of(wrapped).isOfTime)
  }
}

extension PredicateExpressions.Equal: HistoryExpression {
  var condition: HistoryCondition {
    var result = HistoryCondition.of(lhs).or(.of(rhs))
    if let number = TokenComparison(lhs, rhs)?.number {
      result.after = number.before
      result.through = number
    }
    return result
  }
}

extension PredicateExpressions.Comparison: HistoryExpression {
  var condition: HistoryCondition {
    var result = HistoryCondition.of(lhs).or(.of(rhs))
    guard let comparison = TokenComparison(lhs, rhs) else { return result }
    let number = comparison.number
    switch (op, comparison.isTokenLeft) {
    case (.greaterThan, true), (.lessThan, false): result.after = number
    case (.greaterThanOrEqual, true), (.lessThanOrEqual, false): result.after = number.before
    case (.lessThan, true), (.greaterThan, false): result.through = number.before
    case (.lessThanOrEqual, true), (.greaterThanOrEqual, false): result.through = number
    @unknown default: break
    }
    return result
  }
}

extension Int64 {
  /// The number before, or the least of all: a token that was read from somewhere may have any number.
  fileprivate var before: Int64 { self == .min ? .min : self - 1 }
}

/// A comparison of the transaction's token with a constant one.
private struct TokenComparison {
  let number: Int64
  let isTokenLeft: Bool

  init?(_ left: Any, _ right: Any) {
    guard let left = left as? any HistoryExpression, let right = right as? any HistoryExpression else { return nil }
    if left.isToken, let token = right.constantToken {
      (number, isTokenLeft) = (token.number, true)
    } else if right.isToken, let token = left.constantToken {
      (number, isTokenLeft) = (token.number, false)
    } else {
      return nil
    }
  }
}
