import Foundation
import Records

/// Arithmetic on terms, where it cannot fail.
///
/// Integers can overflow and be divided by zero. The store evaluates conditions in whatever order is quick, so it could
/// stumble over a row that the predicate itself rules out first.
extension PredicateCompiler {
  /// The sum, difference, product or quotient of two floating-point numbers.
  func calculation(_ left: Term, _ operation: Records.Arithmetic?, _ right: Term, as type: Any.Type) -> Term {
    guard let operation, type == Double.self || type == Float.self else { return .unknown }
    return left.combined(with: right) { left, right in
      guard let left = left.number, let right = right.number else { return .unknown }
      return Term(.operand(.arithmetic(left, operation, right), isRaw: false))
    }
  }

  /// The quotient or remainder of two integers, if the divisor is a constant that cannot fail.
  func division(_ left: Term, _ operation: Records.Arithmetic, by right: Term) -> Term {
    guard let divisor = right.constant.flatMap({ FieldValue(storing: $0) }), divisor != .int(0), divisor != .uint(0),
      divisor != .int(-1)
    else { return .unknown }
    return left.map { left in
      guard let left = left.number else { return .unknown }
      return Term(.operand(.arithmetic(left, operation, .constant(divisor)), isRaw: false))
    }
  }
}

extension Term.Denotation {
  fileprivate var number: Operand? {
    switch self {
    case .operand(let operand, isRaw: false): operand
    case .constant(let value): FieldValue(storing: value).map { .constant($0) }
    default: nil
    }
  }
}
