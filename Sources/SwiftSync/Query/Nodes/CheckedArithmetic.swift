/// Arithmetic that says nil instead of trapping, for types of which it is known only at run time that they could.
extension Numeric {
  static var addition: (Self, Self) -> Self? {
    checked { $0.overflowingAddition } ?? { $0 + $1 }
  }

  static var subtraction: (Self, Self) -> Self? {
    checked { $0.overflowingSubtraction } ?? { $0 - $1 }
  }

  static var multiplication: (Self, Self) -> Self? {
    checked { $0.overflowingMultiplication } ?? { $0 * $1 }
  }

  fileprivate static func checked(
    _ operation: (any FixedWidthInteger.Type) -> Any
  ) -> ((Self, Self) -> Self?)? {
    (self as? any FixedWidthInteger.Type).flatMap { operation($0) as? (Self, Self) -> Self? }
  }
}

extension BinaryInteger {
  /// Division by anything but zero.
  static var division: (Self, Self) -> Self? {
    checked { $0.overflowingDivision } ?? { $0 / $1 }
  }

  /// The remainder of a division by anything but zero.
  static var remainder: (Self, Self) -> Self? {
    checked { $0.overflowingRemainder } ?? { $0 % $1 }
  }
}

extension FixedWidthInteger {
  fileprivate static var overflowingAddition: Any { operation { $0.addingReportingOverflow($1) } }
  fileprivate static var overflowingSubtraction: Any { operation { $0.subtractingReportingOverflow($1) } }
  fileprivate static var overflowingMultiplication: Any { operation { $0.multipliedReportingOverflow(by: $1) } }
  fileprivate static var overflowingDivision: Any { operation { $0.dividedReportingOverflow(by: $1) } }
  fileprivate static var overflowingRemainder: Any { operation { $0.remainderReportingOverflow(dividingBy: $1) } }

  private static func operation(
    _ operation: @escaping (Self, Self) -> (partialValue: Self, overflow: Bool)
  ) -> (Self, Self) -> Self? {
    { left, right in
      let (value, overflow) = operation(left, right)
      return overflow ? nil : value
    }
  }
}
